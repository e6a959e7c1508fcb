import { parseArgs } from 'node:util';
import { faultKinds } from './scenario.ts';
import { report, simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    bail: { type: 'boolean', default: false },
  },
});
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const met = new Map<string, number>(faultKinds.map((kind) => [kind, 0]));
const startedAt = performance.now();
let failed = 0;
let revisions = 0;
let minutes = 0;

for (let seed = first; seed < first + count; seed++) {
  const run = simulate(seed);
  revisions += run.world.cluster.eventRevisions();
  minutes += run.scenario.endMs / 60_000;
  for (const kind of new Set(run.scenario.faults.map((fault) => fault.kind))) met.set(kind, (met.get(kind) ?? 0) + 1);
  if (run.broken.length > 0) failed += 1;
  if (run.broken.length > 0 || values.seed !== undefined) process.stdout.write(`${report(run)}\n`);
  if (values.bail && failed > 0) break;
}

const seconds = (performance.now() - startedAt) / 1000;
process.stdout.write(`${[...met].map(([kind, seeds]) => `${kind} ${Math.round((100 * seeds) / count)} %`).join(', ')}\n`);
process.stdout.write(
  `${count} seeds, ${(minutes / 60).toFixed(0)} virtual hours, ${revisions} revisions: ${(count / seconds).toFixed(1)} seeds a second\n`,
);
process.stdout.write(`${count - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 5;
