import { firstValueFrom, from, toArray } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { entry } from '../../marbles/builders.ts';
import type { Ack, Entry } from '../../src/model/entry.ts';
import { emitTo } from '../../src/operators/emitTo.ts';
import { liveRuntime, type Runtime } from '../../src/runtime.ts';
import { type FakeCloudLogging, fakeCloudLogging } from '../../src/simulator/fakeCloudLogging.ts';
import type { RpcFault } from '../../src/simulator/logEntryFault.ts';
import { cloudLogging } from '../../src/sinks/cloudLogging.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { cloudLoggingWriter } from '../../src/transports/cloudLoggingWriter.ts';
import { type CaseAnswer, caseOf } from './caseFile.ts';

/** What the batch of a case came to, over real connections. */
interface SinkRun {
  readonly server: FakeCloudLogging;
  readonly acks: readonly Ack[];
  readonly waits: readonly number[];
  readonly refused: readonly Extract<Signal, { type: 'refused' }>[];
}

/** Delivers the batch of a case, and one more behind it. The waits are a hundredth of the usual. */
async function deliver(id: string): Promise<SinkRun> {
  const { batch: count = 0, sinkScript = [], ...unknown } = caseOf(id).input;
  expect(unknown).toEqual({});
  const server = await fakeCloudLogging();
  onTestFinished(server.close);
  for (const answer of sinkScript) announce(server, answer);
  const signals: Signal[] = [];
  const runtime: Runtime = { ...liveRuntime((signal) => signals.push(signal)), random: () => 0.5 };
  const writer = cloudLoggingWriter({ endpoint: new URL(server.url), environment: {} });
  const sink = cloudLogging({ cluster: { project: 'p', location: 'l', name: 'c' } }, writer, runtime);
  const batches = [Array.from({ length: count }, (_, at) => recent(at + 1)), [recent(count + 1)]];
  const acks = await firstValueFrom(from(batches).pipe(emitTo(sink, { batchesMax: 1, firstMs: 10, maxMs: 300 }, runtime), toArray()));
  return {
    server,
    acks: acks.filter(({ slot }) => slot <= count),
    waits: signals.flatMap((signal) => (signal.type === 'sinkRetrying' ? [signal.waitMs] : [])),
    refused: signals.filter((signal) => signal.type === 'refused'),
  };
}

/** Of now, for the service's own clock. */
function recent(slot: number): Entry {
  return entry(slot, { timestamp: new Date(Date.now() - slot).toISOString() });
}

function announce({ faults }: FakeCloudLogging, { status = 0, json, store, error }: CaseAnswer): void {
  // A connection that is refused and one that breaks before anything is done are the same to the sink; see the contract of the writer.
  if (error !== undefined) {
    faults.next({ type: 'reset' });
    return;
  }
  const [detail] = (json as { error?: { details?: { logEntryErrors?: Record<string, RpcFault> }[] } }).error?.details ?? [];
  const errors = detail?.logEntryErrors;
  faults.next({
    type: 'answer',
    status,
    body: json,
    ...(errors === undefined ? {} : { errors }),
    ...(store === undefined ? {} : { store }),
  });
}

/** Requests about the batch of the case. */
function callsOf({ server }: SinkRun): number {
  return server.requests.length - 1;
}

function countOf({ acks }: SinkRun, outcome: Ack['outcome']): number {
  return acks.filter((ack) => ack.outcome === outcome).length;
}

/** Those of the case itself that were stored, each time that they were. */
function keysOf({ server, acks }: SinkRun): readonly string[] {
  const ids = acks.map(({ slot }) => entry(slot).insertId);
  return server.stored.filter(({ entry: { insertId = '' } }) => ids.includes(insertId)).map(({ key }) => key);
}

test('S01 what the answer names is refused, the rest is stored and not sent again', async () => {
  const run = await deliver('S01');
  const [first] = run.server.requests;
  expect({
    writeCalls: callsOf(run),
    written: countOf(run, 'stored'),
    dropped: countOf(run, 'refused'),
    requestHas: { partialSuccess: first?.write?.partialSuccess },
  }).toEqual(caseOf('S01').expect);
  expect(run.refused).toEqual([{ type: 'refused', uid: 'uid-2', resourceVersion: '2', reason: 'INVALID_ARGUMENT' }]);
  expect(keysOf(run)).toHaveLength(2);
});

test('S04 a service that has too much to do gets growing pauses', async () => {
  const run = await deliver('S04');
  const gapsGrow = run.waits.every((wait, at) => at === 0 || wait > (run.waits[at - 1] ?? 0));
  const counts = { writeCalls: callsOf(run), written: countOf(run, 'stored'), dropped: countOf(run, 'refused') };
  expect({ ...counts, gapsGrow }).toEqual(caseOf('S04').expect);
  expect(run.waits).toHaveLength(2);
  const [first, ...others] = run.server.requests.slice(0, 3).map(({ write }) => write);
  for (const other of others) expect(other).toEqual(first);
});

test('S05 what was stored before its answer failed is sent again under the same ids and times', async () => {
  const run = await deliver('S05');
  const count = new Set(keysOf(run)).size;
  expect({ writeCalls: callsOf(run), distinctStored: { by: ['insertId', 'timestamp'], count } }).toEqual(caseOf('S05').expect);
  expect(keysOf(run)).toHaveLength(4);
  expect(run.server.query()).toHaveLength(3);
});

test('S06 a broken connection and a service that is away are waited out, and later batches still flow', async () => {
  const rejections: unknown[] = [];
  const listener = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  const run = await deliver('S06');
  const counts = { writeCalls: callsOf(run), written: countOf(run, 'stored') };
  expect({ ...counts, unhandledRejections: rejections.length }).toEqual(caseOf('S06').expect);
  expect(run.server.query()).toHaveLength(3);
});
