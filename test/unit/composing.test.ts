import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Counter, Registry } from 'prom-client';
import { filter, type MonoTypeOperatorFunction, map, NEVER, of, throwError } from 'rxjs';
import { afterAll, describe, expect, test } from 'vitest';
import type { EventObject } from '../../src/model/kube.ts';
import { bookmark, type Item } from '../../src/model/occurrence.ts';
import { toOccurrences } from '../../src/operators/toOccurrences.ts';
import { pipeline } from '../../src/pipeline.ts';
import { replayFixture } from '../../src/replayFixture.ts';
import { type SimulatedCluster, simulatedCluster } from '../../src/simulator/simulatedCluster.ts';
import { memory } from '../../src/sinks/memory.ts';
import { events } from '../../src/sources/events.ts';
import { noCounts } from '../../src/telemetry/counts.ts';
import { metrics } from '../../src/telemetry/metrics.ts';
import { type LogTarget, signalLog } from '../../src/telemetry/signalLog.ts';
import { noStore } from '../../src/transports/memoryStore.ts';

const shard = { index: 0, total: 1 };
const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-composing-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('simulatedCluster', () => {
  const story = ({ server }: SimulatedCluster): readonly string[] =>
    server.writes.map(({ kind, type, object }) => `${kind} ${type} ${object.metadata.name}`);

  test('tells the same story for the same seed, whoever reads it, and another for another', async () => {
    const [read, unread, other] = [simulatedCluster({ pods: 10 }), simulatedCluster({ pods: 10 }), simulatedCluster({ pods: 10, seed: 2 })];
    events({ namespace: '' }, read.transport, of(false), read.runtime).subscribe();
    await Promise.all([read, unread, other].map(({ live }) => live(30_000)));

    expect(story(read).length).toBeGreaterThan(20);
    expect(story(read)).toEqual(story(unread));
    expect(story(other)).not.toEqual(story(read));
  });

  test('rests: time passes, and nothing is written', async () => {
    const { server, rest, live, runtime } = simulatedCluster({ pods: 10 });
    await live(5_000);
    const [written, at] = [server.writes.length, runtime.scheduler.now()];
    await rest(60_000);
    expect([server.writes.length, runtime.scheduler.now()]).toEqual([written, at + 60_000]);
    await live(5_000);
    expect(server.writes.length).toBeGreaterThan(written);
  });
});

describe('a stage of one’s own', () => {
  test('sees each revision once, behind relists, and what it turns into bookmarks is passed', async () => {
    const { server, transport, runtime, live, signals } = simulatedCluster({ stepMs: 0 });
    const seen: string[] = [];
    const sink = memory();
    const ownStage: MonoTypeOperatorFunction<Item> = map((item) => {
      if (item.type !== 'occurrence') return item;
      seen.push(item.read().metadata.name ?? '');
      return item.read().reason === 'Kept' ? item : bookmark(item.resourceVersion);
    });
    const event = (name: string, reason: string): EventObject => ({ metadata: { name, namespace: 'shop' }, reason });
    pipeline({ shard, ownerLabels: false }, { transport, sink, store: noStore(), ownStage }, NEVER, runtime).subscribe();
    server.create('Event', event('a', 'Kept'));
    await live(5_000);
    server.faults.next({ stream: 'events', on: 'watch' }, { type: 'expired' });
    server.endStreams('reset');
    server.create('Event', event('b', 'Left'));
    await live(30_000);

    expect(signals).toContainEqual(expect.objectContaining({ type: 'listStarted', cause: 'expired' }));
    expect(seen).toEqual(['a', 'b']);
    expect(sink.entries.map(({ payload }) => payload['reason'])).toEqual(['Kept']);
    expect(signals.findLast((signal) => signal.type === 'positionMoved')).toMatchObject({ at: server.resourceVersion() });
  });
});

describe('replayFixture', () => {
  const fixture = (name: string, ...lines: readonly string[]): { readonly events: string } => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return { events: path };
  };
  const object = {
    kind: 'Event',
    metadata: { uid: 'e', resourceVersion: '7', creationTimestamp: '2026-05-04T10:00:00Z' },
    involvedObject: {},
  };
  const line = JSON.stringify({ type: 'ADDED', object });

  test('resolves to all that came out, in the time of the fixture', async () => {
    const told = await replayFixture(fixture('good', line), (transport, runtime) =>
      events({ namespace: '' }, transport, of(false), runtime).pipe(
        toOccurrences(runtime),
        filter((item) => item.type === 'occurrence'),
        map(({ resourceVersion }) => [resourceVersion, new Date(runtime.scheduler.now()).toISOString()]),
      ),
    );
    expect(told).toEqual([['7', '2026-05-04T10:00:00.000Z']]);
  });

  test('names the line that cannot be read', async () => {
    const replayed = replayFixture(fixture('bad', line, 'no JSON'), (transport, runtime) =>
      events({ namespace: '' }, transport, of(false), runtime),
    );
    await expect(replayed).rejects.toMatchObject({ code: 'FIXTURE_INVALID', message: expect.stringMatching(/bad:2 /) as unknown });
  });

  test('rejects with the error of the stream', async () => {
    const error = new Error('mine');
    await expect(replayFixture(fixture('erring', line), () => throwError(() => error))).rejects.toBe(error);
  });
});

describe('telemetry of a service that has its own', () => {
  test('metrics go into its registry, beside what is there', async () => {
    const registry = new Registry();
    new Counter({ name: 'own_total', help: 'Own.', registers: [registry] }).inc();
    const made = metrics({ version: '1', shard, processMetrics: false, registry }, () => 0);
    made.observe({ type: 'received', bytes: 10 }, 0);

    const text = await registry.metrics();
    expect(text).toContain('own_total 1');
    expect(text).toContain('stackdriver_sink_received_entry_count 1');
    expect(made.counts).toEqual({ ...noCounts(), received: 1, receivedBytes: 10 });
  });

  test('lines go to its logger: repeats are counted, and what it has switched off is not asked for', () => {
    const lines: (readonly [string, string, unknown])[] = [];
    const at = (level: string) => (fields: object, text: string) =>
      void lines.push([level, text, (fields as { readonly repeats?: number }).repeats]);
    const target: LogTarget = {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      isLevelEnabled: (level) => level !== 'info',
    };
    const log = signalLog(target);
    for (const nowMs of [0, 10, 20]) log.observe({ type: 'warning', text: 'odd' }, nowMs);
    log.observe({ type: 'notice', text: 'quiet' }, 30);
    log.flush(40);

    expect(lines).toEqual([
      ['warn', 'odd', undefined],
      ['warn', 'odd', 2],
    ]);
  });
});
