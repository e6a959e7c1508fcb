import type { KubeTransport } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { type Recorded, type RecordedFrame, recordingLine } from '../../src/transports/recording.ts';
import { replay } from '../../src/transports/replay.ts';

export const startsAt = Date.parse('2026-11-30T10:00:00Z');

const server = { major: '1', minor: '36', gitVersion: 'v1.36.2' };

export interface Replayed {
  readonly transport: KubeTransport;
  readonly runtime: Runtime;
  readonly signals: readonly Signal[];
  /** Plays to the recorded time of each frame, and feeds it. */
  feed(...frames: readonly Recorded[]): void;
  /** Lets time pass. */
  pass(ms: number): void;
  finish(): void;
  held(): boolean;
  waitingBytes(): number;
}

/** A replay without files, with one reader's transport, whose time is moved by the test. */
export function replayed(
  settings: { readonly minor?: string; readonly streams?: readonly string[]; readonly random?: number } = {},
): Replayed {
  const clock = virtualClock(startsAt);
  const { streams } = settings;
  const player = replay({
    header: { server: { ...server, minor: settings.minor ?? server.minor } },
    ...(streams === undefined ? {} : { streams }),
  });
  const signals: Signal[] = [];
  const pass = (ms: number): void => clock.advanceTo(clock.now() + ms);
  return {
    transport: player.transport(),
    runtime: { scheduler: clock.scheduler, random: () => settings.random ?? 0.5, signal: (signal) => void signals.push(signal) },
    signals,
    feed(...frames) {
      for (const recorded of frames) {
        clock.advanceTo(Math.max(recorded.at, clock.now()));
        player.feed(recorded);
        pass(0);
      }
    },
    pass,
    finish() {
      player.finish();
      pass(0);
    },
    held: player.held,
    waitingBytes: player.waitingBytes,
  };
}

export function frames(request: number, list: readonly RecordedFrame[], at = startsAt, stream = 'events'): readonly Recorded[] {
  return list.map((frame) => ({ at, stream, request, frame }));
}

export function get(query: Readonly<Record<string, string>> = {}, path = '/api/v1/events'): RecordedFrame {
  return { kind: 'request', how: 'get', path, query };
}

export function stream(query: Readonly<Record<string, string>> = {}, path = '/api/v1/events'): RecordedFrame {
  return { kind: 'request', how: 'stream', path, query: { watch: 'true', ...query } };
}

export const opened: RecordedFrame = { kind: 'opened', status: 200 };
export const ended: RecordedFrame = { kind: 'ended' };
export const left: RecordedFrame = { kind: 'left' };

export function json(kind: 'line', value: unknown): RecordedFrame {
  return { kind, body: Buffer.from(JSON.stringify(value)) };
}

export function answer(status: number, value: unknown): RecordedFrame {
  return { kind: 'answer', status, body: Buffer.from(JSON.stringify(value)) };
}

/** Reads recording lines back. */
export function recordedOf(lines: readonly string[]): readonly Recorded[] {
  return lines.map((line) => {
    const read = recordingLine(line);
    if (read.type !== 'recorded') throw new Error(`no frame: ${line}`);
    return read.recorded;
  });
}
