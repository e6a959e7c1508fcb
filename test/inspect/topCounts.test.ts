import { describe, expect, it } from 'vitest';
import { type Ranking, topCounts } from '../../src/inspect/topCounts.ts';

function rankingOf(names: readonly string[], keptMax: number, rowsMax = 3): Ranking {
  const counts = topCounts(keptMax);
  for (const name of names) counts.add(name, name.startsWith('w'));
  return counts.ranking(rowsMax);
}

const times = (name: string, count: number): readonly string[] => Array.from({ length: count }, () => name);

describe('topCounts', () => {
  it('is exact while every name is kept, the most frequent first and the earlier seen first among equals', () => {
    expect(rankingOf(['a', 'w', 'b', 'w', 'w', 'b', 'a', 'c'], 2)).toEqual({
      rows: [
        { name: 'w', count: 3, warnings: 3, missedMax: 0 },
        { name: 'a', count: 2, warnings: 0, missedMax: 0 },
        { name: 'b', count: 2, warnings: 0, missedMax: 0 },
      ],
      names: 4,
      complete: true,
    });
  });

  it('forgets the rare ones, and says how much may be missing of one that comes back', () => {
    const { rows, names, complete } = rankingOf([...times('a', 9), ...times('b', 5), 'c', 'c', 'd', 'e', ...times('c', 3)], 2);
    expect(rows).toEqual([
      { name: 'a', count: 9, warnings: 0, missedMax: 0 },
      { name: 'b', count: 5, warnings: 0, missedMax: 0 },
      { name: 'c', count: 3, warnings: 0, missedMax: 2 },
    ]);
    expect({ names, complete }).toEqual({ names: 4, complete: false });
  });

  it('never promises less than there was, however many names come', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => (at % 3 === 0 ? 'loud' : `name ${(at * 7_919) % 9_973}`));
    const { rows } = rankingOf(names, 50, 100);
    const trueCounts = new Map<string, number>();
    for (const name of names) trueCounts.set(name, (trueCounts.get(name) ?? 0) + 1);
    expect(rows[0]).toEqual({ name: 'loud', count: 6_667, warnings: 0, missedMax: 0 });
    const wrong = rows.filter(({ name, count, missedMax }) => {
      const real = trueCounts.get(name) ?? 0;
      return count > real || count + missedMax < real;
    });
    expect(wrong).toEqual([]);
  });
});
