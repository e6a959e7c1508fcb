import type { Shard } from './shard.ts';

const twoTo64 = 2n ** 64n;

/** True if an API server can divide pods as this shard's function does. */
export function isServerSharded({ total, function: shardFunction }: Shard): boolean {
  return total > 1 && shardFunction === 'fnv1a64-range';
}

/**
 * The selector by which an API server leaves out the pods of other shards: hashes from the first to before the second. Exactly
 * 16 lower-case digits, and 17 for the end of the last range, or it answers 500. Source: KEP-5866, alpha in Kubernetes 1.36.
 */
export function podShardSelector({ index, total }: Shard): string {
  return `shardRange(object.metadata.uid, '${hex(firstHash(index, total))}', '${hex(firstHash(index + 1, total))}')`;
}

/** The least 64-bit hash of a range. */
function firstHash(index: number, total: number): bigint {
  return (BigInt(index) * twoTo64 + BigInt(total) - 1n) / BigInt(total);
}

function hex(hash: bigint): string {
  return `0x${hash.toString(16).padStart(16, '0')}`;
}
