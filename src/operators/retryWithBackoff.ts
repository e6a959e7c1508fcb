import { defer, EMPTY, type MonoTypeOperatorFunction, merge, Observable, retry, Subject, take, tap, throwError, timer } from 'rxjs';
import { type BackoffSettings, fullJitter } from '../model/backoff.ts';
import type { Runtime } from '../runtime.ts';

/** What is tried again, and how the waits grow. */
export interface RetryWithBackoffSettings<T> extends BackoffSettings {
  /** True for a value that proves the source works again. Absent: no value does. */
  readonly isProgress?: (value: T) => boolean;
  /** A subscription that lasted this long proves it too, in milliseconds. Absent: none does. */
  readonly steadyMs?: number;
  /** False for an error that is passed on at once. Absent: every error is retried. */
  readonly isRetryable?: (error: unknown) => boolean;
  /** Each emission ends the wait that is under way, and the waits start over. */
  readonly hurry?: Observable<unknown>;
  /** Told before each wait; `attempt` counts the failures since the last progress, from 1. */
  readonly onWait?: (error: unknown, attempt: number, waitMs: number) => void;
}

/**
 * Subscribes again after an error, without end, with waits that grow until there is progress.
 *
 *     in   -a-#               at the first two subscriptions, -a-| at the third; a is no progress
 *     out  -a----a------a-|   with waits of 2 and 4 ms
 *
 * State: a counter, which progress and `hurry` set to zero. Order: kept.
 * Time: full jitter below a limit that doubles from `firstMs` to `maxMs`; an error's own `afterMs` is a minimum.
 * Errors: never passed on, except those that `isRetryable` denies, and those of `hurry`.
 * RxJS's own `retry` starts over at the first value, and the first value of a list that will fail is its
 * `relistStarted`: it would never wait longer than the first wait. So the counter is kept here.
 */
export function retryWithBackoff<T>(settings: RetryWithBackoffSettings<T>, runtime: Runtime): MonoTypeOperatorFunction<T> {
  const { isProgress = () => false, steadyMs = Number.POSITIVE_INFINITY, isRetryable = () => true, hurry = EMPTY, onWait } = settings;
  return (source) =>
    new Observable((subscriber) => {
      const hurried = new Subject<unknown>();
      let failures = 0;
      let startedMs = 0;

      const waitAfter = (error: unknown): Observable<unknown> => {
        if (!isRetryable(error)) return throwError(() => error);
        if (runtime.scheduler.now() - startedMs >= steadyMs) failures = 0;
        failures += 1;
        const waitMs = Math.max(fullJitter(failures, settings, runtime.random), afterMsOf(error));
        onWait?.(error, failures, waitMs);
        return merge(timer(waitMs, runtime.scheduler), hurried).pipe(take(1));
      };
      const attempts = defer(() => {
        startedMs = runtime.scheduler.now();
        return source;
      }).pipe(
        tap((value) => {
          if (isProgress(value)) failures = 0;
        }),
        retry({ delay: waitAfter }),
      );

      // Subscribed once, ahead of all waits: a source that repeats its last value must not cut every wait to nothing.
      const onHurry = (): void => {
        failures = 0;
        hurried.next(undefined);
      };
      subscriber.add(hurry.subscribe({ next: onHurry, error: (error: unknown) => subscriber.error(error) }));
      subscriber.add(attempts.subscribe(subscriber));
    });
}

/** How long the other side asked to be left alone, in milliseconds; 0 if it did not say. */
function afterMsOf(error: unknown): number {
  const afterMs = typeof error === 'object' && error !== null ? (error as { readonly afterMs?: unknown }).afterMs : undefined;
  return typeof afterMs === 'number' && afterMs > 0 ? afterMs : 0;
}
