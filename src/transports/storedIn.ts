import type { Checkpoint } from '../model/checkpoint.ts';
import { readCheckpoint } from '../model/checkpointText.ts';
import type { ShardLease } from '../model/shardLease.ts';

/** The checkpoint in a lease, if there is one. Throws CHECKPOINT_INVALID if it cannot be read. */
export function storedIn({ name, content: { checkpoint } }: ShardLease): Checkpoint | undefined {
  return checkpoint === undefined ? undefined : readCheckpoint(checkpoint, `lease ${name}`);
}
