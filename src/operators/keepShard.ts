import { defer, finalize, map, type OperatorFunction } from 'rxjs';
import { burst } from '../model/burst.ts';
import { bookmark, type Foreign, type Item } from '../model/occurrence.ts';
import { owns, type Shard, shardKey } from '../model/shard.ts';
import type { Runtime } from '../runtime.ts';

/**
 * Passes control items and the occurrences this shard owns; turns the rest into bookmarks.
 *
 *     in   -a-b-m-c-d-|    a and c belong to shard 0, b and d to shard 1; m is a bookmark
 *     out  -a-m-m-c-m-|    with shard = { index: 0, total: 2 }
 *
 * State: how many of a chunk are not told as filtered yet. Time: none. Order: kept. Errors: passed on.
 * The owner is decided by the shard key alone, so all containers agree and the union over
 * all shards is the input, each occurrence once. Bookmarks let the position move past foreign traffic;
 * between `relistStarted` and `relistDone` they come in the list's order, where no position may follow them.
 */
export function keepShard(shard: Shard, runtime: Runtime): OperatorFunction<Item | Foreign, Item> {
  return (source) =>
    defer(() => {
      const filtered = burst((times) => runtime.signal({ type: 'filtered', times }));
      return source.pipe(
        map((item) => {
          if (item.type === 'foreign') {
            filtered.add(0, item.followed);
            return bookmark(item.resourceVersion, item.followed);
          }
          filtered.end();
          if (item.type !== 'occurrence' || owns(shard, shardKey(item))) return item;
          runtime.signal({ type: 'filtered' });
          return bookmark(item.resourceVersion);
        }),
        finalize(filtered.end),
      );
    });
}
