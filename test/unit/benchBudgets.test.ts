import { expect, test } from 'vitest';
import { overBudget } from '../bench/budgets.ts';
import { leastOf } from '../bench/leastOf.ts';
import { type Row, row } from '../bench/measure.ts';

const ratio = (name: string, of: number): Row =>
  row({ group: 'g', name, unit: 'us', values: [of * 8], base: { name: 'parse', values: [8] } });
const bytes = (name: string, value: number): Row => row({ group: 'g', name, unit: 'B', values: [value] });
const budgets = { ratios: { a: 3, b: 2 }, bytes: { pod: 200 }, held: { b: 2.5 } };

test('a row is over its ratio, or over what is held meanwhile, or over its bytes', () => {
  expect(overBudget([ratio('a', 3), ratio('b', 2.5), ratio('c', 9), bytes('pod', 200)], budgets)).toEqual([]);
  expect(overBudget([ratio('a', 3.1), ratio('b', 2.6), bytes('pod', 201)], budgets)).toEqual([
    'a: at most 3 x parse (got 3.10)',
    'b: at most 2.5 x parse (got 2.60)',
    'pod: at most 200 B (got 201 B)',
  ]);
});

test('a row with a budget but without its measure is over it', () => {
  expect(overBudget([bytes('a', 1), ratio('pod', 1)], budgets)).toEqual([
    'a: at most 3 x its base (got no ratio)',
    'pod: at most 200 B (got 8 us)',
  ]);
});

test('of two measures the smaller ratio counts, row by row, and the newer number of bytes', () => {
  const first = [ratio('a', 2), ratio('b', 4), bytes('pod', 100)];
  const second = [ratio('a', 3), ratio('b', 3), bytes('pod', 300)];

  expect(leastOf(first, second)).toEqual([first[0], second[1], second[2]]);
});
