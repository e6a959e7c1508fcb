import { expect, test } from 'vitest';
import { type Minute, soakFaults } from '../bench/soak/verdict.ts';

const flat = (minutes: number): Minute[] => Array.from({ length: minutes }, (_, at) => ({ heap: 60e6, rss: 130e6, relists: at }));
const rising = (minutes: number, perMinute: number): Minute[] =>
  flat(minutes).map((one, at) => ({ ...one, heap: one.heap + at * perMinute }));
const soaked = { written: 30_000 * 30, lines: 30_000 * 30, gaps: 0, perMinute: 30_000 };

test.each([
  ['a flat run is good', flat(30), soaked, []],
  ['a heap that rises by a megabyte a minute is bad', rising(30, 1e6), soaked, ['heap grew from 67000000 to 85000000 bytes']],
  ['what comes in the first minutes does not count', [{ heap: 200e6, rss: 300e6, relists: 0 }, ...flat(29)], soaked, []],
  ['a line too many is bad', flat(30), { ...soaked, lines: 900_001 }, ['900000 Events were written and 900001 lines came out']],
  ['a gap is bad', flat(30), { ...soaked, gaps: 2 }, ['2 gap records: events were gone before they were read']],
  ['a run without a relist proves nothing', flat(30).map((one) => ({ ...one, relists: 0 })), soaked, ['there was no relist']],
  [
    'a short run tells nothing of memory',
    flat(2),
    { ...soaked, written: 60_000, lines: 60_000 },
    ['too short to tell: 6 minutes at least'],
  ],
] as const)('%s', (_, minutes, run, faults) => {
  expect(soakFaults(minutes, run)).toEqual(faults);
});
