import { parseArgs } from 'node:util';
import { budgets, overBudget } from '../budgets.ts';
import { aboveTransport } from './aboveTransport.ts';

const { values } = parseArgs({ options: { lines: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '7' } } });
const rows = await aboveTransport({ lines: Number(values.lines), rounds: Number(values.rounds) });
const over = overBudget(rows, budgets);

for (const { name, unit, median, spread, base } of rows) {
  const ratio = base === undefined ? '' : `${base.ratio.toFixed(2)} x ${base.name}`;
  process.stdout.write(
    `${name.padEnd(28)} ${median.toFixed(2).padStart(8)} ${unit} (${spread.map((value) => value.toFixed(2)).join(' to ')}) ${ratio}\n`,
  );
}
for (const sentence of over) process.stdout.write(`over budget: ${sentence}\n`);
process.stdout.write(`${JSON.stringify(rows)}\n`);
process.exitCode = over.length === 0 ? 0 : 5;
