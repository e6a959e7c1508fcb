import { type MonoTypeOperatorFunction, retry, throwError, timer } from 'rxjs';
import { messageOf, PipelineError } from '../errors.ts';
import { fullJitter } from '../model/backoff.ts';
import type { Runtime } from '../runtime.ts';

const backoff = { firstMs: 1_000, maxMs: 30_000 } as const;

/**
 * Writes again after an error of the system (no room, a disk that was taken away), without end, and warns each time.
 *
 * Time: full jitter, up to 1 s at first and 30 s at last. Errors: PipelineErrors are passed on.
 */
export function untilWritten<T>(what: string, runtime: Runtime): MonoTypeOperatorFunction<T> {
  return retry({
    delay: (error, attempt) => {
      if (error instanceof PipelineError) return throwError(() => error);
      runtime.signal({ type: 'warning', text: `${what} cannot be written, it is tried again: ${messageOf(error)}` });
      return timer(
        fullJitter(attempt, backoff, () => runtime.random()),
        runtime.scheduler,
      );
    },
  });
}
