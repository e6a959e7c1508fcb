import { defer, type MonoTypeOperatorFunction, map } from 'rxjs';
import { bookmark, type Item, type Occurrence } from '../model/occurrence.ts';
import { isAtOrBefore, isBefore, isDecimal, type ResourceVersion } from '../model/resourceVersion.ts';
import type { Runtime } from '../runtime.ts';

/** Where this reader stands. */
export interface DropSeenSettings {
  /** Everything up to here was handed on in an earlier life. Absent: nothing was. */
  readonly position?: ResourceVersion;
  /** How many revisions with an opaque version are remembered. Default 10,000. */
  readonly opaqueMax?: number;
}

/**
 * Passes each revision once: what is at or before the position, or was handed on in this bracket, becomes a bookmark.
 *
 *     in   -s-a-b-s-a-b-c-d-a-e-|    s starts a list, d ends it; the first list was cut short
 *     out  -s-a-b-s-m-n-c-d-m-e-|    m and n are bookmarks where a and b came again
 *
 * State: the position; inside a bracket the revision handed on of each Event; the last `opaqueMax`
 * revisions where versions have no order. Time: none. Order: kept. Errors: passed on.
 * A bracket moves no position before its end, because its items come in the server's order. When the
 * store was restored, nothing remembered has a meaning any more and everything is forgotten.
 */
export function dropSeen(settings: DropSeenSettings, runtime: Runtime): MonoTypeOperatorFunction<Item> {
  return (source) =>
    defer(() => {
      let position = settings.position;
      let bracket: Map<string, ResourceVersion> | undefined;
      let inBracket = false;
      const opaque = recent(settings.opaqueMax ?? 10_000);

      const isSeen = ({ uid, resourceVersion }: Occurrence): boolean => {
        if (position !== undefined && isAtOrBefore(resourceVersion, position)) return true;
        if (bracket?.get(uid) === resourceVersion) return true;
        return !(isDecimal(resourceVersion) && isDecimal(position ?? resourceVersion)) && opaque.has(`${uid}/${resourceVersion}`);
      };
      const remember = ({ uid, resourceVersion }: Occurrence): void => {
        if (!isDecimal(resourceVersion) || !isDecimal(position ?? resourceVersion)) opaque.add(`${uid}/${resourceVersion}`);
        if (inBracket) bracket?.set(uid, resourceVersion);
        else position = resourceVersion;
      };

      return source.pipe(
        map((item) => {
          switch (item.type) {
            case 'relistStarted':
              if (item.cause === 'restored') [position, bracket] = [undefined, undefined];
              bracket ??= new Map();
              inBracket = true;
              return item;
            case 'relistDone':
              [position, bracket, inBracket] = [item.resourceVersion, undefined, false];
              return item;
            case 'bookmark':
              if (!inBracket && !(position !== undefined && isBefore(item.resourceVersion, position))) position = item.resourceVersion;
              return item;
            case 'gap':
              return item;
            case 'occurrence':
              if (isSeen(item)) {
                runtime.signal({ type: 'repeated' });
                return bookmark(item.resourceVersion);
              }
              remember(item);
              return item;
          }
        }),
      );
    });
}

interface Recent {
  has(key: string): boolean;
  add(key: string): void;
}

/** The last `max` keys; a Set keeps insertion order, so the oldest is its first. */
function recent(max: number): Recent {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add: (key) => {
      keys.add(key);
      if (keys.size > max) for (const oldest of keys) return void keys.delete(oldest);
    },
  };
}
