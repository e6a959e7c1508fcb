import { fnv1a64 } from '../model/shard.ts';
import type { PlainObject } from './object.ts';

/** A range of hashes that a list or watch is asked for. */
export interface ShardRange {
  /** As the server writes it back. */
  readonly selector: string;
  holds(object: PlainObject): boolean;
}

const form = /^shardRange\(\s*object\.metadata\.(uid|namespace)\s*,\s*'0x([0-9a-f]{16})'\s*,\s*'0x([0-9a-f]{16}|10000000000000000)'\s*\)$/;

/** Undefined if it is no shard selector; the real server answers 500 to such a one. Source: seen on 1.36.2 with the gate on. */
export function shardSelector(text: string): ShardRange | undefined {
  const [, field, first, end] = form.exec(text) ?? [];
  if (field === undefined || first === undefined || end === undefined) return undefined;
  const [from, to] = [BigInt(`0x${first}`), BigInt(`0x${end}`)];
  return {
    selector: `shardRange(object.metadata.${field}, '0x${first}', '0x${end}')`,
    holds({ metadata }) {
      const { high, low } = fnv1a64((field === 'uid' ? metadata.uid : metadata.namespace) ?? '');
      const hash = (BigInt(high) << 32n) | BigInt(low);
      return hash >= from && hash < to;
    },
  };
}
