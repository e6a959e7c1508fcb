import { catchError, defer } from 'rxjs';
import { PipelineError } from '../errors.ts';
import type { CheckpointStore } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { noStore } from './memoryStore.ts';

/**
 * The store, or none if it turns out at the start that leases are forbidden: for who takes the place of a program
 * that keeps no position, with its service account. Says so.
 *
 * State: which of the two it is. Errors: those of the store, but for LEASES_FORBIDDEN, which comes before the shard is held.
 */
export function storeIfAllowed(store: CheckpointStore, runtime: Runtime): CheckpointStore {
  let used = store;
  return {
    hold: (meaning) =>
      store.hold(meaning).pipe(
        catchError((error: unknown) => {
          if (!(error instanceof PipelineError && error.code === 'LEASES_FORBIDDEN')) throw error;
          runtime.signal({ type: 'warning', text: `no checkpoint is kept, and no other process is kept off this shard: ${error.message}` });
          used = noStore();
          return used.hold(meaning);
        }),
      ),
    save: (checkpoint) => defer(() => used.save(checkpoint)),
    release: () => defer(() => used.release()),
  };
}
