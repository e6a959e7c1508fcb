import type { Row } from './measure.ts';

/** Of two measures of the same rows the one with the smaller ratio to its base, row by row; without a base the second. */
export function leastOf(first: readonly Row[], second: readonly Row[]): readonly Row[] {
  const before = new Map(first.map((row) => [row.name, row]));
  return second.map((row) => {
    const earlier = before.get(row.name);
    return earlier?.base !== undefined && row.base !== undefined && earlier.base.ratio <= row.base.ratio ? earlier : row;
  });
}
