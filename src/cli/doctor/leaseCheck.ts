import { map, type Observable } from 'rxjs';
import type { Shard } from '../../model/shard.ts';
import { isOurs, leaseName, readLease, type ShardLease } from '../../model/shardLease.ts';
import type { LeaseAnswer, LeaseRequests } from '../../transports/leaseRequests.ts';
import type { Finding } from './finding.ts';

/** Who delivers for which shard now, and whether a change of shards is under way. */
export function leaseCheck(app: string, shard: Shard, requests: LeaseRequests): Observable<readonly Finding[]> {
  return requests.list().pipe(
    map((answer): readonly Finding[] => {
      if (answer.type !== 'leases') return [{ state: 'bad', about: 'leases', text: reasonIn(answer), advice }];
      const leases = answer.leases.flatMap((lease) => readLease(app, lease) ?? []).filter((lease) => isOurs(app, lease));
      return [...ownLease(leases, leaseName(app, shard)), ...otherMaps(leases, shard)];
    }),
  );
}

const advice = 'See the rights above; --checkpoint file:PATH keeps the position elsewhere.';

function reasonIn(answer: LeaseAnswer): string {
  if (answer.type === 'refused') return answer.error.message;
  return answer.type === 'unknown' ? answer.reason : 'the answer is no list of leases';
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
