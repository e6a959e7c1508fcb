import { expect, it } from 'vitest';
import { bytesText, durationText, shareText, timeText } from '../../src/inspect/units.ts';

it.each([
  [0.5, '0.5 ms'],
  [850, '850 ms'],
  [1_000, '1 s'],
  [1_234, '1.2 s'],
  [61_000, '1 min'],
  [5_400_000, '1.5 h'],
  [36 * 3_600_000, '1.5 d'],
])('durationText %d is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it.each([
  [0, 0, '0 %'],
  [1, 3, '33.3 %'],
  [1, 100_000, '< 0.1 %'],
  [7, 7, '100 %'],
])('shareText %d of %d is %s', (part, whole, text) => {
  expect(shareText(part, whole)).toBe(text);
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [27_512_000, '27.5 MB'],
])('bytesText %d is %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

it('timeText is UTC, and says so when there is none', () => {
  expect([timeText(Date.parse('2026-11-30T10:00:00.5Z')), timeText(Number.NaN)]).toEqual(['2026-11-30 10:00:00', 'no time']);
});
