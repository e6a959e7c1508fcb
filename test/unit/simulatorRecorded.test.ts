import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { PlainObject } from '../../src/testing.ts';
import { type Line, metadataAccept, metadataListAccept, type TestServer, testServer } from './simulatorKit.ts';

const folder = new URL('../fixtures/apiserver-1.36.2/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const streaming = { watch: 'true', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };

/** Makes the same writes at the same versions as the recorded server saw. */
function write(server: TestServer, kind: 'Event' | 'Pod', { type, object }: Line): void {
  const { resourceVersion = '', namespace = '', name = '' } = object.metadata;
  server.core.passVersions(Number(resourceVersion) - Number(server.core.resourceVersion()) - 1);
  // What changed of a pod is often its status, which a recording of metadata does not show.
  const whole = kind === 'Pod' ? { ...object, status: { changedAt: resourceVersion } } : object;
  if (type === 'ADDED') server.core.create(kind, whole);
  if (type === 'MODIFIED') server.core.update(kind, whole);
  if (type === 'DELETED') server.core.remove(kind, namespace, name);
}

function recorded(name: string): { readonly text: string; readonly lines: Line[]; readonly state: number } {
  const text = read(name);
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
  return { text, lines, state: lines.findIndex(({ type }) => type === 'BOOKMARK') };
}

const byVersion = (a: Line, b: Line): number => Number(a.object.metadata.resourceVersion) - Number(b.object.metadata.resourceVersion);

describe('the simulated server, given the writes that a real 1.36.2 server was given', () => {
  test('tells a streaming list and watch of events byte for byte', () => {
    const { text, lines, state } = recorded('events.json.stream');
    const server = testServer({ resourceVersion: '1' });
    for (const line of lines.slice(0, state).sort(byVersion)) write(server, 'Event', line);
    server.core.passVersions(252 - Number(server.core.resourceVersion()));
    const watch = server.open('/api/v1/events', streaming);
    for (const line of lines.slice(state + 1)) write(server, 'Event', line);
    expect(watch.text()).toBe(text);
    expect(lines.length).toBe(219);
  });

  test('tells a watch of pods as metadata byte for byte, but for removals, and bookmarks of its own', () => {
    const { text, lines } = recorded('pods.json.stream');
    const server = testServer({ resourceVersion: '252' });
    const watch = server.open('/api/v1/pods', streaming, metadataAccept);
    for (const line of lines) write(server, 'Pod', line);
    // The last write before a removal is not in a recording of what clients are told.
    const rough = (line: string): string => (line.startsWith('{"type":"DELETED"') ? briefly(JSON.parse(line) as Line) : line);
    const kept = text.split('\n').filter((line, at) => at === 0 || !line.startsWith('{"type":"BOOKMARK"'));
    expect(watch.text().split('\n').map(rough)).toEqual(kept.map(rough));
    server.clock.now += 62_000;
    const own = watch.text().trim();
    expect(own).toBe(text.trim().split('\n').at(-1)?.replace('"958"', `"${server.core.resourceVersion()}"`));
  });

  test.each([
    ['events.json.stream', 'events.list.json', 'Event', '/api/v1/events', 'application/json'],
    ['pods.json.stream', 'pods.metadata.list.json', 'Pod', '/api/v1/pods', metadataListAccept],
  ] as const)('lists what %s left behind as %s', (streamName, listName, kind, path, accept) => {
    const { lines } = recorded(streamName);
    const server = testServer({ resourceVersion: '1' });
    const listed = JSON.parse(read(listName)) as { metadata: { resourceVersion: string } };
    const before = lines.filter(({ object }) => Number(object.metadata.resourceVersion) <= Number(listed.metadata.resourceVersion));
    for (const line of before.sort(byVersion)) write(server, kind, line);
    server.core.passVersions(Number(listed.metadata.resourceVersion) - Number(server.core.resourceVersion()));
    const { body } = server.get(path, {}, accept);
    expect(body).toEqual(listed);
    expect(Object.keys(body.items?.[0] ?? {})).toEqual(Object.keys((listed as unknown as { items: PlainObject[] }).items[0] ?? {}));
  });

  test('refuses an expired continue token with the recorded body', () => {
    const recordedBody = JSON.parse(read('list-410.json')) as { metadata: { continue: string } };
    const point = JSON.parse(Buffer.from(recordedBody.metadata.continue, 'base64url').toString('utf8')) as { start: string };
    const server = testServer();
    for (const name of [point.start.split('/')[1]?.slice(0, -1) ?? '', 'zzz'])
      server.event(name, { metadata: { name, namespace: 'batch' } });
    const first = server.get('/api/v1/events', { limit: '1' });
    server.event('later');
    server.core.compact();
    const second = server.get('/api/v1/events', { limit: '1', continue: first.body.metadata.continue ?? '' });
    expect(second).toEqual({ status: 410, body: recordedBody });
  });

  test('refuses a compacted watch with the recorded line', () => {
    const server = testServer();
    const from = server.core.resourceVersion();
    server.event('a');
    server.event('b');
    server.core.compact();
    const watch = server.open('/api/v1/events', { watch: 'true', resourceVersion: from });
    expect([watch.status, watch.text(), watch.end()]).toEqual([200, read('watch-410.json.stream'), 'close']);
  });
});

function briefly({ type, object }: Line): string {
  return `${type} ${object.metadata.namespace}/${object.metadata.name} ${object.metadata.resourceVersion}`;
}
