import { describe, expect, test } from 'vitest';
import { type Checkpoint, checkpointFormat, type Generation, type Position } from '../../src/model/checkpoint.ts';
import { claimsOf, inheritance } from '../../src/model/claims.ts';
import type { Shard, ShardFunction } from '../../src/model/shard.ts';

/** `7` is version 7, `e` is earliest, `-` is none; `'7` belongs to the next incarnation of the store. */
function position(text: string): Position | null {
  if (text === '-') return null;
  const incarnation = text.length - text.replaceAll("'", '').length;
  const at = text.replaceAll("'", '');
  return { at: at === 'e' ? 'earliest' : at, incarnation };
}

function shardOf(name: string): Required<Shard> {
  const [, index = '', total = '', letter] = /^(\d+)\/(\d+)(r?)$/.exec(name) ?? [];
  return { index: Number(index), total: Number(total), function: letter === 'r' ? 'fnv1a64-range' : 'fnv1a32-mod' };
}

function generation(total: number, vector: string, shardFunction: ShardFunction = 'fnv1a32-mod', scope = ''): Generation {
  return { total, function: shardFunction, positions: { [scope]: vector.split(' ').map(position) } };
}

/** A checkpoint of shard `0/3` (`0/3r` by the other function) at a position. */
function checkpoint(shard: string, at: string, inherited: readonly Generation[] = [], scope = ''): Checkpoint {
  const positions = { [scope]: position(at) as Position };
  const more = inherited.length === 0 ? {} : { inherited };
  return { format: checkpointFormat, shard: shardOf(shard), selectors: { label: '', field: '' }, sink: 'memory', positions, ...more };
}

describe('claims', () => {
  test('of the shards of a map are one vector', () => {
    expect(claimsOf([checkpoint('2/3', '30'), checkpoint('0/3', '10')])).toEqual([generation(3, '10 - 30')]);
  });

  test('of other maps and functions stay apart', () => {
    expect(claimsOf([checkpoint('0/2', '10'), checkpoint('1/3', '20'), checkpoint('0/2r', '30')])).toEqual([
      generation(2, '10 -'),
      generation(3, '- 20 -'),
      generation(2, '30 -', 'fnv1a64-range'),
    ]);
  });

  test('that were inherited count like those that were read, the furthest of each shard', () => {
    const older = checkpoint('0/2', '50', [generation(3, '10 25 -'), generation(5, 'e 1 1 1 1')]);
    const newer = checkpoint('1/2', '60', [generation(3, '15 20 30')]);
    expect(claimsOf([older, newer, checkpoint('1/3', '9')])).toEqual([
      generation(2, '50 60'),
      generation(3, '15 25 30'),
      generation(5, 'e 1 1 1 1'),
    ]);
  });

  test('compare as versions, not as text, and those of a later incarnation of the store win', () => {
    expect(claimsOf([checkpoint('0/1', '9'), checkpoint('0/1', '10')])).toEqual([generation(1, '10')]);
    expect(claimsOf([checkpoint('0/1', '10'), checkpoint('0/1', '9')])).toEqual([generation(1, '10')]);
    expect(claimsOf([checkpoint('0/1', "'e"), checkpoint('0/1', '10')])).toEqual([generation(1, "'e")]);
    expect(claimsOf([checkpoint('0/1', '10'), checkpoint('0/1', "'9")])).toEqual([generation(1, "'9")]);
    expect(claimsOf([checkpoint('0/1', 'e'), checkpoint('0/1', '10')])).toEqual([generation(1, '10')]);
  });
});

describe('the start of a shard', () => {
  const startOf = (shard: string, claims: readonly Generation[]): unknown => inheritance(shardOf(shard), claims);
  const at = (text: string, inherited: readonly Generation[] = []): unknown => ({ positions: { '': position(text) }, inherited });

  test('is open where nothing was ever claimed', () => {
    expect(startOf('0/3', [])).toBeUndefined();
  });

  const three = generation(3, '10 20 30');
  const partly = generation(5, '110 - 120 - -');
  test.each<[string, string, readonly Generation[], unknown]>([
    ['its own claim', '1/3', [three], at('20')],
    ['the least claim of another map', '1/5', [three], at('10', [three])],
    ['the least claim by number', '0/1', [generation(2, '100 99')], at('99', [generation(2, '100 99')])],
    ['earliest, if a shard of the only other map never began', '0/1', [generation(2, '10 -')], at('e', [generation(2, '10 -')])],
    ['earliest, if a shard of it has begun and come nowhere', '0/1', [generation(2, '10 e')], at('e', [generation(2, '10 e')])],
    ['what the map before knows, where a shard of the last map never began', '1/2', [three, partly], at('10', [three, partly])],
    ['its own claim, when it comes back to a map whose successor was half there', '2/3', [three, partly], at('30', [partly])],
    [
      'the least of a later map, when that is further than its own claim',
      '0/3',
      [three, generation(2, '70 60')],
      at('60', [generation(2, '70 60')]),
    ],
    ['its own claim, when that is further than the least of an earlier map', '0/2', [three, generation(2, '70 -')], at('70')],
    ['its own claim alone, not that of its neighbours', '0/3', [generation(3, '- 20 30')], at('e')],
    ['nothing of another function', '0/3r', [three], at('10', [three])],
    ['earliest of the newest incarnation, when shards saw different ones', '0/1', [generation(2, "10 'e")], at("'e", [])],
    ['only what the newest incarnation claims', '0/1', [three, generation(2, "'7 '8")], at("'7", [generation(2, "'7 '8")])],
  ])('is %s', (_, shard, claims, start) => {
    expect(startOf(shard, claims)).toEqual(start);
  });

  test('is found for each namespace by itself', () => {
    const shop = generation(2, '5 7', 'fnv1a32-mod', 'shop');
    const data = generation(2, '9 -', 'fnv1a32-mod', 'data');
    const both: Generation = { ...shop, positions: { ...shop.positions, ...data.positions } };
    expect(startOf('0/3', [both])).toEqual({ positions: { shop: position('5'), data: position('e') }, inherited: [both] });
  });

  test('leaves out generations that say nothing beyond it', () => {
    const passed = generation(4, '1 2 3 10');
    expect(startOf('0/5', [three, passed])).toEqual(at('10', [three]));
  });

  test('takes a vector that is too short, or is no version, for nothing', () => {
    expect(startOf('0/1', [generation(3, '10 20')])).toMatchObject({ positions: { '': position('e') } });
    expect(startOf('0/1', [generation(2, '10 opaque')])).toMatchObject({ positions: { '': position('e') } });
  });
});
