import { describe, expect, it } from 'vitest';
import { rangeIndex } from '../../src/model/shard.ts';
import { isServerSharded, podShardSelector } from '../../src/model/shardRange.ts';

const ends = (index: number, total: number): readonly bigint[] =>
  [...podShardSelector({ index, total }).matchAll(/'(0x[0-9a-f]+)'/g)].map(([, hash = '']) => BigInt(hash));

const halves = (hash: bigint): { high: number; low: number } => ({ high: Number(hash >> 32n), low: Number(hash & 0xffff_ffffn) });

describe('podShardSelector', () => {
  it('has 16 lower-case digits each, and 17 for the end of the last range', () => {
    expect([0, 1, 2].map((index) => podShardSelector({ index, total: 3 }))).toEqual([
      "shardRange(object.metadata.uid, '0x0000000000000000', '0x5555555555555556')",
      "shardRange(object.metadata.uid, '0x5555555555555556', '0xaaaaaaaaaaaaaaab')",
      "shardRange(object.metadata.uid, '0xaaaaaaaaaaaaaaab', '0x10000000000000000')",
    ]);
  });

  it('begins each range at the first hash that this program gives to the shard, whatever the total', () => {
    for (const total of [2, 3, 5, 7, 16, 100, 1_000, 65_536]) {
      for (const index of [0, 1, total >> 1, total - 1]) {
        const [first = 0n, end = 0n] = ends(index, total);
        expect([total, index, rangeIndex(halves(first), total), rangeIndex(halves(end - 1n), total)]).toEqual([total, index, index, index]);
        if (index + 1 < total) expect(ends(index + 1, total)[0]).toBe(end);
      }
    }
  });
});

describe('isServerSharded', () => {
  it('is true only of several shards by the function that the server has as well', () => {
    expect(isServerSharded({ index: 0, total: 3, function: 'fnv1a64-range' })).toBe(true);
    expect(isServerSharded({ index: 0, total: 1, function: 'fnv1a64-range' })).toBe(false);
    expect(isServerSharded({ index: 0, total: 3, function: 'fnv1a32-mod' })).toBe(false);
    expect(isServerSharded({ index: 0, total: 3 })).toBe(false);
  });
});
