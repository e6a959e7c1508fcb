import { defer, type MonoTypeOperatorFunction, map } from 'rxjs';
import type { Generation } from '../model/checkpoint.ts';
import { isInherited } from '../model/inherited.ts';
import { bookmark, type Item } from '../model/occurrence.ts';
import { shardKey } from '../model/shard.ts';
import type { Runtime } from '../runtime.ts';

/** What earlier shard maps had delivered. */
export interface SkipInheritedSettings {
  /** The namespace that is read; empty for all. */
  readonly scope: string;
  /** What earlier shard maps had delivered. Default nothing. */
  readonly inherited?: readonly Generation[];
  /** The incarnation of the store that the versions belong to. */
  readonly incarnation: number;
}

/**
 * Turns what a shard of an earlier map has delivered into bookmarks.
 *
 *     in   -a-b-c-d-|    versions 1 to 4; of two old shards the one of a and c had come to 3, that of b and d to 2
 *     out  -m-n-o-d-|    m, n and o are bookmarks
 *
 * State: none; when the store was restored the versions say nothing any more. Time: none. Order: kept. Errors: passed on.
 * All shards of the new map start at the least of the old positions, so what lies between that and the
 * position of its old owner comes again here, and only the old map can tell it.
 */
export function skipInherited(
  { scope, inherited = [], incarnation }: SkipInheritedSettings,
  runtime: Runtime,
): MonoTypeOperatorFunction<Item> {
  return (source) =>
    defer(() => {
      let current = incarnation;
      return source.pipe(
        map((item) => {
          if (item.type === 'relistStarted' && item.cause === 'restored') current += 1;
          if (item.type !== 'occurrence') return item;
          if (!isInherited(inherited, scope, shardKey(item), item.resourceVersion, current)) return item;
          runtime.signal({ type: 'repeated' });
          return bookmark(item.resourceVersion);
        }),
      );
    });
}
