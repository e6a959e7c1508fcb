/** Bytes of one minute, and how many lists there had been by its end. */
export interface Minute {
  readonly heap: number;
  readonly rss: number;
  readonly relists: number;
}

export interface Soaked {
  readonly written: number;
  readonly lines: number;
  /** Gap records, which are lines, too. */
  readonly gaps: number;
  /** How many should have been written. */
  readonly perMinute: number;
}

/** While everything is made once: code that is compiled, tables that find their size. */
const warmUpMinutes = 3;
/** What may come and go between two thirds of a run. */
const slack = { part: 1.1, bytes: 4_000_000 };

/** What speaks against a run. Memory is compared between the first third after the warm-up and the last. */
export function soakFaults(minutes: readonly Minute[], { written, lines, gaps, perMinute }: Soaked): readonly string[] {
  const settled = minutes.slice(warmUpMinutes);
  const third = Math.floor(settled.length / 3);
  const grown = (['heap', 'rss'] as const).flatMap((what) => {
    if (third === 0) return [];
    const [before, after] = [settled.slice(0, third), settled.slice(-third)].map((part) => mean(part.map((minute) => minute[what]))) as [
      number,
      number,
    ];
    return after > before * slack.part + slack.bytes ? [`${what} grew from ${Math.round(before)} to ${Math.round(after)} bytes`] : [];
  });
  return [
    ...grown,
    ...(lines === written ? [] : [`${written} Events were written and ${lines} lines came out`]),
    ...(gaps === 0 ? [] : [`${gaps} gap records: events were gone before they were read`]),
    ...(written >= minutes.length * perMinute * 0.9 ? [] : [`only ${written} Events were written: the machine is too busy`]),
    ...(minutes.at(-1)?.relists === 0 ? ['there was no relist'] : []),
    ...(third === 0 ? [`too short to tell: ${warmUpMinutes + 3} minutes at least`] : []),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
