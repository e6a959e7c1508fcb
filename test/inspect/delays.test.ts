import { describe, expect, it } from 'vitest';
import { type Delays, delayCounts } from '../../src/inspect/delays.ts';

function delaysOf(...all: readonly number[]): Delays {
  const counts = delayCounts();
  for (const delay of all) counts.add(delay);
  return counts.delays();
}

describe('delayCounts', () => {
  it('has nothing of nothing', () => {
    expect(delaysOf()).toEqual({ measured: 0, ahead: 0, buckets: [] });
  });

  it('counts what is ahead of its receipt apart', () => {
    expect(delaysOf(-1, -3_600_000)).toEqual({ measured: 0, ahead: 2, buckets: [] });
  });

  it('counts in buckets without holes, which hold all of them', () => {
    const { buckets, measured } = delaysOf(0, 1, 1.5, 40, 40);
    expect({ measured, first: buckets[0], holds: buckets.reduce((sum, { count }) => sum + count, 0) }).toEqual({
      measured: 5,
      first: { fromMs: 0, toMs: 1, count: 1 },
      holds: 5,
    });
    expect(buckets.slice(1).every(({ fromMs }, at) => fromMs === buckets[at]?.toMs)).toBe(true);
    expect(buckets.at(-1)).toMatchObject({ count: 2 });
  });

  it('finds quantiles right to a fifth, and the greatest exactly', () => {
    const { p50Ms = 0, p90Ms = 0, p99Ms = 0, maxMs } = delaysOf(...Array.from({ length: 1_000 }, (_, at) => at * 10));
    expect(maxMs).toBe(9_990);
    for (const [found, real] of [
      [p50Ms, 5_000],
      [p90Ms, 9_000],
      [p99Ms, 9_900],
    ] as const) {
      expect(found).toBeGreaterThanOrEqual(real - 10);
      expect(found).toBeLessThan(real * 1.2);
    }
  });

  it('takes a delay of years', () => {
    expect(delaysOf(1e15)).toMatchObject({ measured: 1, p50Ms: 1e15, maxMs: 1e15 });
  });
});
