import type { Involved } from '../model/occurrence.ts';
import type { SlimPod } from '../model/owner.ts';
import { fnv1a32, fnv1a64, rangeIndex, type ShardFunction, shardKey } from '../model/shard.ts';

/** How one number of shards would divide what was read. */
export interface Split {
  readonly function: ShardFunction;
  readonly total: number;
  /** By index. */
  readonly events: readonly number[];
  readonly pods: readonly number[];
}

export interface ShardSplit {
  addEvent(about: { readonly involved: Involved }): void;
  /** Counts each pod once, by its UID. */
  addPod(pod: SlimPod): void;
  splits(): readonly Split[];
  /** Pods seen. */
  pods(): number;
  /** True if there were more pods than can be told apart: the pods are only the first of them. */
  isPodsLimited(): boolean;
}

export interface ShardSplitSettings {
  /** Splits into 1 up to this many. Default 16. */
  readonly totalMax?: number;
  /** Pods that are told apart. Default 1,000,000. */
  readonly podsMax?: number;
}

interface Counters {
  readonly function: ShardFunction;
  readonly total: number;
  readonly events: number[];
  readonly pods: number[];
}

/** Counts events and pods by the shard that would have them, for both functions and every number of shards. */
export function shardSplit({ totalMax = 16, podsMax = 1_000_000 }: ShardSplitSettings = {}): ShardSplit {
  const functions: readonly ShardFunction[] = ['fnv1a32-mod', 'fnv1a64-range'];
  const all = functions.flatMap((name) =>
    Array.from({ length: totalMax }, (_, index): Counters => {
      const total = index + 1;
      return { function: name, total, events: new Array<number>(total).fill(0), pods: new Array<number>(total).fill(0) };
    }),
  );
  // A hash takes a fraction of the memory of a UID, and two of a million are equal once in 10,000 runs.
  const seen = new Set<number>();
  let limited = false;

  return {
    addEvent(about) {
      const ownerIn = owners(shardKey(about));
      for (const split of all) increment(split.events, ownerIn(split));
    },
    addPod({ uid, mirror }) {
      const { high, low } = fnv1a64(uid);
      const identity = high * 2 ** 21 + (low >>> 11);
      if (seen.has(identity)) return;
      limited ||= seen.size >= podsMax;
      if (limited) return;
      seen.add(identity);
      const [byUid, byMirror] = [owners(uid), mirror === undefined ? undefined : owners(mirror)];
      for (const split of all) {
        const own = byUid(split);
        const twin = byMirror?.(split) ?? own;
        increment(split.pods, own);
        if (twin !== own) increment(split.pods, twin); // Events come under both names of a static pod.
      }
    },
    splits: () => all,
    pods: () => seen.size,
    isPodsLimited: () => limited,
  };
}

/** Hashes once for all numbers of shards. */
function owners(key: string): (split: Pick<Split, 'function' | 'total'>) => number {
  const hash32 = fnv1a32(key);
  const hash64 = fnv1a64(key);
  return (split) => (split.function === 'fnv1a32-mod' ? hash32 % split.total : rangeIndex(hash64, split.total));
}

function increment(counts: number[], index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

/** The busiest share against an even one: 1 is even, 2 is twice as much as it would be. 1 if there is nothing. */
export function skew(counts: readonly number[]): number {
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum === 0 ? 1 : (Math.max(...counts) * counts.length) / sum;
}
