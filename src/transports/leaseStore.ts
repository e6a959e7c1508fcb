import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  ignoreElements,
  merge,
  type Observable,
  of,
  retry,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { messageOf, PipelineError } from '../errors.ts';
import type { Checkpoint, CheckpointMeaning } from '../model/checkpoint.ts';
import { checkpointText } from '../model/checkpointText.ts';
import { appFault, type ShardLease } from '../model/shardLease.ts';
import type { CheckpointStore, KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { leaseRequests } from './leaseRequests.ts';
import { type LeaseStoreSettings, withLeaseDefaults } from './leaseStoreSettings.ts';
import { ownLease } from './ownLease.ts';
import { removeOutdated } from './removeOutdated.ts';
import { storedIn } from './storedIn.ts';
import { takeLease } from './takeLease.ts';
import { takeOver } from './takeOver.ts';

export type { LeaseStoreSettings } from './leaseStoreSettings.ts';

/**
 * Keeps the checkpoint of a shard in a coordination.k8s.io Lease, which is also the claim to deliver for it.
 *
 * State: the lease as last written. Time: see the settings. Requests go by the stream name `leases`, so they have
 * connections of their own.
 * `hold` takes the shard's lease when nobody holds it, when this pod does, or when its holder has been silent for
 * `silentMs`, and then takes over from other shard maps if its lease gives no right to deliver (takeOver).
 * While nobody answers, a holder goes on delivering and goes on trying.
 * Errors: SHARD_HELD, CHECKPOINT_INVALID, LEASES_FORBIDDEN before the shard was held, LEASE_REFUSED, CONFIG_INVALID for
 * a name that no lease can have.
 */
export function leaseStore(given: LeaseStoreSettings, transport: KubeTransport, runtime: Runtime): CheckpointStore {
  const settings = withLeaseDefaults(given);
  const requests = leaseRequests(settings, transport, runtime);
  const own = ownLease(settings, requests, runtime);

  const entered = (taken: ShardLease, meaning: CheckpointMeaning, startedMs: number): Observable<Checkpoint | undefined> => {
    const held = (takenOver: boolean): void => {
      const { name, content } = taken;
      const waitedMs = runtime.scheduler.now() - startedMs;
      runtime.signal({ type: 'shardHeld', claim: name, token: content.token, takenOver, waitedMs });
    };
    if (taken.content.state === 'current' && !settings.reset) {
      return defer(() => of(storedIn(taken))).pipe(tap(() => held(false)));
    }
    return takeOver(settings, meaning, requests, own, runtime).pipe(tap(() => held(true)));
  };

  return {
    hold: (meaning) =>
      defer(() => {
        const startedMs = runtime.scheduler.now();
        let holds = false;
        // Before the shard is ours, to lose the lease is only to wait again.
        const again = (error: unknown): Observable<unknown> =>
          !holds && error instanceof PipelineError && error.code === 'SHARD_HELD'
            ? timer(settings.lookMs, runtime.scheduler)
            : throwError(() => error);
        const fault = appFault(settings.app);
        if (fault !== undefined) throw new PipelineError('CONFIG_INVALID', fault);
        return takeLease(settings, meaning, requests, own, runtime).pipe(
          concatMap((taken) => {
            const starts = entered(taken, meaning, startedMs).pipe(
              tap(() => {
                holds = true;
              }),
            );
            return merge(own.renewals(), concat(starts, removeOutdated(settings, meaning.shard, requests, runtime)));
          }),
          retry({ delay: again }),
        );
      }),
    save: (checkpoint) => own.write(() => ({ checkpoint: checkpointText(checkpoint) })).pipe(ignoreElements()),
    release: () => {
      const notGiven = (why: string): Observable<never> => {
        runtime.signal({ type: 'warning', text: `the shard was not given up, so its next holder waits until it counts as silent: ${why}` });
        return EMPTY;
      };
      return own.giveUp().pipe(
        timeout({ first: settings.releaseMs, scheduler: runtime.scheduler, with: () => notGiven(`no answer in ${settings.releaseMs} ms`) }),
        catchError((error: unknown) => notGiven(messageOf(error))),
      );
    },
  };
}
