import { defer, EMPTY, of } from 'rxjs';
import type { Checkpoint } from '../model/checkpoint.ts';
import type { CheckpointStore } from '../ports.ts';

/** Keeps the checkpoint in this process: for tests, and for restarts that share the process. */
export function memoryStore(stored?: Checkpoint): CheckpointStore {
  let kept = stored;
  return {
    load: () => defer(() => of(kept)),
    save: (checkpoint) =>
      defer(() => {
        kept = checkpoint;
        return EMPTY;
      }),
  };
}

/** Keeps nothing: every start is a first start. */
export function noStore(): CheckpointStore {
  return { load: () => of(undefined), save: () => EMPTY };
}
