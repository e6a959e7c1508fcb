import secondFnv1a from '@sindresorhus/fnv1a';
import { describe, expect, test } from 'vitest';
import { fnv1a32, fnv1a64, owns, type ShardFunction, shardIndex, shardKey, shardTotalMax } from '../../src/model/shard.ts';
import { caseOf } from './cases.ts';
import { chiSquareP, chiSquareTail } from './chiSquare.ts';

const functions: readonly ShardFunction[] = ['fnv1a32-mod', 'fnv1a64-range'];
const totals = Array.from({ length: 15 }, (_, at) => at + 2);

/** Even numbers in [0, 1), the same at each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function keysOf(count: number, key: (at: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, at) => key(at));
}

const words = ['a', 'Z', '-', '/', '0', ' ', '\u0000', '\u00e9', '\u4e2d', '\ud83d\ude80', '\ud800'];

/** Text of up to 60 characters, half of it with some outside ASCII. */
function randomKey(random: () => number): string {
  const pick = (): string => words[Math.floor(random() * words.length)] ?? '';
  const ascii = (): string => String.fromCharCode(32 + Math.floor(random() * 95));
  const anyText = random() < 0.5;
  return Array.from({ length: Math.floor(random() * 60) }, () => (anyText && random() < 0.2 ? pick() : ascii())).join('');
}

function randomUuid(random: () => number): string {
  const hex = (digits: number): string => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[Math.floor(random() * 4)]}${hex(3)}-${hex(12)}`;
}

function wholeHash64(key: string): bigint {
  const { high, low } = fnv1a64(key);
  return (BigInt(high) << 32n) | BigInt(low);
}

interface Vector {
  readonly key: string;
  readonly fnv1a32: string;
  readonly fnv1a64: string;
  readonly [owner: string]: string | number;
}

test('H01: hashes and owners of eight keys under both shard functions', () => {
  const { vectors } = caseOf<{ vectors: readonly Vector[] }>('H01').input;

  const computed = vectors.map(({ key }) => ({
    key,
    fnv1a32: `0x${fnv1a32(key).toString(16).padStart(8, '0')}`,
    mod2: shardIndex(key, 2),
    mod3: shardIndex(key, 3, 'fnv1a32-mod'),
    mod5: shardIndex(key, 5, 'fnv1a32-mod'),
    mod16: shardIndex(key, 16, 'fnv1a32-mod'),
    fnv1a64: `0x${wholeHash64(key).toString(16).padStart(16, '0')}`,
    range2: shardIndex(key, 2, 'fnv1a64-range'),
    range3: shardIndex(key, 3, 'fnv1a64-range'),
    range5: shardIndex(key, 5, 'fnv1a64-range'),
    range16: shardIndex(key, 16, 'fnv1a64-range'),
  }));

  expect(vectors.length).toBe(8);
  expect(computed).toEqual(vectors);
});

describe('against a second implementation, on 100,000 random keys', () => {
  const random = seeded(20_260_504);
  const keys = keysOf(100_000, () => randomKey(random));

  test('both hashes agree, also outside ASCII', () => {
    expect(keys.filter((key) => /[^ -~]/.test(key)).length).toBeGreaterThan(20_000);
    expect(keys.filter((key) => BigInt(fnv1a32(key)) !== secondFnv1a(key, { size: 32 }))).toEqual([]);
    expect(keys.filter((key) => wholeHash64(key) !== secondFnv1a(key, { size: 64 }))).toEqual([]);
  });

  test('both functions find the shard that exact arithmetic finds', () => {
    const exactIndex = (key: string, total: number, shardFunction: ShardFunction): number =>
      shardFunction === 'fnv1a32-mod'
        ? Number(secondFnv1a(key, { size: 32 }) % BigInt(total))
        : Number((secondFnv1a(key, { size: 64 }) * BigInt(total)) >> 64n);

    for (const shardFunction of functions) {
      const odd = keys.filter((key, at) => {
        const total = at % 3 === 0 ? 1 + Math.floor(random() * shardTotalMax) : 1 + (at % 17);
        return shardIndex(key, total, shardFunction) !== exactIndex(key, total, shardFunction);
      });
      expect(odd).toEqual([]);
    }
  });
});

test('each key has exactly one owner, and with one shard everything is owned', () => {
  const random = seeded(7);
  for (const key of keysOf(500, () => randomKey(random))) {
    for (const shardFunction of functions) {
      for (const total of [1, ...totals]) {
        const owners = Array.from({ length: total }, (_, index) => index).filter((index) =>
          owns({ index, total, function: shardFunction }, key),
        );
        expect(owners).toEqual([total === 1 ? 0 : shardIndex(key, total, shardFunction)]);
      }
    }
  }
});

describe('the shard key', () => {
  const involved = { kind: 'Node', namespace: '', name: 'node-1', uid: '' };

  test('is the UID exactly as given', () => {
    expect(shardKey({ involved: { ...involved, uid: ' 0E0E-x ' } })).toBe(' 0E0E-x ');
  });

  test('is namespace/name/kind where there is no UID, with missing parts empty', () => {
    expect(shardKey({ involved })).toBe('/node-1/Node');
    expect(shardKey({ involved: { kind: '', namespace: '', name: '', uid: '' } })).toBe('//');
  });
});

describe('the default function spreads evenly over 2 to 16 shards', () => {
  const random = seeded(1);
  const sets = {
    '10,000 UUIDs': keysOf(10_000, () => randomUuid(random)),
    'keys uid-0 to uid-999': keysOf(1_000, (at) => `uid-${at}`),
    '10,000 names node-0 on': keysOf(10_000, (at) => `node-${at}`),
    '10,000 nodes without a UID': keysOf(10_000, (at) =>
      shardKey({ involved: { kind: 'Node', namespace: '', name: `node-${at}`, uid: '' } }),
    ),
  };

  for (const [title, keys] of Object.entries(sets)) {
    test(title, () => {
      expect(totals.filter((total) => chiSquareP(spread(keys, total)) <= 1e-6)).toEqual([]);
    });
  }
});

test('the ranges of the other function spread UUIDs evenly and clump names that differ at the end', () => {
  const random = seeded(2);
  const uuids = keysOf(10_000, () => randomUuid(random));
  const names = keysOf(1_000, (at) => `node-${at}`);

  expect(totals.filter((total) => chiSquareP(spread(uuids, total, 'fnv1a64-range')) <= 1e-6)).toEqual([]);
  expect(Math.max(...spread(names, 3, 'fnv1a64-range'))).toBe(990);
  expect(chiSquareP(spread(names, 3, 'fnv1a64-range'))).toBeLessThan(1e-6);
});

function spread(keys: readonly string[], total: number, shardFunction?: ShardFunction): readonly number[] {
  const counts = Array.from({ length: total }, () => 0);
  for (const key of keys) {
    const index = shardIndex(key, total, shardFunction);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

test('the chi-square tail agrees with printed tables', () => {
  for (const [degrees, statistic, tail] of [
    [1, 3.841, 0.05],
    [1, 23.928, 1e-6],
    [2, 9.21, 0.01],
    [5, 20.515, 0.001],
    [10, 18.307, 0.05],
    [15, 30.578, 0.01],
  ] as const) {
    expect(chiSquareTail(statistic, degrees) / tail).toBeCloseTo(1, 2);
  }
});
