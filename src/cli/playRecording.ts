import { setImmediate } from 'node:timers/promises';
import { PipelineError } from '../errors.ts';
import type { VirtualClock } from '../simulator/virtualClock.ts';
import type { Recording } from '../transports/recordedFrames.ts';
import type { Replay } from '../transports/replay.ts';
import { type PacerSettings, pacer } from './pacer.ts';

export interface PlayRecordingSettings extends PacerSettings {
  /** Recorded bytes that may wait for a reader before time is left to the readers' own timers. Default 32 MiB. */
  readonly waitingBytesMax?: number;
}

export interface PlayRecordingPorts {
  readonly recording: Recording;
  readonly replay: Replay;
  readonly clock: VirtualClock;
  /** Resolves when the output that is under way has been taken; undefined if there is none. */
  readonly settled: () => Promise<void> | undefined;
  /** Occurrences that are under way. */
  readonly inFlight: () => number;
  /** True when no reader wants more. */
  readonly isOver: () => boolean;
  /** Aborted when reading has to end. */
  readonly stop: AbortSignal;
  /** Told the real time planned so far, in milliseconds, with each thing that was recorded. */
  readonly played?: (plannedMs: number) => void;
}

/** Longest that the last occurrences may take after the recording's end, in recorded milliseconds. */
const lastWaitMs = 60_000;

/**
 * Plays a recording: moves virtual time to each recorded moment and feeds what happened then.
 *
 * State: one frame. Time: nothing is fed and virtual time stands still while output is under way, while a reader is paused
 * in front of lines and while lines pile up; then it moves by the readers' own timers. The pacer ties it to
 * real time. Order: as recorded.
 * Resolves when the readers have had everything and are done.
 */
export async function playRecording(settings: PlayRecordingSettings, ports: PlayRecordingPorts): Promise<void> {
  const { recording, replay, clock, settled, inFlight, isOver, stop, played } = ports;
  const waitingBytesMax = settings.waitingBytesMax ?? 32 * 1024 * 1024;
  const paced = pacer(settings, clock.now(), stop);
  let ended = false;
  // After the recording's end only the readers' own timers are left, and nobody wants to watch them.
  const pace = (atMs: number): Promise<void> | undefined => (ended ? undefined : paced.until(atMs));

  const isStopped = (): boolean => isOver() || stop.aborted;
  const moveTo = async (atMs: number, isEnough: () => boolean): Promise<void> => {
    for (let to = Number.NEGATIVE_INFINITY; to < atMs; ) {
      to = Math.min(clock.next() ?? atMs, atMs);
      if (to > clock.now()) {
        await settled();
        await pace(to);
      }
      if (isEnough()) return;
      clock.advanceTo(Math.max(to, clock.now()));
    }
  };

  /** Lets output or the next timer bring the readers on; false if there is neither. */
  const bringOn = async (): Promise<boolean> => {
    const output = settled();
    await (output ?? setImmediate());
    const next = output === undefined ? clock.next() : clock.now();
    if (next === undefined) return false;
    await moveTo(next, isOver);
    return true;
  };

  for await (const recorded of recording.frames) {
    const at = Math.max(recorded.at, clock.now());
    paced.plan(clock.now(), at);
    played?.(paced.plannedMs());
    await moveTo(at, isStopped);
    if (isStopped()) break;
    replay.feed(recorded);
    clock.advanceTo(clock.now());
    await settled();
    while (replay.held() || replay.waitingBytes() > waitingBytesMax) if (!(await bringOn())) break;
  }
  ended = true;
  // What waits for its pod would leave without labels if its reader ended now.
  for (const untilMs = clock.now() + lastWaitMs; inFlight() > 0 && clock.now() < untilMs && !isStopped(); ) {
    if (!(await bringOn())) break;
  }
  replay.finish();
  await moveTo(clock.now(), isOver);
  while (!isOver()) {
    if (!(await bringOn())) throw new PipelineError('NOT_ACKNOWLEDGED', 'the replay stands still: nothing is left to wait for');
  }
}
