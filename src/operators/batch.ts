import { Observable, type OperatorFunction, type Subscription } from 'rxjs';
import type { Runtime } from '../runtime.ts';

/** When a batch is full. */
export interface BatchSettings<T> {
  /** Most items in one batch, 1 or more. */
  readonly itemsMax: number;
  /** Most bytes in one batch by `bytesOf`; a single larger item is a batch of its own. Absent: no limit. */
  readonly bytesMax?: number;
  /** Size of one item in bytes. Absent: items have none. */
  readonly bytesOf?: (item: T) => number;
  /** Longest wait of a batch's first item, in milliseconds. 0: until the turn of the event loop that brought it is over. */
  readonly flushMs: number;
  /** While true nothing is waited for: what is there goes at once, and so does what comes. Its end means nothing. */
  readonly hurry?: Observable<boolean>;
}

/**
 * Groups items into batches that go when full, when the timer since their first item ends, when told to, or at completion.
 *
 *     in   -a-b-c-----d--|       flushMs is 4, its timer starts at c
 *     out  ---x-----y----(z|)    with itemsMax 2: x holds a and b, y holds c, z holds d
 *
 * State: one batch, bounded by `itemsMax` and `bytesMax`. Time: `flushMs`, one timer. Order: kept.
 * Errors: passed on at once; the batch that was filling is dropped, its items stay unacknowledged.
 * Never emits an empty batch, and never one over `bytesMax` unless it is a single item.
 */
export function batch<T>(settings: BatchSettings<T>, runtime: Runtime): OperatorFunction<T, readonly T[]> {
  const { itemsMax, bytesMax = Number.POSITIVE_INFINITY, bytesOf = () => 0, flushMs, hurry } = settings;
  return (source) =>
    new Observable((subscriber) => {
      let items: T[] = [];
      let bytes = 0;
      let waiting: Subscription | undefined;
      let hurried = false;

      const flush = (): void => {
        waiting?.unsubscribe();
        waiting = undefined;
        if (items.length === 0) return;
        const full = items;
        items = [];
        bytes = 0;
        subscriber.next(full);
      };
      const add = (item: T): void => {
        const itemBytes = bytesOf(item);
        if (bytes + itemBytes > bytesMax) flush();
        items.push(item);
        bytes += itemBytes;
        if (items.length >= itemsMax || bytes >= bytesMax) flush();
        else waiting ??= runtime.scheduler.schedule(flush, hurried ? 0 : flushMs);
      };

      subscriber.add(() => waiting?.unsubscribe());
      const onHurry = (now: boolean): void => {
        hurried = now;
        if (now) flush();
      };
      if (hurry !== undefined) subscriber.add(hurry.subscribe({ next: onHurry, error: (error: unknown) => subscriber.error(error) }));
      subscriber.add(
        source.subscribe({
          next: (item) => {
            if (!subscriber.closed) add(item);
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            flush();
            subscriber.complete();
          },
        }),
      );
    });
}
