import { defer, type MonoTypeOperatorFunction, type Observable, of, switchMap, takeUntil, takeWhile, tap, timer } from 'rxjs';
import type { Scoped } from '../model/slot.ts';
import type { Runtime } from '../runtime.ts';

/** How long a stop may take. */
export interface StopReadingSettings {
  /** How long a stop waits for the end of a list at most, in milliseconds. */
  readonly listEndMs: number;
}

/**
 * Completes when `stop` emits; amid a list that has handed something on, at the end of that list.
 *
 *     in    -s-a-b-d-c-    s starts a list, d ends it
 *     stop  ----x------
 *     out   -s-a-b-(d|)
 *
 * State: the scopes amid such a list. Time: `listEndMs` from the stop, after which it completes all the same.
 * Order: kept. Errors: passed on.
 * A position cannot say how far into a list it stands, so whoever ends within one makes it again in the next life, and a sink
 * without a key gets twice what had been handed on.
 */
export function stopReading(
  { listEndMs }: StopReadingSettings,
  stop: Observable<unknown>,
  { scheduler }: Runtime,
): MonoTypeOperatorFunction<Scoped> {
  return (source) =>
    defer(() => {
      const listing = new Set<string>();
      const amidList = new Set<string>();
      let isStopping = false;

      const follow = ({ scope, item }: Scoped): void => {
        switch (item.type) {
          case 'relistStarted':
            listing.add(scope);
            return;
          case 'relistDone':
            listing.delete(scope);
            amidList.delete(scope);
            return;
          case 'occurrence':
          case 'gap':
            if (listing.has(scope)) amidList.add(scope);
            return;
          case 'bookmark':
            return;
        }
      };
      const ends = stop.pipe(
        tap(() => {
          isStopping = true;
        }),
        switchMap(() => (amidList.size === 0 ? of(undefined) : timer(listEndMs, scheduler))),
      );
      return source.pipe(
        takeUntil(ends),
        tap(follow),
        takeWhile(() => !isStopping || amidList.size > 0, true),
      );
    });
}
