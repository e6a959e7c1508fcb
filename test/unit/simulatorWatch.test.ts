import { describe, expect, test } from 'vitest';
import { brief, type Line, metadataAccept, type TestServer, testServer } from './simulatorKit.ts';

const events = '/api/v1/events';
const pods = '/api/v1/pods';
const from = (resourceVersion: string, more: object = {}): Record<string, string> => ({
  watch: 'true',
  resourceVersion,
  allowWatchBookmarks: 'true',
  ...more,
});
const streaming = { watch: 'true', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };

describe('a watch of the simulated server', () => {
  test('tells the history after its version, then what is written', () => {
    const server = testServer();
    server.event('a');
    server.event('b');
    const watch = server.open(events, from('1001'));
    expect(brief(watch.lines())).toEqual(['ADDED b']);
    server.core.update('Event', { metadata: { name: 'a', namespace: 'shop' }, count: 2 });
    server.core.remove('Event', 'shop', 'b');
    const lines = watch.lines();
    expect(brief(lines)).toEqual(['MODIFIED a', 'DELETED b']);
    expect(lines.map(({ object }) => object.metadata.resourceVersion)).toEqual(['1003', '1004']);
    expect([watch.lines(), watch.end()]).toEqual([[], 'open']);
  });

  test('keeps its version and tells nothing when the same is written again', () => {
    const server = testServer();
    const written = server.event('a', { count: 1 });
    const watch = server.open(events, from('1001'));
    expect(server.core.update('Event', written)).toBe(written);
    expect([watch.lines(), server.core.resourceVersion(), server.core.writes.length]).toEqual([[], '1001', 1]);
  });

  test('tells one namespace only, and another kind never', () => {
    const server = testServer();
    const watch = server.open('/api/v1/namespaces/shop/events', from('1000'));
    server.event('a');
    server.event('b', { metadata: { name: 'b', namespace: 'data' } });
    server.pod('p');
    expect(brief(watch.lines())).toEqual(['ADDED a']);
  });

  test('tells the state first when no version or 0 is given, in key order and without a bookmark', () => {
    const server = testServer();
    server.event('b');
    server.event('a');
    for (const query of [{ watch: 'true' }, from('0')]) expect(brief(server.open(events, query).lines())).toEqual(['ADDED a', 'ADDED b']);
  });

  test('turns what begins or ceases to match a selector into additions and removals', () => {
    const server = testServer();
    server.event('a', { type: 'Normal' });
    const watch = server.open(events, from('1001', { fieldSelector: 'type=Warning' }));
    for (const type of ['Warning', 'Warning', 'Normal', 'Normal'] as const)
      server.core.update('Event', { metadata: { name: 'a', namespace: 'shop' }, type, count: server.core.writes.length });
    server.core.remove('Event', 'shop', 'a');
    const lines = watch.lines();
    expect(brief(lines)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    expect(lines.at(-1)?.object).toMatchObject({ type: 'Warning', metadata: { resourceVersion: '1004' } });
  });

  test('from a version that has not come answers 200, and stays silent up to that version', () => {
    const server = testServer();
    const watch = server.open(events, from('1002'));
    expect([watch.status, watch.text()]).toEqual([200, '']);
    for (const name of ['a', 'b', 'c']) server.event(name);
    expect(brief(watch.lines())).toEqual(['ADDED c']);
  });

  test('ends cleanly at timeoutSeconds, and first tells what was written before', () => {
    const server = testServer();
    const watch = server.open(events, from('1000', { timeoutSeconds: '300' }));
    expect(watch.dueAt()).toBe(server.clock.now + 300_000);
    server.clock.now += 299_999;
    server.event('a');
    server.clock.now += 2;
    server.event('late');
    expect([brief(watch.lines()), watch.end()]).toEqual([['ADDED a'], 'close']);
    expect(server.core.openStreams()).toBe(0);
  });

  test('is ended by the server between half an hour and an hour when the client names no timeout', () => {
    const server = testServer();
    const due = Number(server.open(events, from('1000')).dueAt()) - server.clock.now;
    expect(due).toBeGreaterThanOrEqual(1_800_000);
    expect(due).toBeLessThan(3_600_000);
  });

  test('can be cut by the server, for one stream or for all', () => {
    const server = testServer();
    const [watch, other] = [server.open(events, from('1000')), server.open(pods, from('1000'))];
    server.event('a');
    server.pod('p');
    expect(server.core.endStreams('reset', 'events')).toBe(1);
    expect([watch.text(), watch.end(), server.core.openStreams()]).toEqual(['', 'reset', 1]);
    expect(server.core.endStreams('close')).toBe(1);
    server.clock.now += 1;
    server.pod('late');
    // A clean end comes after what was written before it.
    expect([brief(other.lines()), other.end(), server.core.openStreams()]).toEqual([['ADDED p'], 'close', 0]);
  });
});

describe('a streaming list', () => {
  test('tells the state in key order, the bookmark that ends it, then lives on', () => {
    const server = testServer();
    for (const name of ['c', 'a', 'b']) server.event(name);
    server.core.update('Event', { metadata: { name: 'a', namespace: 'shop' }, count: 2 });
    server.core.passVersions(6);
    const watch = server.open(events, streaming);
    server.event('d');
    const lines = watch.lines();
    expect(brief(lines)).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK 1010', 'ADDED d']);
    expect(lines.map(({ object }) => object.metadata.resourceVersion)).toEqual(['1004', '1003', '1001', '1010', '1011']);
    expect(lines[3]?.object).toMatchObject({ kind: 'Event', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } });
  });

  test('keeps its state while its reader pauses, whatever compaction takes', () => {
    const server = testServer();
    for (const name of ['a', 'b', 'c']) server.event(name);
    const watch = server.open(events, streaming);
    for (const name of ['a', 'b', 'c']) server.core.update('Event', { metadata: { name, namespace: 'shop' }, count: 9 });
    server.core.remove('Event', 'shop', 'b');
    server.core.compact();
    expect(brief(watch.lines())).toEqual([
      'ADDED a',
      'ADDED b',
      'ADDED c',
      'BOOKMARK 1003',
      'MODIFIED a',
      'MODIFIED b',
      'MODIFIED c',
      'DELETED b',
    ]);
  });

  test('declined tells no state, and an empty one is a bookmark alone', () => {
    const server = testServer();
    expect(brief(server.open(events, streaming).lines())).toEqual(['BOOKMARK 1000']);
    server.event('a');
    expect(server.open(events, { ...streaming, sendInitialEvents: 'false' }).lines()).toEqual([]);
    expect(brief(server.open(events, { ...streaming, sendInitialEvents: 'false', resourceVersion: '1000' }).lines())).toEqual(['ADDED a']);
  });
});

