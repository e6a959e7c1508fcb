import { type Observable, toArray } from 'rxjs';
import { playRecording } from './cli/playRecording.ts';
import { PipelineError } from './errors.ts';
import type { KubeTransport } from './ports.ts';
import type { Runtime } from './runtime.ts';
import { seededRandom } from './simulator/seededRandom.ts';
import { virtualClock } from './simulator/virtualClock.ts';
import type { Signal } from './telemetry/signals.ts';
import type { FileFault } from './transports/numberedLines.ts';
import { type RawBodies, rawBodies } from './transports/rawBodies.ts';
import { recordedFrames } from './transports/recordedFrames.ts';
import { replay } from './transports/replay.ts';

/** What of the fixture is played, and who hears of it. */
export interface ReplayFixtureSettings {
  /** Streams that your pipeline reads; the rest of the fixture is passed over. Default all. */
  readonly streams?: readonly string[];
  /** Hears what the stages tell. Default nobody. */
  readonly signal?: (signal: Signal) => void;
}

/**
 * Replays a fixture in virtual time through what `run` makes of it, and resolves to everything that came out.
 * The fixture is a file of the record command, or raw watch bodies as curl gets them.
 *
 * State: all that came out. Time: virtual, from the fixture's own beginning; a fixture of an hour takes as long as its lines.
 * Errors: those of the stream reject, and so does FIXTURE_INVALID, which names the first line that cannot be read.
 */
export async function replayFixture<T>(
  fixture: string | RawBodies,
  run: (transport: KubeTransport, runtime: Runtime) => Observable<T>,
  { streams, signal }: ReplayFixtureSettings = {},
): Promise<readonly T[]> {
  const faults: FileFault[] = [];
  const tell = (fault: FileFault): void => void faults.push(fault);
  const recording = await (typeof fixture === 'string' ? recordedFrames(fixture, tell) : rawBodies(fixture, tell));
  const clock = virtualClock(recording.startsAt);
  const player = replay({ header: recording.header, ...(streams === undefined ? {} : { streams }) });
  let inFlight = 0;
  let end: { readonly values: readonly T[] } | { readonly error: unknown } | undefined;
  const runtime: Runtime = {
    scheduler: clock.scheduler,
    random: seededRandom(1),
    signal: (told) => {
      if (told.type === 'inFlight') inFlight = told.occurrences;
      signal?.(told);
    },
  };
  const running = run(player.transport(), runtime)
    .pipe(toArray())
    .subscribe({
      next: (values) => {
        end = { values };
      },
      error: (error: unknown) => {
        end = { error };
      },
    });
  try {
    await playRecording(
      { speed: Number.POSITIVE_INFINITY },
      {
        recording,
        replay: player,
        clock,
        settled: () => undefined,
        inFlight: () => inFlight,
        isOver: () => end !== undefined,
        stop: new AbortController().signal,
      },
    );
  } finally {
    running.unsubscribe();
  }
  return outcome(
    end,
    faults.find(({ bad }) => bad),
  );
}

function outcome<T>(
  end: { readonly values: readonly T[] } | { readonly error: unknown } | undefined,
  bad: FileFault | undefined,
): readonly T[] {
  if (end !== undefined && 'error' in end) throw end.error;
  if (bad !== undefined) throw new PipelineError('FIXTURE_INVALID', `${bad.file}:${bad.line} ${bad.reason}`);
  return end?.values ?? [];
}
