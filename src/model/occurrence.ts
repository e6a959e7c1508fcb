import type { Bookmark, Gap, RelistDone, RelistStarted } from './change.ts';
import type { Involved } from './involved.ts';
import type { EventObject } from './kube.ts';
import type { ResourceVersion } from './resourceVersion.ts';

export { bookmark } from './change.ts';
export type { Involved } from './involved.ts';

/**
 * One revision of an Event as a list or a watch line told it: a header, and `read` for the rest.
 * Identity: `uid` and `resourceVersion` together.
 */
export interface Occurrence {
  readonly type: 'occurrence';
  readonly change: 'added' | 'modified' | 'listed';
  readonly uid: string;
  readonly resourceVersion: ResourceVersion;
  /** The Event's own namespace, empty if it has none. */
  readonly namespace: string;
  readonly involved: Involved;
  /** Size on the wire, in bytes. */
  readonly bytes: number;
  /** The whole Event. Throws PipelineError UNDECODABLE if it cannot be had. */
  read(): EventObject;
}

/** An occurrence of which a look at its line has told that another shard has it: nothing else is known of it. */
export interface Foreign {
  readonly type: 'foreign';
  readonly resourceVersion: ResourceVersion;
  /** True if another item follows before this turn is over. Absent: nobody knows. */
  readonly followed?: true | undefined;
}

/** What travels through the operators: occurrences, and control items that keep their place. */
export type Item = Occurrence | RelistStarted | RelistDone | Bookmark | Gap;
