/** One measure over the rounds of a run. */
export interface Row {
  /** Group of rows that are taken together, such as `above the transport`. */
  readonly group: string;
  /** Also its key in budgets.json. */
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  /** Least and greatest of the rounds. */
  readonly spread: readonly [number, number];
  /** What it is compared with: taken in the same rounds. Absent: with nothing. */
  readonly base?: { readonly name: string; readonly ratio: number };
}

export interface RowSettings {
  readonly group: string;
  readonly name: string;
  readonly unit: string;
  /** One figure per round. */
  readonly values: readonly number[];
  /** The base's figures of the same rounds; the ratio is the median of the rounds' ratios. */
  readonly base?: { readonly name: string; readonly values: readonly number[] };
}

export function row({ group, name, unit, values, base }: RowSettings): Row {
  const spread: Row['spread'] = [Math.min(...values), Math.max(...values)];
  const measured = { group, name, unit, median: median(values), spread };
  if (base === undefined) return measured;
  const ratios = values.map((value, round) => value / (base.values[round] ?? Number.NaN));
  return { ...measured, base: { name: base.name, ratio: median(ratios) } };
}

/** NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Microseconds of CPU that this process spends on the work, threads of the garbage collector included. */
export async function cpuMicroseconds(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
