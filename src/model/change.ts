import type { EventLook } from './eventHeader.ts';
import type { ResourceVersion } from './resourceVersion.ts';

/**
 * An object as it was received. `read` may parse, and throws PipelineError UNDECODABLE if it cannot; until it has been
 * called a body may keep the whole chunk that it came in, so whoever keeps a body for a while reads it first.
 * `T` is what the reader was asked for; nothing checks that the server kept to it.
 */
export interface Body<T = unknown> {
  /** Size on the wire, in bytes. */
  readonly bytes: number;
  readonly read: () => T;
  /** What a look at the received bytes has found. Absent: `read` tells. */
  readonly look?: EventLook | undefined;
}

/** Why a reader lists. `expired`: its position is compacted; `restored`: the store went back in time. */
export type RelistCause = 'start' | 'expired' | 'restored';

/** What is known at the start of a list, for whoever has to judge whether something may be missing. */
export interface RelistStarted {
  readonly type: 'relistStarted';
  readonly cause: RelistCause;
  /** The position before the list. Absent: nothing was read before. */
  readonly position?: ResourceVersion;
  /** The list's own version, when the server told it before the first item. */
  readonly resourceVersion?: ResourceVersion;
  /** Milliseconds without an open watch. Absent: unknown, or nothing was read before. */
  readonly unwatchedMs?: number;
  /** Time of the list answer by the server's Date header, RFC 3339. */
  readonly date?: string;
}

/** All items of the list have been handed on; the position is now the list's version. */
export interface RelistDone {
  readonly type: 'relistDone';
  readonly resourceVersion: ResourceVersion;
}

/** Only moves the position. Made by the server, or where an item of this version is left out. */
export interface Bookmark {
  readonly type: 'bookmark';
  readonly resourceVersion: ResourceVersion;
  /** True if another item follows before this turn is over. Absent: nobody knows. */
  readonly followed?: true | undefined;
}

/**
 * Versions after `from` up to `to` of which some may not have been read.
 * `from` may be greater than `to` only when the store was restored.
 */
export interface Gap {
  readonly type: 'gap';
  readonly cause: 'expired' | 'restored' | 'unwatched';
  readonly from: ResourceVersion;
  readonly to: ResourceVersion;
  /** RFC 3339, from the server's Date header. */
  readonly date: string;
  /** Whose revisions may be missing. Absent: anybody's. */
  readonly shard?: { readonly index: number; readonly total: number };
}

/** An object written or seen. `listed` items come in the server's order, not in version order. */
export interface ObjectChange<T = unknown> {
  readonly type: 'added' | 'modified' | 'deleted' | 'listed';
  readonly resourceVersion: ResourceVersion;
  readonly body: Body<T>;
  /** True if another item follows before this turn is over. Absent: nobody knows. */
  readonly followed?: true | undefined;
}

/**
 * One item of a list/watch stream. A list is a bracket of `listed` items between `relistStarted`
 * and `relistDone`; a bracket that is cut short is followed by another `relistStarted`.
 */
export type Change<T = unknown> = RelistStarted | RelistDone | Bookmark | ObjectChange<T>;

/** The control item that only moves the position. */
export function bookmark(resourceVersion: ResourceVersion, followed?: true): Bookmark {
  return { type: 'bookmark', resourceVersion, followed };
}