describe('bookmarks', () => {
  /** Seconds after the start at which bookmarks came within ten minutes. */
  function bookmarks(
    server: TestServer,
    path: string,
    query: Record<string, string>,
  ): { at: number[]; versions: (string | undefined)[]; end: string } {
    const watch = server.open(path, query, metadataAccept);
    const started = server.clock.now;
    const seen = { at: [] as number[], versions: [] as (string | undefined)[], end: 'open' };
    while (watch.end() === 'open' && server.clock.now < started + 600_000) {
      server.core.passVersions(1);
      for (const { object } of watch.lines()) {
        seen.at.push((server.clock.now - started) / 1000);
        seen.versions.push(object.metadata.resourceVersion);
      }
      server.clock.now += 500;
    }
    return { ...seen, end: watch.end() };
  }

  test('come for pods about once a minute and two seconds before the end, with the newest version', () => {
    const { at, versions, end } = bookmarks(testServer(), pods, from('1000', { timeoutSeconds: '200' }));
    expect(at.slice(0, 3).map(Math.round)).toEqual([61, 122, 182].map((about) => expect.closeTo(about, -1)));
    expect([at.length, at.at(-1), end]).toEqual([4, 198, 'close']);
    expect(versions.map(Number)).toEqual(at.map((seconds) => 1001 + seconds * 2));
  });

  test('come after the state and the writes that a slow reader has not taken yet', () => {
    const server = testServer();
    for (const name of ['a', 'b', 'c']) server.pod(name);
    const watch = server.open(pods, streaming);
    server.pod('d');
    server.pod('e');
    server.clock.now += 90_000;
    const lines = watch
      .text(1)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    expect(brief(lines)).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK 1003', 'ADDED d', 'ADDED e', 'BOOKMARK 1005']);
  });

  test('come only if asked for, and never for events', () => {
    expect(bookmarks(testServer(), pods, from('1000', { allowWatchBookmarks: 'false' })).at).toEqual([]);
    expect(bookmarks(testServer(), events, from('1000')).at).toEqual([]);
  });

  test('are not told to a watch that waits for a later version', () => {
    expect(bookmarks(testServer(), pods, from('1090', { timeoutSeconds: '100' })).versions.map(Number)).toEqual([expect.any(Number), 1197]);
    expect(bookmarks(testServer(), pods, from('9999', { timeoutSeconds: '100' })).at).toEqual([]);
  });
});
