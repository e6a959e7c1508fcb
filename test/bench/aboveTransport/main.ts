import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { budgets, overBudget } from '../budgets.ts';
import { type Row, row } from '../measure.ts';
import { type AboveTransportRow, aboveTransport, aboveTransportRows, type Measured } from './aboveTransport.ts';
import { podBytes } from './podBytes.ts';
import { podMemory } from './podMemory.ts';

const { values } = parseArgs({
  options: { lines: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '7' }, row: { type: 'string' } },
});

if (values.row === undefined) report([...aboveTransportRows.flatMap(inOwnProcess), ...podRows()]);
else {
  const measured = await aboveTransport(values.row as AboveTransportRow, { lines: Number(values.lines), rounds: Number(values.rounds) });
  process.stdout.write(JSON.stringify(measured));
}

function inOwnProcess(name: AboveTransportRow): Row[] {
  const args = [import.meta.filename, '--row', name, '--lines', values.lines, '--rounds', values.rounds];
  const measured = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Measured;
  const group = 'above the transport';
  const unit = 'us CPU per event';
  return [row({ group, name, unit, values: measured.row, base: { name: 'parse', values: measured.parse } })];
}

/** Bytes are the same each time, so they are measured once. */
function podRows(): Row[] {
  const { perPod, relistPeak } = podMemory(200_000);
  const bytes = (name: string, value: number): Row => row({ group: 'pods', name, unit: 'B', values: [value] });
  return [
    bytes('a cached pod, of 200,000', perPod),
    bytes('peak of a relist over the full cache, of 200,000 pods', relistPeak),
    bytes('list of 3,000 pods, shard 0 of 3', podBytes(3_000, 3, false)),
    bytes('list of 3,000 pods, shard 0 of 3, divided by the server', podBytes(3_000, 3, true)),
  ];
}

function report(rows: readonly Row[]): void {
  const over = overBudget(rows, budgets);
  for (const { name, unit, median, spread, base } of rows) {
    const ratio = base === undefined ? '' : `${base.ratio.toFixed(2)} x ${base.name}`;
    process.stdout.write(
      `${name.padEnd(56)} ${median.toFixed(2).padStart(8)} ${unit} (${spread.map((value) => value.toFixed(2)).join(' to ')}) ${ratio}\n`,
    );
  }
  for (const sentence of over) process.stdout.write(`over budget: ${sentence}\n`);
  process.stdout.write(`${JSON.stringify(rows)}\n`);
  process.exitCode = over.length === 0 ? 0 : 5;
}
