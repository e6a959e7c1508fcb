import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Entry } from '../../../src/model/entry.ts';
import { entryOf } from '../../../src/model/entryOf.ts';
import type { EventObject } from '../../../src/model/kube.ts';
import { eventLines } from '../aboveTransport/eventLines.ts';
import { cpuMicroseconds, row } from '../measure.ts';
import type { Ports } from './writers.ts';

/*
 * What a batch costs this process from the entry to the answer, by each way of writing to Cloud Logging; and what the library takes
 * when it is loaded. The service is a process of its own and takes everything.
 */
const { values } = parseArgs({
  options: {
    batches: { type: 'string', default: '100' },
    size: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
  },
});
const [batches, size, rounds] = [Number(values.batches), Number(values.size), Number(values.rounds)];

const server = spawn(process.execPath, [join(import.meta.dirname, '../logService/main.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
const [told] = (await once(server.stdout, 'data')) as [Buffer];
const megabytes = (): string => (process.memoryUsage.rss() / 1e6).toFixed(0);
process.stdout.write(`RSS ${megabytes()} MB before the library is loaded`);
const { writers } = await import('./writers.ts');
const ways = writers(JSON.parse(told.toString()) as Ports);
process.stdout.write(`, ${megabytes()} MB with it\n`);

const entries = entriesOf(batches * size);
const measured = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round <= rounds; round++) {
  for (const [name, write] of Object.entries(ways)) {
    const cpu = await cpuMicroseconds(async () => {
      for (let at = 0; at < entries.length; at += size) await write(entries.slice(at, at + size));
    });
    if (round > 0) measured.get(name)?.push(cpu / entries.length);
  }
}
server.kill();
const [first, ...others] = [...measured];
const base = { name: first?.[0] ?? '', values: first?.[1] ?? [] };
for (const [name, perRound] of [...(first === undefined ? [] : [first]), ...others]) {
  const { median, spread, base: against } = row({ group: 'log writers', name, unit: 'us', values: perRound, base });
  const figures = `${median.toFixed(1)} us CPU per entry (${spread.map((value) => value.toFixed(1)).join(' to ')})`;
  process.stdout.write(`${name.padEnd(40)} ${figures}  ${against?.ratio.toFixed(1)} x\n`);
}
process.exit(0);

function entriesOf(count: number): readonly Entry[] {
  return eventLines({ count, pods: 1_000, type: 'ADDED' }).lines.map((line, slot) => {
    const { object } = JSON.parse(line.toString()) as { readonly object: EventObject };
    const { metadata, involvedObject = {} } = object;
    const { kind = '', namespace = '', name = '', uid = '' } = involvedObject;
    const { uid: own = '', resourceVersion = '', namespace: ownNamespace = '' } = metadata;
    const item = {
      type: 'occurrence',
      change: 'added',
      uid: own,
      resourceVersion,
      namespace: ownNamespace,
      involved: { kind, namespace, name, uid },
      bytes: line.length,
      read: () => object,
    } as const;
    return entryOf({ slot, item, labels: {} }, 'k8s');
  });
}
