import { expect, test } from 'vitest';
import { fullJitter } from '../../src/model/backoff.ts';

const settings = { firstMs: 800, maxMs: 30_000 };

test('the limit of the wait starts at firstMs, doubles, and ends at maxMs', () => {
  const limits = [1, 2, 3, 4, 5, 6, 7, 8, 1_000_000].map((attempt) => fullJitter(attempt, settings, () => 1));

  expect(limits).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000]);
});

test('the wait is drawn evenly between zero and the limit', () => {
  expect([0, 0.25, 0.5, 0.999].map((chance) => fullJitter(2, settings, () => chance))).toEqual([0, 400, 800, 1_598]);
});

test('a first wait of zero stays zero', () => {
  expect(fullJitter(5_000, { firstMs: 0, maxMs: 100 }, () => 0.9)).toBe(0);
});
