import type { Involved } from './involved.ts';

/** How a key finds its shard. All containers of one set must use the same. */
export type ShardFunction = 'fnv1a32-mod' | 'fnv1a64-range';

/** One container's slice. `index` is 0-based and below `total`. */
export interface Shard {
  readonly index: number;
  readonly total: number;
  /** Absent: fnv1a32-mod. */
  readonly function?: ShardFunction;
}

/** Keeps the arithmetic of both functions exact in doubles. */
export const shardTotalMax = 65_536;

const twoTo32 = 4_294_967_296;
const utf8 = new TextEncoder();

/**
 * Names the object an event is about: its UID exactly as given (static pods carry a config hash,
 * kube-proxy a node name), or `namespace/name/kind` where there is none (taint evictions, node events).
 */
export function shardKey(about: { readonly involved: Involved }): string {
  const { uid, namespace, name, kind } = about.involved;
  return uid === '' ? `${namespace}/${name}/${kind}` : uid;
}

/** True if this shard owns the key. Exactly one index of each total does. */
export function owns(shard: Shard, key: string): boolean {
  return shard.total === 1 || shardIndex(key, shard.total, shard.function) === shard.index;
}

/** Index of the shard that owns the key, in [0, total). */
export function shardIndex(key: string, total: number, shardFunction: ShardFunction = 'fnv1a32-mod'): number {
  switch (shardFunction) {
    case 'fnv1a32-mod':
      return fnv1a32(key) % total;
    case 'fnv1a64-range':
      return rangeIndex(fnv1a64(key), total);
  }
}

/** The same as `owns`, of a key that lies as UTF-8 in `bytes`: for the lines of other shards no text is made. */
export function ownsBytes(shard: Shard, bytes: Uint8Array, start: number, end: number): boolean {
  const { index, total } = shard;
  if (total === 1) return true;
  if (shard.function === 'fnv1a64-range') return rangeIndex(fnv1a64OfBytes(bytes, start, end), total) === index;
  return fnv1a32OfBytes(bytes, start, end) % total === index;
}

/** Which of `total` equal ranges of 64 bits a hash lies in. */
export function rangeIndex({ high, low }: Fnv1a64, total: number): number {
  return Math.floor((high * total + Math.floor((low * total) / twoTo32)) / twoTo32);
}

/** 32-bit FNV-1a over the key's UTF-8 bytes, unsigned. Source: draft-eastlake-fnv. */
export function fnv1a32(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    if (code > 127) {
      const bytes = utf8.encode(key);
      return fnv1a32OfBytes(bytes, 0, bytes.length);
    }
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

function fnv1a32OfBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash >>> 0;
}

/** Two unsigned halves. */
interface Fnv1a64 {
  readonly high: number;
  readonly low: number;
}

/** 64-bit FNV-1a over the key's UTF-8 bytes. */
export function fnv1a64(key: string): Fnv1a64 {
  const bytes = utf8.encode(key);
  return fnv1a64OfBytes(bytes, 0, bytes.length);
}

/**
 * The prime is 2^40 + 0x1b3, so every product below stays under 2^53 and needs no BigInt. Source: draft-eastlake-fnv.
 */
function fnv1a64OfBytes(bytes: Uint8Array, start: number, end: number): Fnv1a64 {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let at = start; at < end; at++) {
    const mixed = (low ^ (bytes[at] as number)) >>> 0;
    const product = mixed * 0x1b3;
    const carry = Math.floor(product / twoTo32);
    high = (high * 0x1b3 + carry + mixed * 0x100) % twoTo32;
    low = product % twoTo32;
  }
  return { high, low };
}
