import { describe, expect, test } from 'vitest';
import { marble } from '../../marbles/marble.ts';
import type { MarbleHelpers } from '../../src/marbleKit.ts';
import { owns, type Shard } from '../../src/model/shard.ts';
import { podShardSelector } from '../../src/model/shardRange.ts';
import { slimOwners } from '../../src/operators/slimOwners.ts';
import { pods } from '../../src/sources/pods.ts';
import { virtualTransport } from '../../src/testing.ts';
import { metadataListAccept, namesOf, type TestServer, testServer } from './simulatorKit.ts';

const shards = [0, 1, 2].map((index): Shard => ({ index, total: 3, function: 'fnv1a64-range' }));
const names = Array.from({ length: 60 }, (_, at) => `web-${String(at).padStart(2, '0')}`);

function serverWithPods(shardedLists: boolean): TestServer {
  const server = testServer({ shardedLists });
  for (const name of names) server.pod(name);
  return server;
}

const listOf = (server: TestServer, shardSelector: string, path = '/api/v1/pods') =>
  server.get(path, { shardSelector, limit: '500' }, metadataListAccept);

describe('shardSelector at the simulated server', () => {
  test('divides a list, which says so in the canonical text; the shards together have everything once', () => {
    const server = serverWithPods(true);
    const lists = shards.map((shard) => listOf(server, podShardSelector(shard).replaceAll(', ', ',')));

    expect(lists.map(({ body }) => body.metadata)).toEqual(
      shards.map((shard) => ({ resourceVersion: '1060', shardInfo: { selector: podShardSelector(shard) } })),
    );
    expect(lists.flatMap(({ body }) => namesOf(body)).toSorted()).toEqual(names);
    expect(lists.every(({ body }) => namesOf(body).length > 5)).toBe(true);
  });

  test('is not seen with the gate off: everything comes, and no shardInfo', () => {
    const { body } = listOf(serverWithPods(false), podShardSelector({ index: 0, total: 3 }));

    expect(namesOf(body)).toEqual(names);
    expect(body.metadata).toEqual({ resourceVersion: '1060' });
  });

  test('ends as 500 if it is malformed, and only with the gate on', () => {
    const short = "shardRange(object.metadata.uid, '0x0', '0x8000000000000000')";

    expect(listOf(serverWithPods(true), short)).toMatchObject({ status: 500, body: { reason: 'InternalError' } });
    expect(listOf(serverWithPods(false), short).status).toBe(200);
  });

  test('divides no watch of Events, which are not cached', () => {
    const server = testServer({ shardedLists: true });
    for (const name of names) server.event(name);
    const watch = server.open('/api/v1/events', { watch: 'true', resourceVersion: '1000', shardSelector: podShardSelector(shards[0]!) });

    expect(watch.lines().length).toBe(names.length);
  });
});

/** What one shard reads of the pods, and how many bytes of them. */
function podsOf(shard: Shard, shardedLists: boolean, streamingLists: boolean, { runtime, signals, flush }: MarbleHelpers) {
  const before = signals.length;
  const server = serverWithPods(shardedLists);
  const kept: string[] = [];
  const settings = { namespace: '', scope: '', shard, systemNamespaces: [], streamingLists, serverShards: true };
  const reading = pods(settings, virtualTransport(server.core, {}, runtime), runtime)
    .pipe(slimOwners(settings, runtime))
    .subscribe((change) => change.type === 'pod' && kept.push(change.pod.name));
  runtime.scheduler.schedule(() => server.pod('later-1'), 3_000);
  runtime.scheduler.schedule(() => server.pod('later-2'), 3_001);
  runtime.scheduler.schedule(() => reading.unsubscribe(), 5_000);
  flush();
  const told = signals.slice(before);
  const bytes = told.flatMap((signal) => (signal.type === 'frameRead' ? [signal.bytes] : [])).reduce((sum, each) => sum + each, 0);
  const foreign = told.filter(({ type }) => type === 'foreignPod').length;
  const own = [...server.core.objects('Pod')]
    .filter(({ metadata }) => owns(shard, metadata.uid ?? ''))
    .map(({ metadata }) => metadata.name ?? '');
  return { kept: kept.toSorted(), own: own.toSorted(), bytes, foreign };
}

describe('the reader of pods', () => {
  for (const streamingLists of [true, false]) {
    const by = streamingLists ? 'a streaming list' : 'pages';

    marble(`keeps the same pods by ${by} whether the server divides them or not, and counts those it need not have sent`, (t) => {
      const divided = podsOf(shards[1]!, true, streamingLists, t);
      const whole = podsOf(shards[1]!, false, streamingLists, t);

      expect(divided.kept).toEqual(divided.own);
      expect(whole.kept).toEqual(whole.own);
      expect(divided.foreign).toBe(0);
      expect(whole.foreign).toBe(names.length + 2 - whole.own.length);
    });
  }

  marble('gets a third of the bytes where the server divides them in three', (t) => {
    const [divided, whole] = [true, false].map((gate) => podsOf(shards[1]!, gate, true, t).bytes);

    expect((divided ?? 0) / (whole ?? 1)).toBeLessThan(0.5);
  });
});
