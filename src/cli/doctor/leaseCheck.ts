import { map, type Observable } from 'rxjs';
import type { Shard } from '../../model/shard.ts';
import { appLabel, isOurs, type LeaseObject, leaseName, leaseType, readLease, type ShardLease } from '../../model/shardLease.ts';
import type { Ask } from './ask.ts';
import type { Finding } from './finding.ts';

export interface LeaseCheckSettings {
  readonly app: string;
  readonly namespace: string;
  readonly shard: Shard;
}

/** Who delivers for which shard now, and whether a change of shards is under way. */
export function leaseCheck({ app, namespace, shard }: LeaseCheckSettings, ask: Ask): Observable<readonly Finding[]> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  return ask({ path, query: { labelSelector: `${appLabel}=${app}` }, accept: 'application/json' }).pipe(
    map((asked): readonly Finding[] => {
      if (asked.type === 'failure')
        return [
          {
            state: 'bad',
            about: 'leases',
            text: asked.reason,
            advice: 'See the rights above; --checkpoint file:PATH keeps the position elsewhere.',
          },
        ];
      const { items = [] } = (asked.body ?? {}) as { readonly items?: readonly LeaseObject[] };
      const leases = items.flatMap((item) => readLease(app, { ...leaseType, ...item }) ?? []).filter((lease) => isOurs(app, lease));
      return [...ownLease(leases, leaseName(app, shard)), ...otherMaps(leases, shard)];
    }),
  );
}

function ownLease(leases: readonly ShardLease[], name: string): readonly Finding[] {
  const own = leases.find((lease) => lease.name === name);
  if (own === undefined) return [{ state: 'ok', about: 'lease', text: `${name} is not there yet; the shard makes it when it starts` }];
  const { holder, state, checkpoint, renewedAt } = own.content;
  const held = holder === '' ? 'held by nobody' : `held by ${holder}, renewed ${renewedAt ?? 'never'}`;
  return [
    {
      state: 'ok',
      about: 'lease',
      text: `${name} is ${state}, ${held}, ${checkpoint === undefined ? 'without a checkpoint' : 'with a checkpoint'}`,
    },
  ];
}

function otherMaps(leases: readonly ShardLease[], { total, function: wanted = 'fnv1a32-mod' }: Shard): readonly Finding[] {
  const others = leases.filter(({ shard }) => shard.total !== total || shard.function !== wanted);
  const held = others.filter(({ content }) => content.holder !== '');
  if (held.length === 0) return [];
  const names = held.map(({ name }) => name).join(', ');
  return [
    {
      state: 'note',
      about: 'leases',
      text: `other maps of shards are held: ${names}`,
      advice: 'A change of --total-shards or --shard-function is under way: new shards wait until the old ones have ended.',
    },
  ];
}
