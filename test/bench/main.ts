import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { budgets, overBudget } from './budgets.ts';
import { idleRows } from './idleRows.ts';
import { latencyRows } from './latencyRows.ts';
import { leastOf } from './leastOf.ts';
import { liveRows, rateRows, shardRows } from './liveRows.ts';
import type { Row } from './measure.ts';
import { pageRows } from './pageRows.ts';
import { report } from './report.ts';
import { rowsOf } from './rowsOf.ts';
import { standingSink } from './standingSink.ts';
import { startRows } from './startRows.ts';

/** `npm run bench`: measures, prints a table, and fails when a ratio or a number of bytes is over what is held. */
const { values } = parseArgs({
  options: {
    /** For CI: few rounds, and only what has a budget. */
    short: { type: 'boolean', default: false },
    /** Groups of rows, with commas. Default all. */
    only: { type: 'string', default: '' },
    /** Where the figures go as JSON. */
    json: { type: 'string', default: '' },
    /** Live rows against the server of KUBECONFIG, at the load that it has, instead of the simulator. */
    foreign: { type: 'boolean', default: false },
    /** What is measured: the bundle unless told otherwise. */
    program: { type: 'string', default: join(import.meta.dirname, '../../dist/bundle/main.js') },
  },
});
const { short } = values;
const program = [values.program];
const kubeconfig = values.foreign ? process.env['KUBECONFIG'] : undefined;
if (values.foreign && kubeconfig === undefined) throw new Error('--foreign needs KUBECONFIG to name a file');
const live = { program, rounds: short ? 3 : 7, secondsPerRound: short ? 3 : 10, ...(kubeconfig === undefined ? {} : { kubeconfig }) };
const above = join(import.meta.dirname, 'aboveTransport/main.ts');

/** Groups of rows by name, and whether the short form takes them. */
const groups: Readonly<Record<string, { readonly inShort: boolean; readonly measure: () => Promise<readonly Row[]> }>> = {
  above: {
    inShort: true,
    measure: () => rowsOf(['--expose-gc', above, ...(short ? ['--lines=10000', '--rounds=5'] : [])]),
  },
  live: {
    inShort: true,
    measure: () => liveRows(live),
  },
  shards: { inShort: false, measure: () => shardRows(live) },
  rates: { inShort: false, measure: () => rateRows({ ...live, rounds: 3 }) },
  page: { inShort: false, measure: () => pageRows(live) },
  latency: { inShort: false, measure: () => latencyRows({ program, rounds: 5 }) },
  idle: { inShort: false, measure: () => idleRows({ program, rounds: 3 }) },
  standing: { inShort: false, measure: () => standingSink({ program, events: 200_000, standsSeconds: 30 }) },
  start: { inShort: false, measure: () => startRows({ program, rounds: 3 }) },
};

/** Measures of a group of which one is over what is held. */
const triesMax = 3;

const wanted = values.only === '' ? Object.keys(groups) : values.only.split(',');
const rows: Row[] = [];
for (const name of wanted) {
  const group = groups[name];
  if (group === undefined) throw new Error(`--only takes ${Object.keys(groups).join(', ')} (got ${name})`);
  if (short && !group.inShort) continue;
  process.stderr.write(`measuring ${name} ...\n`);
  let measured = await group.measure();
  // A busy machine weighs on one measure, a regression on each.
  for (let again = 1; again < triesMax && overBudget(measured, budgets).length > 0; again++) {
    process.stderr.write(`measuring ${name} again, for it is over what is held ...\n`);
    measured = leastOf(measured, await group.measure());
  }
  rows.push(...measured);
}
process.stdout.write(`${report(rows, budgets)}\n`);
if (values.json !== '') writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
const over = overBudget(rows, budgets);
for (const sentence of over) process.stdout.write(`over budget: ${sentence}\n`);
process.exitCode = over.length === 0 ? 0 : 5;
