import { compareVersions } from '../model/resourceVersion.ts';
import type { Write } from './store.ts';

/** A revision as a sink holds it. */
export interface StoredRevision {
  /** Index of the shard that stored it. */
  readonly shard: number;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** A gap record as a sink holds it: versions after `from` up to `to` may be missing. */
export interface StoredGap {
  readonly shard: number;
  readonly from: string;
  readonly to: string;
}

export interface VerdictInput {
  /** Everything that was written; Events that were added or modified are expected, once each. */
  readonly writes: readonly Write[];
  readonly stored: readonly StoredRevision[];
  readonly gaps: readonly StoredGap[];
  /** Index of the shard that owns a write. */
  readonly ownerOf: (write: Write) => number;
}

/** What became of each revision, as `uid@resourceVersion`. */
export interface Verdict {
  readonly expected: number;
  readonly once: number;
  /** Not stored, and inside a gap that its shard declared. */
  readonly inGap: readonly string[];
  /** Not stored, and nobody said so. */
  readonly lost: readonly string[];
  readonly repeated: readonly string[];
  /** Stored by a shard that does not own it. */
  readonly misplaced: readonly string[];
  /** Stored, though it was never written. */
  readonly invented: readonly string[];
  /** Each revision stands once, or inside a declared gap; nothing else stands anywhere. */
  readonly holds: boolean;
}

/** Holds what sinks have against what was written. Knows nothing of how it got there. */
export function verdict({ writes, stored, gaps, ownerOf }: VerdictInput): Verdict {
  const shardsOf = new Map<string, number[]>();
  for (const { shard, uid, resourceVersion } of stored) {
    const key = `${uid}@${resourceVersion}`;
    const shards = shardsOf.get(key);
    if (shards === undefined) shardsOf.set(key, [shard]);
    else shards.push(shard);
  }
  const expected = writes.filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED');
  const inGap: string[] = [];
  const lost: string[] = [];
  const repeated: string[] = [];
  const misplaced: string[] = [];
  let once = 0;
  for (const write of expected) {
    const key = `${write.object.metadata.uid}@${write.resourceVersion}`;
    const shards = shardsOf.get(key) ?? [];
    const owner = ownerOf(write);
    shardsOf.delete(key);
    if (shards.some((shard) => shard !== owner)) misplaced.push(key);
    if (shards.length > 1) repeated.push(key);
    else if (shards.length === 1) once += 1;
    else if (gaps.some((gap) => gap.shard === owner && isInside(write.resourceVersion, gap))) inGap.push(key);
    else lost.push(key);
  }
  const invented = [...shardsOf.keys()];
  const holds = [lost, repeated, misplaced, invented].every((list) => list.length === 0);
  return { expected: expected.length, once, inGap, lost, repeated, misplaced, invented, holds };
}

function isInside(version: string, { from, to }: StoredGap): boolean {
  return compareVersions(version, from) > 0 && compareVersions(version, to) <= 0;
}
