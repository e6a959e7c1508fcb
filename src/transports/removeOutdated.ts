import { concatMap, defer, EMPTY, from, ignoreElements, type Observable, repeat, timer } from 'rxjs';
import { isSameMap, outdated } from '../model/handover.ts';
import type { Shard } from '../model/shard.ts';
import type { Runtime } from '../runtime.ts';
import type { LeaseRequests } from './leaseRequests.ts';
import type { FullLeaseStoreSettings } from './leaseStoreSettings.ts';
import { leaseWatch } from './leaseWatch.ts';
import { leasesOf } from './takeOver.ts';

/**
 * Removes leases of earlier maps once every shard of this map has begun, and completes when there are none.
 *
 * Time: looks every `tidyMs` as long as there is one. Errors: none; what cannot be removed now is tried again,
 * and a shard that finds it gone already is content. Never removes one that was written since it was looked at.
 */
export function removeOutdated(
  settings: FullLeaseStoreSettings,
  shard: Required<Shard>,
  requests: LeaseRequests,
  runtime: Runtime,
): Observable<never> {
  return defer(() => {
    const watch = leaseWatch(settings, runtime);
    let areOthers = true;
    const round = defer(() => requests.list()).pipe(
      concatMap((answer) => {
        if (answer.type === 'refused') areOthers = false; // Not allowed is not allowed the next time either.
        if (answer.type !== 'leases') return EMPTY;
        const leases = leasesOf(settings.app, answer.leases);
        areOthers = leases.some((lease) => !isSameMap(lease.shard, shard));
        return from(outdated(shard, watch.see(leases)));
      }),
      concatMap(({ object }) => requests.remove(object)),
      ignoreElements(),
    );
    return round.pipe(repeat({ delay: () => (areOthers ? timer(settings.tidyMs, runtime.scheduler) : EMPTY) }));
  });
}
