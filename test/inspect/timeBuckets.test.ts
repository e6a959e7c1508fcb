import { describe, expect, it } from 'vitest';
import { type Timeline, timeBuckets, widthText } from '../../src/inspect/timeBuckets.ts';

const start = Date.parse('2026-11-30T10:00:00Z');
const year = 365 * 86_400_000;

function timelineOf(times: readonly number[], keptMax = 100, bucketsMax = 10): Timeline {
  const buckets = timeBuckets(keptMax);
  for (const [at, time] of times.entries()) buckets.add(time, at % 2 === 0);
  return buckets.timeline(bucketsMax);
}

function sumOf({ buckets, before, after }: Timeline): number {
  return buckets.reduce((sum, { warnings, others }) => sum + warnings + others, before + after);
}

describe('timeBuckets', () => {
  it('counts by type, without holes', () => {
    expect(timelineOf([start, start + 999, start + 2_000])).toEqual({
      widthMs: 1_000,
      buckets: [
        { startMs: start, warnings: 1, others: 1 },
        { startMs: start + 1_000, warnings: 0, others: 0 },
        { startMs: start + 2_000, warnings: 1, others: 0 },
      ],
      before: 0,
      after: 0,
    });
  });

  it('has nothing of nothing', () => {
    expect(timelineOf([])).toEqual({ widthMs: 1_000, buckets: [], before: 0, after: 0 });
  });

  it.each([
    [60, 10_000],
    [3_600, 600_000],
    [86_400 * 3, 86_400_000],
  ])('shows %d s in at most ten buckets', (seconds, widthMs) => {
    const timeline = timelineOf(Array.from({ length: 1_000 }, (_, at) => start + at * seconds));
    expect(timeline.widthMs).toBe(widthMs);
    expect(timeline.buckets.length).toBeLessThanOrEqual(10);
    expect(sumOf(timeline)).toBe(1_000);
  });

  it('keeps its counts when there are more stretches than it keeps', () => {
    const timeline = timelineOf(
      Array.from({ length: 5_000 }, (_, at) => start + at * 1_700),
      7,
    );
    expect(sumOf(timeline)).toBe(5_000);
  });

  it('leaves out the few that lie so far away that they would hide the rest, and says how many', () => {
    const times = Array.from({ length: 3_000 }, (_, at) => start + (at % 30) * 1_000);
    const timeline = timelineOf([start - 50 * year, ...times, start + 900 * year], 100, 60);
    expect({ before: timeline.before, after: timeline.after, widthMs: timeline.widthMs, length: timeline.buckets.length }).toEqual({
      before: 1,
      after: 1,
      widthMs: 1_000,
      length: 30,
    });
  });

  it('leaves out nobody where all are few', () => {
    const { before, after } = timelineOf([start, start + 3_600_000]);
    expect([before, after]).toEqual([0, 0]);
  });
});

it.each([
  [1_000, '1 s'],
  [300_000, '5 min'],
  [7_200_000, '2 h'],
  [86_400_000, '1 d'],
])('widthText %d is %s', (widthMs, text) => {
  expect(widthText(widthMs)).toBe(text);
});
