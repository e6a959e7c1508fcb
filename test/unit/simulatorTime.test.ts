import { describe, expect, test } from 'vitest';
import { brief, namesOf, testServer } from './simulatorKit.ts';

const events = '/api/v1/events';
const pods = '/api/v1/pods';
const from = (resourceVersion: string, more: object = {}): Record<string, string> => ({ watch: 'true', resourceVersion, ...more });

describe('time', () => {
  test('lets events expire an hour after their last write, in bursts of one version, and pods never', () => {
    const server = testServer();
    server.pod('p');
    server.event('b');
    server.event('a');
    server.clock.now += 30_000;
    server.event('c');
    server.core.update('Event', { metadata: { name: 'b', namespace: 'shop' }, count: 2 });
    server.clock.now += 40_000;
    server.event('d');
    server.core.update('Event', { metadata: { name: 'a', namespace: 'shop' }, count: 2 });
    const watch = server.open(events, from(server.core.resourceVersion(), { timeoutSeconds: '9999' }));
    expect(watch.dueAt()).toBe(server.clock.now - 70_000 + 3_660_000);
    server.clock.now += 3_600_000;
    const first = watch.lines();
    expect(brief(first)).toEqual(['DELETED b', 'DELETED c']);
    expect(new Set(first.map(({ object }) => object.metadata.resourceVersion)).size).toBe(1);
    server.clock.now += 60_000;
    expect(brief(watch.lines())).toEqual(['DELETED a', 'DELETED d']);
    expect([namesOf(server.get(events).body), namesOf(server.get(pods).body)]).toEqual([[], ['p']]);
    expect(server.core.writes.filter(({ type }) => type === 'DELETED').map(({ object }) => object.metadata.name)).toEqual([
      'b',
      'c',
      'a',
      'd',
    ]);
  });

  test('lets at most a thousand events expire at once', () => {
    const server = testServer();
    for (let at = 0; at < 1500; at++) server.event(`e${at}`);
    const watch = server.open(events, from(server.core.resourceVersion(), { timeoutSeconds: '9999' }));
    server.clock.now += 3_660_000;
    const versions = watch.lines().map(({ object }) => object.metadata.resourceVersion);
    expect(versions.filter((version) => version === versions[0]).length).toBe(1000);
    expect([versions.length, new Set(versions).size]).toEqual([1500, 2]);
  });

  test('compacts the history before the last time when asked to, and a quiet reader at the newest version survives it', () => {
    const server = testServer({ compactEveryMs: 300_000 });
    server.event('a');
    server.clock.now += 300_000;
    server.event('b');
    expect([server.core.compactedVersion(), server.core.resourceVersion()]).toEqual(['1000', '1002']);
    server.clock.now += 600_000;
    server.core.advance();
    expect(server.core.compactedVersion()).toBe('1002');
    expect(server.open(events, from('1002')).text()).toBe('');
    expect(brief(server.open(events, from('1001')).lines())).toEqual(['ADDED b']);
    expect(brief(server.open(events, from('1000')).lines())).toEqual(['ERROR 410']);
  });
});
