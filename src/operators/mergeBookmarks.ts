import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import { type Bookmark, bookmark } from '../model/change.ts';
import type { Item } from '../model/occurrence.ts';

/**
 * Passes of a run of bookmarks that came in one chunk only the last: most of a shard's stream is bookmarks.
 *
 *     in   -(mna)-(op)-|    m, n and o are bookmarks that say that an item follows at once, p says nothing; a is an occurrence
 *     out  -(na)--p----|
 *
 * State: one bookmark, until the item that was promised comes. Time: none. Order: kept.
 * Errors: passed on; the position that a held bookmark would have moved is read again after a restart.
 * A bookmark before an occurrence is passed: the position may rest on it for as long as the occurrence is unacknowledged.
 */
export function mergeBookmarks(): MonoTypeOperatorFunction<Item> {
  return (source) =>
    new Observable((subscriber) => {
      let held: Bookmark | undefined;
      const release = (): void => {
        if (held === undefined) return;
        const released = bookmark(held.resourceVersion);
        held = undefined;
        subscriber.next(released);
      };
      return source.subscribe({
        next(item) {
          if (item.type === 'bookmark' && item.followed === true) {
            held = item;
            return;
          }
          if (item.type === 'bookmark') held = undefined;
          release();
          subscriber.next(item);
        },
        error: (error: unknown) => subscriber.error(error),
        complete() {
          release();
          subscriber.complete();
        },
      });
    });
}
