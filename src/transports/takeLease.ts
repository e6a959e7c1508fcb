import { concatMap, defer, EMPTY, type Observable, throwError } from 'rxjs';
import { PipelineError } from '../errors.ts';
import { fullJitter } from '../model/backoff.ts';
import { type CheckpointMeaning, checkMeaning } from '../model/checkpoint.ts';
import { isOurs, type LeaseContent, type LeaseObject, leaseName, newLease, readLease, type ShardLease } from '../model/shardLease.ts';
import type { Runtime } from '../runtime.ts';
import type { LeaseRequests } from './leaseRequests.ts';
import type { FullLeaseStoreSettings } from './leaseStoreSettings.ts';
import { leaseWatch } from './leaseWatch.ts';
import type { OwnLease } from './ownLease.ts';
import { storedIn } from './storedIn.ts';
import { untilEmits } from './untilEmits.ts';

/**
 * Takes the lease of the shard as soon as it is free, and emits it once.
 *
 * Time: looks every `lookMs` while another holds it; full-jitter waits while nobody answers. Errors: a stored
 * checkpoint that means something else is refused before anything is taken; denied access.
 * To hold the lease is to be announced. Whether its shard may deliver is another question.
 */
export function takeLease(
  settings: FullLeaseStoreSettings,
  meaning: CheckpointMeaning,
  requests: LeaseRequests,
  own: OwnLease,
  runtime: Runtime,
): Observable<ShardLease> {
  const { app, namespace } = settings;
  const name = leaseName(app, meaning.shard);
  return defer(() => {
    const watch = leaseWatch(settings, runtime);
    let [waitMs, failures, told] = [0, 0, false];
    const backOff = (): void => {
      failures += 1;
      waitMs = fullJitter(failures, settings.retry, () => runtime.random());
    };
    /** Emits nothing if the outcome is not known, or another was faster: then it is looked at again. */
    const take = (object: LeaseObject, content?: LeaseContent): Observable<ShardLease> => {
      backOff();
      return own.take(object, content);
    };

    const found = (lease: ShardLease): Observable<ShardLease> => {
      const stored = settings.reset ? undefined : storedIn(lease);
      if (stored !== undefined) checkMeaning(stored, meaning);
      const [seen] = watch.see([lease]);
      if (seen?.holder !== 'alive') return take(lease.object, lease.content);
      failures = 0;
      waitMs = watch.waitMs();
      if (!told) runtime.signal({ type: 'shardWaiting', cause: 'held', claim: name, holder: lease.content.holder });
      told = true;
      return EMPTY;
    };
    const step = (): Observable<ShardLease> =>
      requests.get(name).pipe(
        concatMap((answer) => {
          if (answer.type === 'missing') return take(newLease(app, namespace, meaning.shard));
          if (answer.type === 'refused') return throwError(() => answer.error);
          const lease = answer.type === 'lease' ? readLease(app, answer.lease) : undefined;
          if (lease !== undefined) return isOurs(app, lease) || settings.reset ? found(lease) : throwError(() => foreign(name));
          watch.missed();
          backOff();
          const reason = answer.type === 'unknown' ? answer.reason : `an answer to another question: ${answer.type}`;
          runtime.signal({ type: 'claimRetrying', reason, attempt: failures, waitMs });
          return EMPTY;
        }),
      );
    return untilEmits(step, () => waitMs, runtime);
  });
}

function foreign(name: string): PipelineError {
  const ways = 'rename or delete it, or take it over with --checkpoint-reset';
  return new PipelineError('CHECKPOINT_INVALID', `lease ${name} exists, but no shard of this app has made it; ${ways}`);
}
