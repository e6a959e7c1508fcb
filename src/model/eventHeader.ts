import type { Involved } from './involved.ts';
import type { Shard } from './shard.ts';

/** What is known of an Event before its whole is read. Missing parts are empty text. */
export interface EventHeader {
  readonly uid: string;
  /** The Event's own namespace. */
  readonly namespace: string;
  readonly involved: Involved;
}

/** What can be told of an Event by its bytes. */
export interface EventLook {
  /** Undefined: the object is about nothing, so it is no Event or a broken one. */
  header(): EventHeader | undefined;
  /** True if another shard has it for certain. */
  isForeignTo(shard: Shard): boolean;
}
