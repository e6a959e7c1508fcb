import type { Shard } from './shard.ts';
import type { LeaseState, ShardLease } from './shardLease.ts';

/** A lease, and what its holder looks like from here. */
export interface SeenLease {
  readonly lease: ShardLease;
  /** `silent`: held, but not renewed for so long that its holder counts as dead. */
  readonly holder: 'nobody' | 'alive' | 'silent';
}

/** What a shard that has announced itself does next. */
export type Step =
  /** May deliver, as soon as its own lease says so. */
  | { readonly type: 'enter' }
  /** Look again later: this one may be delivering, or may be about to. */
  | { readonly type: 'wait'; readonly for: ShardLease }
  /** Take away the right to deliver from these, then look again. */
  | { readonly type: 'supersede'; readonly leases: readonly ShardLease[] };

/**
 * Decides for a shard that holds its own lease without the right to deliver, by a look at all leases of the app that
 * was made after it had announced itself. The promise: all leases with that right belong to one shard map.
 *
 * If its own map has the right already, it joins. Otherwise every other map must be out of the way: no
 * holder alive, and no lease with the right or with a holder left. Whoever waits holds its own lease meanwhile,
 * so of two maps that start at once each sees the other, or one of them does.
 */
export function nextStep(shard: Required<Shard>, leases: readonly SeenLease[]): Step {
  const mates = leases.filter(({ lease }) => isSameMap(lease.shard, shard) && lease.shard.index !== shard.index);
  if (mates.some(({ lease }) => lease.content.state === 'current')) return { type: 'enter' };
  const others = leases.filter(({ lease }) => !isSameMap(lease.shard, shard));
  const alive = others.find(({ holder }) => holder === 'alive');
  if (alive !== undefined) return { type: 'wait', for: alive.lease };
  const left = others.filter(({ lease, holder }) => holder !== 'nobody' || lease.content.state === 'current');
  return left.length === 0 ? { type: 'enter' } : { type: 'supersede', leases: left.map(({ lease }) => lease) };
}

/** The state of a lease whose right to deliver is taken away. Who never had it goes on waiting. */
export function supersededState(state: LeaseState): LeaseState {
  return state === 'current' ? 'superseded' : state;
}

/**
 * Leases of other maps that are of no use any more. None as long as a shard of this map has not begun: it still has to
 * read there where its keys stand. Then those without the right to deliver whose holder is gone.
 */
export function outdated(shard: Required<Shard>, leases: readonly SeenLease[]): readonly ShardLease[] {
  const begun = leases.filter(
    ({ lease: { shard: own, content } }) => isSameMap(own, shard) && content.state === 'current' && content.checkpoint !== undefined,
  );
  if (begun.length < shard.total) return [];
  return leases
    .filter(({ lease, holder }) => !isSameMap(lease.shard, shard) && lease.content.state !== 'current' && holder !== 'alive')
    .map(({ lease }) => lease);
}

export function isSameMap(a: Required<Shard>, b: Required<Shard>): boolean {
  return a.total === b.total && a.function === b.function;
}
