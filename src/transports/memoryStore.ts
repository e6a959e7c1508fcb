import { concat, defer, EMPTY, NEVER, of } from 'rxjs';
import { type Checkpoint, checkMeaning } from '../model/checkpoint.ts';
import type { CheckpointStore } from '../ports.ts';

/** Keeps the checkpoint in this process: for tests, and for restarts that share the process. */
export function memoryStore(stored?: Checkpoint): CheckpointStore {
  let kept = stored;
  return {
    hold: (meaning) =>
      defer(() => {
        if (kept !== undefined) checkMeaning(kept, meaning);
        return concat(of(kept), NEVER);
      }),
    save: (checkpoint) =>
      defer(() => {
        kept = checkpoint;
        return EMPTY;
      }),
    release: () => EMPTY,
  };
}

/** Keeps nothing: every start is a first start. */
export function noStore(): CheckpointStore {
  return { hold: () => concat(of(undefined), NEVER), save: () => EMPTY, release: () => EMPTY };
}
