import { describe, expect, test } from 'vitest';
import { brief, namesOf, testServer } from './simulatorKit.ts';

const events = '/api/v1/events';
const pods = '/api/v1/pods';
const from = (resourceVersion: string): Record<string, string> => ({
  watch: 'true',
  resourceVersion,
  allowWatchBookmarks: 'true',
  timeoutSeconds: '600',
});

describe('compaction', () => {
  /** Four events at 1001 to 1004, compacted up to 1003. */
  function compacted(): ReturnType<typeof testServer> {
    const server = testServer();
    for (const name of ['a', 'b', 'c', 'd']) server.event(name);
    server.core.compact('1003');
    return server;
  }

  test.each([
    ['1001', ['ERROR 410']],
    ['1002', ['ADDED c', 'ADDED d']],
    ['1003', ['ADDED d']],
    ['1004', []],
  ])('lets a watch from %s see %j: its next version must still be there', (version, seen) => {
    expect(brief(compacted().open(events, from(version)).lines())).toEqual(seen);
  });

  test('refuses in the form that is chosen: HTTP, a line, or a close without a byte', () => {
    const server = compacted();
    server.core.expireAs('Event', 'http');
    expect(server.get(events, from('1000'))).toMatchObject({
      status: 410,
      body: { kind: 'Status', reason: 'Expired', code: 410, message: 'too old resource version: 1000 (1004)' },
    });
    server.core.expireAs('Event', 'close');
    const closed = server.open(events, from('1000'));
    expect([closed.status, closed.text(), closed.end()]).toEqual([200, '', 'close']);
    server.core.expireAs('Event', 'line');
    const line = server.open(events, from('1000'));
    expect([line.status, brief(line.lines()), line.end()]).toEqual([200, ['ERROR 410'], 'close']);
    expect(brief(server.open(pods, from('1000')).lines())).toEqual(['ERROR 410']);
  });

  test('takes nothing from a watch that is open, however far its reader is behind', () => {
    const server = testServer();
    const watch = server.open(events, from('1000'));
    for (let round = 0; round < 3; round++) {
      server.event(`e${round}`);
      server.core.compact();
    }
    expect(brief(watch.lines())).toEqual(['ADDED e0', 'ADDED e1', 'ADDED e2']);
  });

  test('keeps the state, also of what was removed and made again', () => {
    const server = testServer();
    server.event('a');
    server.event('b');
    server.core.remove('Event', 'shop', 'a');
    server.core.compact();
    expect(namesOf(server.get(events).body)).toEqual(['b']);
    server.event('a', { reason: 'SecondLife' });
    server.core.compact();
    expect(namesOf(server.get(events).body)).toEqual(['a', 'b']);
    expect(() => server.core.compact('9999')).toThrow('the store is at 1004');
  });
});

describe('restore', () => {
  /** Two events before the backup of 1002, three writes after it. */
  function restored(streams?: 'reset' | 'close' | 'keep') {
    const server = testServer();
    server.event('a');
    server.event('b');
    const watch = server.open(events, from('1000'));
    server.core.update('Event', { metadata: { name: 'a', namespace: 'shop' }, count: 2 });
    server.core.remove('Event', 'shop', 'b');
    server.event('lost');
    const before = brief(watch.lines());
    server.core.restore('1002', streams);
    return { server, watch, before };
  }

  test('puts the state back, and gives the same versions again to other writes', () => {
    const { server } = restored();
    expect(server.core.resourceVersion()).toBe('1002');
    expect(namesOf(server.get(events).body)).toEqual(['a', 'b']);
    expect(server.core.read('Event', 'shop', 'a')).not.toHaveProperty('count');
    server.event('new');
    expect(brief(server.open(events, from('1002')).lines())).toEqual(['ADDED new']);
    expect(
      server.core.writes.map(
        ({ incarnation, resourceVersion, type, object }) => `${incarnation} ${resourceVersion} ${type} ${object.metadata.name}`,
      ),
    ).toEqual(['0 1001 ADDED a', '0 1002 ADDED b', '0 1003 MODIFIED a', '0 1004 DELETED b', '0 1005 ADDED lost', '1 1003 ADDED new']);
  });

  test('breaks open streams, or closes them, or keeps them waiting for what they have seen', () => {
    for (const how of ['reset', 'close'] as const) {
      const { server, watch, before } = restored(how);
      expect(before).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b', 'ADDED lost']);
      expect([watch.text(), watch.end(), server.core.openStreams()]).toEqual(['', how, 0]);
    }
    const { server, watch } = restored('keep');
    for (const name of ['x', 'y', 'z', 'seen']) server.event(name);
    expect([brief(watch.lines()), watch.end()]).toEqual([['ADDED seen'], 'open']);
  });

  test('keeps a stream whose reader was behind the backup on its way', () => {
    const server = testServer();
    const watch = server.open(events, from('1000'));
    server.event('a');
    server.event('b');
    server.event('lost');
    server.core.restore('1002', 'keep');
    server.event('c');
    expect(brief(watch.lines())).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
  });

  test('can be done again, lets a watch from the future wait, and counts lives anew', () => {
    const { server } = restored();
    server.event('second');
    server.core.restore('1001');
    expect(namesOf(server.get(events).body)).toEqual(['a']);
    const waiting = server.open(events, from('1005'));
    server.event('third');
    expect([waiting.status, waiting.text()]).toEqual([200, '']);
    expect(server.core.writes.at(-1)).toMatchObject({ incarnation: 2, resourceVersion: '1002' });
    server.clock.now += 3_659_999;
    expect(namesOf(server.get(events).body)).toEqual(['a', 'third']);
    server.clock.now += 1;
    expect(namesOf(server.get(events).body)).toEqual([]);
  });

  test('goes back to a version at which nothing here was written', () => {
    const server = testServer();
    server.event('a');
    server.core.passVersions(5);
    server.event('lost');
    server.core.restore('1004');
    expect([server.core.resourceVersion(), namesOf(server.get(events).body)]).toEqual(['1004', ['a']]);
    expect(server.event('b').metadata.resourceVersion).toBe('1005');
  });

  test('keeps what was compacted before the backup compacted', () => {
    const server = testServer();
    for (const name of ['a', 'b', 'c', 'd']) server.event(name);
    server.core.compact('1003');
    server.core.restore('1003');
    expect(brief(server.open(events, from('1001')).lines())).toEqual(['ERROR 410']);
    expect(brief(server.open(events, from('1002')).lines())).toEqual(['ADDED c']);
    expect(() => server.core.restore('1004')).toThrow('no backup of 1004');
  });
});
