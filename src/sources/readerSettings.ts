import type { Observable } from 'rxjs';
import type { ResourceVersion } from '../model/resourceVersion.ts';

/** What a reader reads, and how patient it is. */
export interface ListWatchSettings {
  /** Names the reader in signals. */
  readonly source: string;
  /** Names its requests in recordings; requests of one name share connections. Absent: as `source`. */
  readonly stream?: string;
  /** `/api/v1/events`, `/apis/apps/v1/namespaces/shop/deployments` ... */
  readonly path: string;
  /** Kinds that a bookmark of this stream carries; others move nothing. */
  readonly kinds: readonly string[];
  /** Sent with every request, for selectors. */
  readonly query?: Readonly<Record<string, string>>;
  /** The form in which lists are asked for. Default application/json. */
  readonly acceptList?: string;
  /** The same for watches. Default application/json. */
  readonly acceptWatch?: string;
  /** Everything up to here was handed on in an earlier life. Absent: start afresh. */
  readonly resume?: ResourceVersion;
  /**
   * Everything after here was to be read by an earlier life, whose first list did not end: the list shows what the server still
   * holds, and what was overwritten meanwhile may be missing. Absent: nobody was promised anything.
   */
  readonly listAfter?: ResourceVersion;
  /** Where a fresh start begins: at what the server still holds, or now. Default earliest. */
  readonly startFrom?: 'earliest' | 'now';
  /** Items in a page; 0 asks for all at once. Default 1000. */
  readonly pageItems?: number;
  /** Streaming lists: true, false, or absent to go by the server's version (1.32 or newer). */
  readonly streamingLists?: boolean;
  /** Lists after an expiry come by pages, so that their version is known before their first item. */
  readonly relistByPages?: boolean;
  /** Three watches closed within a second without a byte mean an expired position (events only). */
  readonly closesWhenExpired?: boolean;
  /**
   * Which lines are looked at before they are parsed: `all` pays where most objects are never read, `deleted` where only those
   * are not. Absent: none, every object is read.
   */
  readonly lookAt?: 'all' | 'deleted';
  /** While true nothing is read, and the silence limit stands still. */
  readonly paused?: Observable<boolean>;
}

/** Limits of the reader that nobody has had to change. Milliseconds. */
export const readerLimits = {
  /** The server is asked to end a watch after a random time between these two. */
  watchMinMs: 300_000,
  watchMaxMs: 600_000,
  /** A watch without a byte is closed this long after the server should have. */
  silenceGraceMs: 15_000,
  /** A streaming list that is silent this long is given up for pages. */
  bracketSilenceMs: 60_000,
  /** A page that has not come after this long is given up. Transports have tighter limits of their own. */
  pageMs: 300_000,
  backoffFirstMs: 800,
  backoffMaxMs: 30_000,
  /** A watch that stayed open this long was a good one: the backoff starts over. */
  steadyMs: 10_000,
  /** Closing sooner than this, without a byte, may be how an expired position looks. */
  earlyCloseMs: 1_000,
  earlyClosesMax: 3,
  /** After this many watches without a byte from one position, the store's version is checked. */
  quietWatchesMax: 2,
} as const;
