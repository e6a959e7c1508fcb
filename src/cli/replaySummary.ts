import { count } from '../telemetry/count.ts';
import { type Counts, noCounts } from '../telemetry/counts.ts';
import type { Signal } from '../telemetry/signals.ts';
import type { FileFault } from '../transports/numberedLines.ts';
import { textTable } from './textTable.ts';

/** What one shard's pipeline has done so far. */
export interface ShardTally {
  /** `0/3`. */
  readonly shard: string;
  readonly counts: Counts;
  observe(signal: Signal): void;
  /** Lines that its readers could make nothing of. */
  skipped(): number;
}

/** What a dry run counts beyond that, for the shards in their order. */
export interface Tried {
  /** False: the shard is not the one that was asked for. */
  readonly exports: boolean;
  labelled(): number;
  warnings(): number;
}

/** Faults are shown one by one up to here. */
const faultsShownMax = 20;

export function tally(index: number, total: number, now: () => number): ShardTally {
  const counts = noCounts();
  return {
    shard: `${index}/${total}`,
    counts,
    observe: (signal) => count(counts, signal, now()),
    skipped: () => [...counts.readers.values()].reduce((sum, { skipped }) => sum + sumOf(skipped), 0),
  };
}

/** Faults of the files by line, a table with a row per shard, and how many lines were bad. */
export function replaySummary(tallies: readonly ShardTally[], faults: readonly FileFault[], tried?: readonly Tried[]): string {
  const rows = tallies.map(({ shard, counts }, row) => [shard, ...cellsOf(counts), ...triedCells(tried?.[row])]);
  const columns = [
    'shard',
    'received',
    'exported',
    'filtered',
    'repeated',
    'refused',
    'gaps',
    ...(tried === undefined ? [] : triedColumns),
  ];
  return `${faultLines(faults)}${textTable([columns, ...rows])}${badLines(tallies, faults)} bad lines\n`;
}

const triedColumns = ['with labels', 'warnings', ''];

function triedCells(tried: Tried | undefined): readonly string[] {
  return tried === undefined ? [] : [String(tried.labelled()), String(tried.warnings()), tried.exports ? '' : 'not this shard'];
}

/** A line for each of the first faults. */
export function faultLines(faults: readonly FileFault[]): string {
  const shown = inOrder(faults)
    .slice(0, faultsShownMax)
    .map(({ file, line, reason }) => `${file}:${line}: ${reason}\n`);
  const more = faults.length > faultsShownMax ? [`... and ${faults.length - faultsShownMax} more\n`] : [];
  return [...shown, ...more].join('');
}

/** A file's faults by line; some are only known at the end of their chunk. */
function inOrder(faults: readonly FileFault[]): readonly FileFault[] {
  const files = [...new Set(faults.map(({ file }) => file))];
  return files.flatMap((name) => faults.filter(({ file }) => file === name).sort((a, b) => a.line - b.line));
}

/** Every shard reads the same lines, and some of the bad ones are seen by the file's reader too. */
export function badLines(tallies: readonly ShardTally[], faults: readonly FileFault[]): number {
  return Math.max(faults.filter(({ bad }) => bad).length, ...tallies.map((each) => each.skipped()));
}

function cellsOf({ received, stored, filtered, repeated, refused, gaps }: Counts): readonly string[] {
  const numbers = [received, stored, filtered, repeated, refused, sumOf(gaps)];
  return numbers.map(String);
}

function sumOf(totals: Readonly<Record<string, number>>): number {
  return Object.values(totals).reduce((sum, each) => sum + each, 0);
}
