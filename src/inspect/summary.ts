import type { Findings } from './findings.ts';
import { type Split, skew } from './shardSplit.ts';
import { shownLine } from './shownText.ts';
import type { Ranking } from './topCounts.ts';
import { countText, durationText, shareText, timeText } from './units.ts';

const namesMax = 5;
const totalsShown: readonly number[] = [2, 4, 8, 16];

/** The findings in a few lines for a terminal, each with its LF. */
export function summary(findings: Findings): string {
  const { totals, reasons, namespaces, workloads, delays, repeats, troubles, splits } = findings;
  const { revisions, warnings, firstMs, lastMs } = totals;
  const between = firstMs === undefined || lastMs === undefined ? '' : `, from ${timeText(firstMs)} to ${timeText(lastMs)} UTC`;
  const lines: readonly (readonly [string, string])[] = [
    ['revisions', `${countText(revisions)}${between}`],
    ['warnings', `${countText(warnings)} (${shareText(warnings, revisions)})`],
    ['reasons', firstOf(reasons)],
    ['namespaces', firstOf(namespaces)],
    ['workloads', firstOf(workloads)],
    [
      'repeats',
      `${countText(repeats.rewrites)} revisions write an Event again, ${countText(repeats.skipped)} repetitions have none of their own`,
    ],
    ['delay', delayText(delays)],
    ['shards', `busiest against an even share: ${skewText(splits)}`],
    ['relists', `${countText(troubles.relists)}, gaps ${countText(troubles.gaps)}, broken watches ${countText(troubles.broken)}`],
  ];
  return lines.map(([name, text]) => `${name.padEnd(11)} ${text}\n`).join('');
}

function firstOf({ rows, names, complete }: Ranking): string {
  if (rows.length === 0) return 'none';
  const first = rows.slice(0, namesMax).map(({ name, count }) => `${name === '' ? '(none)' : shownLine(name, 60)} ${countText(count)}`);
  const more = names - first.length;
  return `${first.join(', ')}${more > 0 ? `, and ${countText(more)}${complete ? '' : ' or more'} others` : ''}`;
}

function delayText({ measured, p50Ms, p99Ms, maxMs }: Findings['delays']): string {
  if (p50Ms === undefined || p99Ms === undefined || maxMs === undefined) return 'not known';
  return `50 % ${durationText(p50Ms)}, 99 % ${durationText(p99Ms)}, at most ${durationText(maxMs)}, of ${countText(measured)} by watch`;
}

function skewText(splits: readonly Split[]): string {
  const shown = splits.filter((split) => split.function === 'fnv1a32-mod' && totalsShown.includes(split.total));
  return shown.map(({ total, events }) => `${total}: ${skew(events).toFixed(2)}`).join(', ');
}
