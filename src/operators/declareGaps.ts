import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import type { Gap, RelistStarted } from '../model/change.ts';
import { isRewritten } from '../model/entryAction.ts';
import type { Item, Occurrence } from '../model/occurrence.ts';
import type { ResourceVersion } from '../model/resourceVersion.ts';
import type { Shard } from '../model/shard.ts';
import type { Runtime } from '../runtime.ts';

/** As the API server has it by default. */
const eventTtlMsDefault = 3_600_000;

/** Whose revisions a gap record speaks of. */
export interface DeclareGapsSettings {
  /** Whose revisions these are; the record says so. Absent: it does not. */
  readonly shard?: Shard;
  /**
   * How long the API server keeps an Event after its last write, in milliseconds: a longer time without a watch may have hidden
   * whole objects. Default an hour.
   */
  readonly eventTtlMs?: number;
}

/**
 * Inserts a gap record where revisions may really be missing, before the item that shows it.
 *
 *     in   -a-s-b-c----d-|    s lists after a 410, d ends the list; c has been written more than once
 *     out  -a-s-b-(gc)-d-|    g is the gap record
 *
 * State: the interval of the list under way. Time: none, `unwatchedMs` comes with the list. Order: kept. Errors: passed on.
 * A list shows the last revision of each Event only. So something may be missing when an Event that is
 * new to us has been written more than once (count above 1 or a series), when nothing was read for longer
 * than an Event lives or an unknown time, or when the store was restored. Otherwise an expired position means nothing:
 * without bookmarks every quiet ten minutes end in one.
 */
export function declareGaps(
  { shard, eventTtlMs = eventTtlMsDefault }: DeclareGapsSettings,
  runtime: Runtime,
): MonoTypeOperatorFunction<Item> {
  return (source) =>
    new Observable((subscriber) => {
      let suspect: Omit<Gap, 'cause'> | undefined;
      // A list that is cut short is made again: from what it was made of, or had declared, the next goes on.
      let coveredTo: ResourceVersion | undefined;
      let coveredAtMs = 0;

      const cover = (version: ResourceVersion | undefined): void => {
        coveredTo = version;
        coveredAtMs = runtime.scheduler.now();
      };
      const declare = (cause: Gap['cause'], interval: Omit<Gap, 'cause'>): void => {
        const gap: Gap = { ...interval, cause, ...(shard === undefined ? {} : { shard: { index: shard.index, total: shard.total } }) };
        cover(gap.to);
        suspect = undefined;
        runtime.signal({ type: 'gapDeclared', gap });
        subscriber.next(gap);
      };
      const onStarted = (list: RelistStarted): void => {
        const interval = intervalOf(list, coveredTo);
        const unwatchedMs = coveredTo === undefined ? list.unwatchedMs : runtime.scheduler.now() - coveredAtMs;
        // The first list of all: what was overwritten before it, nobody was promised.
        if (interval === undefined) cover(list.resourceVersion);
        else if (list.cause === 'restored') declare('restored', interval);
        else if (unwatchedMs === undefined || unwatchedMs > eventTtlMs) declare('unwatched', interval);
        else suspect = interval;
      };

      return source.subscribe({
        next(item) {
          if (suspect !== undefined && item.type === 'occurrence' && showsRewriting(item)) declare('expired', suspect);
          subscriber.next(item);
          if (item.type === 'relistStarted') onStarted(item);
          else if (item.type === 'relistDone') [suspect, coveredTo] = [undefined, undefined];
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
    });
}

/** What came after the position, or after what the list before it, cut short, has covered. */
function intervalOf(list: RelistStarted, coveredTo: ResourceVersion | undefined): Omit<Gap, 'cause'> | undefined {
  const from = list.cause === 'restored' ? list.position : (coveredTo ?? list.position);
  if (from === undefined || list.resourceVersion === undefined || list.date === undefined) return undefined;
  return { type: 'gap', from, to: list.resourceVersion, date: list.date };
}

function showsRewriting(occurrence: Occurrence): boolean {
  try {
    return isRewritten(occurrence.read());
  } catch {
    return false; // Undecodable: it is refused and reported further down, and shows nothing about other revisions.
  }
}
