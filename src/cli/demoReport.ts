import Table from 'cli-table3';
import type { Verdict } from '../simulator/verdict.ts';
import type { DemoLines } from './demoLines.ts';
import type { DemoShard } from './demoShard.ts';

const namedMax = 10;

/** The end of the demo: a row per shard, and what the lines are worth against the server's log of writes. */
export function demoReport(end: Verdict, { stored }: Pick<DemoLines, 'stored'>, shards: readonly DemoShard[]): string {
  const table = new Table({
    head: ['shard', 'received', 'exported', 'filtered', 'repeated', 'gaps', 'pods cached'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const { shard, metrics } of shards) {
    const { received, filtered, repeated, gaps, pods } = metrics.counts;
    const exported = stored.filter((revision) => revision.shard === shard.index).length;
    table.push([`${shard.index} of ${shard.total}`, received, exported, filtered, repeated, sum(gaps), pods]);
  }
  return `${table.toString()}\n${verdictText(end)}`;
}

function verdictText(end: Verdict): string {
  const { expected, once, inGap, holds } = end;
  const counted = `${expected} revisions were written: ${once} stand once, ${inGap.length} lie inside a declared gap`;
  if (holds) return `${counted}, none was lost, none repeated. The verdict holds.\n`;
  const faults = (['lost', 'repeated', 'misplaced', 'invented'] as const).flatMap((what) => named(what, end[what]));
  return `${counted}. The verdict does not hold:\n${faults.join('')}`;
}

function named(what: string, revisions: readonly string[]): string[] {
  if (revisions.length === 0) return [];
  const more = revisions.length > namedMax ? ` and ${revisions.length - namedMax} more` : '';
  return [`  ${what} (${revisions.length}): ${revisions.slice(0, namedMax).join(', ')}${more}\n`];
}

function sum(tally: Readonly<Record<string, number>>): number {
  return Object.values(tally).reduce((total, count) => total + count, 0);
}
