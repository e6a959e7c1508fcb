import { interval, type Observable } from 'rxjs';
import type { Runtime } from '../runtime.ts';
import { recordedPauses } from '../transports/recordedPauses.ts';
import type { CommandContext } from './command.ts';
import type { PacerSettings } from './pacer.ts';
import { progressBar } from './progressBar.ts';

export interface ReplayProgressParts {
  /** Size of the files; 0 if it is not known. */
  readonly bytes: number;
  /** How much of them was read so far. */
  readonly bytesRead: () => number;
  /** The recording, to see how long it takes. Absent: only its bytes tell. */
  readonly file: string | undefined;
  readonly pace: PacerSettings;
  /** Events so far. */
  readonly received: () => number;
}

export interface ReplayProgress {
  /** Milliseconds of real time that were planned for what was played so far. */
  played(plannedMs: number): void;
  /** Makes room for standard output where both are one terminal. */
  above(write: (text: string) => Observable<void>): (text: string) => Observable<void>;
  end(): void;
}

const steps = 1_000;
const tickMs = 200;
const bytesThatTell = 1024 * 1024;
const notKnown = 'time left not known yet';

/**
 * How far a replay is, how fast, and how long it still takes: on a terminal. Elsewhere nothing is shown and nothing read.
 * At a given speed time counts, which is known once the recording has been looked through; without waiting, bytes do.
 */
export function replayProgress(context: CommandContext, parts: ReplayProgressParts, runtime: Runtime): ReplayProgress {
  const { file, pace, received } = parts;
  const bar = progressBar(context, steps, '{bar} {percentage}%, {events} events, {rate}/s, {left}', {
    events: '0',
    rate: '0',
    left: notKnown,
  });
  if (context.stderr.isTTY !== true) return { played: () => undefined, above: bar.above, end: bar.end };
  const beganAt = runtime.scheduler.now();
  let plannedMs = 0;
  let wholeMs: number | undefined;
  let over = false;
  const timed = file !== undefined && Number.isFinite(pace.speed);
  if (timed) {
    // The replay itself tells what is wrong with the file.
    wholeLength(file, pace, () => over).then(
      (ms) => {
        wholeMs = ms;
      },
      () => undefined,
    );
  }
  const tick = (): void => {
    const elapsedMs = runtime.scheduler.now() - beganAt;
    // A small file is read at once, whatever its speed, so its bytes tell nothing; a large one takes time to look through.
    const byBytes = !timed || parts.bytes > bytesThatTell ? ratio(parts.bytesRead(), parts.bytes) : 0;
    const done = wholeMs === undefined ? byBytes : ratio(plannedMs, wholeMs);
    const leftMs = wholeMs !== undefined ? wholeMs - plannedMs : done > 0 ? (elapsedMs * (1 - done)) / done : undefined;
    bar.update(Math.round(done * steps), {
      events: String(received()),
      rate: String(Math.round((received() / Math.max(elapsedMs, 1)) * 1_000)),
      left: leftMs === undefined ? notKnown : `${clockText(leftMs)} left`,
    });
  };
  tick();
  const ticking = interval(tickMs, runtime.scheduler).subscribe(tick);
  return {
    played: (ms) => {
      plannedMs = ms;
    },
    above: bar.above,
    end: () => {
      over = true;
      ticking.unsubscribe();
      bar.end();
    },
  };
}

async function wholeLength(
  file: string,
  { speed, pauseMaxMs = Number.POSITIVE_INFINITY }: PacerSettings,
  isOver: () => boolean,
): Promise<number> {
  let ms = 0;
  for await (const pause of recordedPauses(file)) {
    if (isOver()) break;
    ms += Math.min(pause / speed, pauseMaxMs);
  }
  return ms;
}

function ratio(part: number, whole: number | undefined): number {
  return whole === undefined || whole <= 0 ? 0 : Math.min(part / whole, 1);
}

/** `1:02:03`, or `2:03`. */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
