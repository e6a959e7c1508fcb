import { describe, expect, test } from 'vitest';
import type { Positions } from '../../src/model/checkpoint.ts';
import { coverage } from '../../src/model/coverage.ts';

const kibibyte = 1024;
const at = (version: string, incarnation = 0): Positions => ({ '': { at: version, incarnation } });

describe('coverage', () => {
  test('is the end as long as nothing was added, and after everything is passed', () => {
    const covered = coverage();
    expect(covered.since({}, 7)).toBe(7);
    covered.add(10, 'shop', '5');
    expect([covered.since(at('4'), 99), covered.since(at('5'), 99), covered.since(at('4'), 99)]).toEqual([10, 99, 99]);
  });

  test('knows stretches of 16 KiB by the newest version in each, in whatever order they came', () => {
    const covered = coverage();
    covered.add(0, 'shop', '30');
    covered.add(15 * kibibyte, 'shop', '9');
    covered.add(16 * kibibyte, 'shop', '100');
    covered.add(17 * kibibyte, 'shop', '10');
    expect([covered.since(at('29'), 1e6), covered.since(at('30'), 1e6), covered.since(at('99'), 1e6)]).toEqual([0, 16_384, 16_384]);
    expect(covered.since(at('100'), 1e6)).toBe(1e6);
  });

  test('goes by the position of each namespace where each has its own', () => {
    const positions = (shop: string, web: string): Positions => ({ shop: { at: shop, incarnation: 0 }, web: { at: web, incarnation: 0 } });
    const covered = coverage();
    covered.add(0, 'shop', '5');
    covered.add(100, 'web', '7');
    expect([covered.since(positions('9', '6'), 200), covered.since(positions('4', '9'), 200)]).toEqual([0, 0]);
    expect(covered.since(positions('5', '7'), 200)).toBe(200);
  });

  test('takes an entry without a namespace for passed when all positions are past it', () => {
    const covered = coverage();
    covered.add(0, undefined, '5');
    expect(covered.since({}, 9)).toBe(0);
    expect(covered.since({ shop: { at: '5', incarnation: 0 }, web: { at: '4', incarnation: 0 } }, 9)).toBe(0);
    expect(covered.since({ shop: { at: '5', incarnation: 0 }, web: { at: '6', incarnation: 0 } }, 9)).toBe(9);
  });

  test.each(['earliest', '4'])('is not past anything at %s', (position) => {
    const covered = coverage();
    covered.add(0, 'shop', '5');
    expect(covered.since(at(position), 9)).toBe(0);
  });

  test('is never past a version without an order', () => {
    const covered = coverage();
    covered.add(0, 'shop', 'abc');
    covered.add(5, 'shop', '7');
    expect(covered.since(at('9'), 9)).toBe(0);
  });
});
