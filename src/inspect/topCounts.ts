/** One of the most frequent names. */
export interface Ranked {
  readonly name: string;
  /** At least so many; exact while `missedMax` is 0. */
  readonly count: number;
  /** Those of type Warning among them. */
  readonly warnings: number;
  /** How many more there may have been before the name was kept. */
  readonly missedMax: number;
}

export interface Ranking {
  /** Most frequent first. */
  readonly rows: readonly Ranked[];
  /** Names seen; only a lower bound when some were forgotten. */
  readonly names: number;
  /** True when no name was forgotten, so that every count is exact. */
  readonly complete: boolean;
}

export interface TopCounts {
  add(name: string, isWarning: boolean): void;
  ranking(rowsMax: number): Ranking;
}

interface Kept {
  count: number;
  warnings: number;
  readonly missedMax: number;
}

/**
 * Counts names in bounded memory: up to twice `keptMax` are kept, then the rarer half is forgotten. Whoever
 * comes later may be one of those, so it carries the greatest forgotten count as what may be missing.
 */
export function topCounts(keptMax: number): TopCounts {
  let kept = new Map<string, Kept>();
  let names = 0;
  let forgottenMax = 0;

  const forget = (): void => {
    const ranked = byCount(kept);
    for (const [, { count, missedMax }] of ranked.slice(keptMax)) forgottenMax = Math.max(forgottenMax, count + missedMax);
    kept = new Map(ranked.slice(0, keptMax));
  };

  return {
    add(name, isWarning) {
      let counted = kept.get(name);
      if (counted === undefined) {
        counted = { count: 0, warnings: 0, missedMax: forgottenMax };
        kept.set(name, counted);
        names++;
      }
      counted.count++;
      if (isWarning) counted.warnings++;
      if (kept.size > keptMax * 2) forget();
    },
    ranking: (rowsMax) => ({
      rows: byCount(kept)
        .slice(0, rowsMax)
        .map(([name, counted]) => ({ name, ...counted })),
      names: forgottenMax === 0 ? names : keptMax * 2,
      complete: forgottenMax === 0,
    }),
  };
}

/** The earlier seen first among equals, so that equal input gives equal output. */
function byCount(kept: ReadonlyMap<string, Kept>): [string, Kept][] {
  return [...kept].sort(([, a], [, b]) => b.count - a.count);
}
