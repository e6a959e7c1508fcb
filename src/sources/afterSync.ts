import { type MonoTypeOperatorFunction, type Observable, type Observer, race, switchMap, take, tap, timer } from 'rxjs';
import type { OwnerChange } from '../model/owner.ts';
import type { Runtime } from '../runtime.ts';

export interface AfterSyncSettings {
  /** After this long events are read although pods are not synced, in milliseconds. */
  readonly podSyncTimeoutMs: number;
}

/** Reads items once the pods that they are about are known, or after the limit without them. Time: the limit. */
export function afterSync<T>(
  { podSyncTimeoutMs: afterMs }: AfterSyncSettings,
  synced: Observable<void>,
  items: Observable<T>,
  runtime: Runtime,
): Observable<T> {
  const late = timer(afterMs, runtime.scheduler).pipe(tap(() => runtime.signal({ type: 'podSyncTimedOut', afterMs })));
  return race(synced, late).pipe(
    take(1),
    switchMap(() => items),
  );
}

/** Tells `synced` when the first list of every namespace is done. */
export function tellSynced(namespaces: readonly string[], synced: Pick<Observer<void>, 'next'>): MonoTypeOperatorFunction<OwnerChange> {
  const missing = new Set(namespaces);
  return tap((change) => {
    if (change.type === 'relistDone' && missing.delete(change.scope) && missing.size === 0) synced.next();
  });
}
