import { defer, type Observable, ReplaySubject, takeUntil, timer } from 'rxjs';
import type { Runtime } from '../runtime.ts';
import type { ExitCode } from './exitCodes.ts';

export interface UntilStoppedSettings {
  /** How long a drain may take, in milliseconds. */
  readonly drainTimeoutMs: number;
  /** Occurrences that are not acknowledged yet. */
  readonly inFlight: () => number;
}

/**
 * Runs a pipeline to its end and gives the exit code. The first stop lets it drain: `start` is told by its
 * `stop`. The second stop, or the end of the limit, ends it at once.
 *
 * Time: the limit. Errors: those of the pipeline reject.
 */
export function untilStopped(
  start: (stop: Observable<unknown>) => Observable<unknown>,
  stops: Observable<'drain' | 'now'>,
  { drainTimeoutMs, inFlight }: UntilStoppedSettings,
  runtime: Runtime,
): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    // A stop may come before the pipeline listens.
    const drain = new ReplaySubject<void>(1);
    const enough = new ReplaySubject<void>(1);
    const running = defer(() => start(drain)).pipe(takeUntil(enough));
    const stopping = stops.subscribe((stop) => {
      if (stop === 'now') return enough.next();
      runtime.signal({ type: 'drainStarted', inFlight: inFlight() });
      timer(drainTimeoutMs, runtime.scheduler)
        .pipe(takeUntil(enough))
        .subscribe(() => enough.next());
      drain.next();
    });
    running.subscribe({
      error: (error: unknown) => {
        stopping.unsubscribe();
        enough.next();
        reject(error);
      },
      complete: () => {
        stopping.unsubscribe();
        enough.next();
        const unacknowledged = inFlight();
        const code = unacknowledged === 0 ? 0 : 1;
        runtime.signal({ type: 'stopped', code, unacknowledged });
        resolve(code);
      },
    });
  });
}
