import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type MeasuredProcess, measuredProcess } from '../measuredProcess.ts';
import { until } from '../until.ts';
import { type Minute, soakFaults } from './verdict.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' }, 'per-second': { type: 'string', default: '500' } } });
const minutes = Number(values.minutes);
const perMinute = Number(values['per-second']) * 60;
const metricsEveryMs = 1_000;
const megabyte = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-soak-'));
const server = fork(resolve(import.meta.dirname, '../soakServer/main.ts'), [values['per-second']], {
  execArgv: ['--max-old-space-size=6144'],
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const [{ kubeconfig: text }] = (await once(server, 'message')) as [{ readonly kubeconfig: string }];
let written = 0;
server.on('message', (told: { readonly written: number }) => {
  written = told.written;
});
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, text, { mode: 0o600 });
const main = resolve(import.meta.dirname, '../../../src/cli/main.ts');
const exporter = measuredProcess({
  args: [
    main,
    'run',
    '--kubeconfig',
    kubeconfig,
    '--prometheus-endpoint=127.0.0.1:0',
    '--checkpoint',
    `file:${join(folder, 'at')}`,
    '--event-ttl=1m',
  ],
});
exporter.read(true);

try {
  await until(() => /metrics and probes at/.test(exporter.log()));
  const address = /metrics and probes at (127\.0\.0\.1:[0-9]+)/.exec(exporter.log())?.[1] ?? '';
  const metric = async (name: string): Promise<number> => metricIn(await textOf(`http://${address}/metrics`), name);
  await until(async () => (await metric('kube_sluice_pods_synced')) === 1);
  server.send('start');
  const rows: Minute[] = [];
  print('minute', 'written', 'lines', 'heap MB', 'RSS MB', 'relists');
  for (let minute = 1; minute <= minutes; minute++) {
    const row = await oneMinute(exporter, address);
    rows.push(row);
    print(minute, written, exporter.lines(), row.heap / megabyte, row.rss / megabyte, row.relists);
  }
  server.send('stop');
  await once(server, 'message');
  // In vain if the machine was so busy that events were gone before they were read: the verdict says so.
  await until(async () => (await metric('kube_sluice_stored_total')) >= written).catch(() => undefined);
  const gaps = gapsIn(await textOf(`http://${address}/metrics`));
  await exporter.stop();
  const faults = soakFaults(rows, { written, lines: exporter.lines(), gaps, perMinute });
  process.stdout.write(faults.length === 0 ? 'verdict: flat, and each Event is there once\n' : `verdict: ${faults.join('; ')}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await exporter.stop();
  server.disconnect();
  rmSync(folder, { recursive: true, force: true });
}

/** The least heap of a minute is what its collections left over; RSS is the mean. */
async function oneMinute({ rss }: MeasuredProcess, address: string): Promise<Minute> {
  const heaps: number[] = [];
  const resident: number[] = [];
  let relists = 0;
  for (const endMs = performance.now() + 60_000; performance.now() < endMs; await sleep(metricsEveryMs)) {
    const told = await textOf(`http://${address}/metrics`);
    heaps.push(metricIn(told, 'nodejs_heap_size_used_bytes'));
    resident.push(rss().now);
    relists = metricIn(told, 'kube_sluice_relists_total{source="events",cause="expired"}');
  }
  return { heap: Math.min(...heaps), rss: resident.reduce((sum, each) => sum + each, 0) / resident.length, relists };
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** A sample that is not there yet counts as 0. */
function metricIn(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

/** Of every cause. */
function gapsIn(text: string): number {
  return [...text.matchAll(/^kube_sluice_gaps_total\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

function print(...cells: readonly (string | number)[]): void {
  const shown = cells.map((cell) => (typeof cell === 'number' ? String(Math.round(cell)) : cell).padStart(9));
  process.stdout.write(`${shown.join('')}\n`);
}
