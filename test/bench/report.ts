import Table from 'cli-table3';
import type { Budgets } from './budgets.ts';
import type { Row } from './measure.ts';
import { targets } from './targets.ts';

/** A table for people: one line per row that was measured. A ratio over its budget bears an exclamation mark. */
export function report(rows: readonly Row[], { ratios, bytes }: Budgets): string {
  const table = new Table({
    head: ['row', 'median', 'spread', 'should be', 'ratio', 'budget'],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const { name, unit, median, spread, base } of rows) {
    const [least, greatest] = spread;
    const budget = ratios[name] !== undefined ? `${ratios[name]} x` : bytes[name] !== undefined ? `${bytes[name]} B` : '';
    table.push([
      name,
      `${number(median)} ${unit}`,
      least === greatest ? '' : `${number(least)} to ${number(greatest)}`,
      targets[name] === undefined ? '' : `${targets[name]} ${unit}`,
      base === undefined ? '' : `${number(base.ratio)} x ${base.name}${base.ratio > (ratios[name] ?? base.ratio) ? ' !' : ''}`,
      budget,
    ]);
  }
  return table.toString();
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 3 : 2);
}
