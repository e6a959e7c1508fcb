import { describe, expect, test } from 'vitest';
import { brief, testServer } from './simulatorKit.ts';

const events = '/api/v1/events';
const pods = '/api/v1/pods';
const watch = { watch: 'true', resourceVersion: '1000', timeoutSeconds: '600' };

/** A server with two events, and the bytes of the watch that tells them. */
function twoEvents() {
  const server = testServer();
  server.event('a', { message: 'ü🚨' });
  server.event('b');
  return { server, bytes: Buffer.from(server.open(events, watch).text()) };
}

describe('a fault', () => {
  test.each(['reset', 'close'] as const)('cuts a stream after every number of bytes with a %s', (end) => {
    const { server, bytes } = twoEvents();
    for (let afterBytes = 0; afterBytes <= bytes.length; afterBytes++) {
      server.core.faults.next({ stream: 'events', on: 'watch' }, { type: 'cut', afterBytes, end });
      const answer = server.open(events, watch);
      const text = answer.text(7);
      // A cut after the last byte waits for no byte more.
      expect([text, answer.end()]).toEqual([bytes.subarray(0, afterBytes).toString(), end]);
    }
    expect(server.core.faults.waiting()).toBe(0);
  });

  test('cuts a list and an object too', () => {
    const { server } = twoEvents();
    server.core.faults.next({ on: 'list' }, { type: 'cut', afterBytes: 10, end: 'reset' });
    const answer = server.open(events);
    expect([answer.text(), answer.end()]).toEqual(['{"kind":"E', 'reset']);
  });

  test('is met by the requests that fit, so often as announced, older rules first', () => {
    const { server } = twoEvents();
    const statuses = (path: string, query?: Record<string, string>, times = 3): number[] =>
      Array.from({ length: times }, () => server.open(path, query).status);
    server.core.faults.next({ stream: 'events', on: 'watch' }, { type: 'status', status: 500 });
    server.core.faults.next({ on: ['watch', 'watchList'] }, { type: 'status', status: 503 }, 2);
    expect(statuses(pods, watch, 1)).toEqual([503]);
    expect(statuses(events)).toEqual([200, 200, 200]);
    expect(statuses(events, watch, 4)).toEqual([500, 503, 200, 200]);
    server.core.faults.next({ query: { limit: '1' } }, { type: 'status', status: 504 });
    expect([statuses(events), statuses(events, { limit: '1' })]).toEqual([
      [200, 200, 200],
      [504, 200, 200],
    ]);
    const calm = server.core.faults.always({ path: pods }, { type: 'status', status: 500 });
    expect(statuses(pods)).toEqual([500, 500, 500]);
    calm();
    expect(statuses(pods)).toEqual([200, 200, 200]);
    server.core.faults.next({}, { type: 'hang' });
    server.core.faults.clear();
    expect(statuses(pods)).toEqual([200, 200, 200]);
  });

  test('tells 429 and 5xx with a Status and when to come again, or with any other body', () => {
    const server = testServer();
    server.core.faults.next({}, { type: 'status', status: 429, retryAfter: '5' });
    const busy = server.open(events);
    expect([busy.status, busy.headers['retry-after'], JSON.parse(busy.text())]).toMatchObject([
      429,
      '5',
      { kind: 'Status', reason: 'TooManyRequests', details: { retryAfterSeconds: 5 }, code: 429 },
    ]);
    server.core.faults.next({}, { type: 'status', status: 503, retryAfter: 'Mon, 30 Nov 2026 10:00:09 GMT' });
    const stopping = server.open(events);
    expect([stopping.headers['retry-after'], JSON.parse(stopping.text())]).toMatchObject([
      'Mon, 30 Nov 2026 10:00:09 GMT',
      { reason: 'ServiceUnavailable', code: 503 },
    ]);
    for (const status of [500, 502, 504]) {
      server.core.faults.next({}, { type: 'status', status });
      expect(server.get(events)).toMatchObject({ status, body: { kind: 'Status', code: status } });
    }
    server.core.faults.next({}, { type: 'status', status: 502, body: 'upstream timed out' });
    const proxy = server.open(events);
    expect([proxy.status, proxy.headers['content-type'], proxy.text()]).toEqual([502, 'text/plain; charset=utf-8', 'upstream timed out']);
  });

  test('expires a watch in each form, a page with a token, a list without', () => {
    const { server } = twoEvents();
    const token = server.get(events, { limit: '1' }).body.metadata.continue ?? '';
    for (const form of ['http', 'line', 'close'] as const) server.core.faults.next({ on: 'watch' }, { type: 'expired', form });
    expect(server.get(events, watch)).toMatchObject({ status: 410, body: { code: 410 } });
    expect(brief(server.open(events, watch).lines())).toEqual(['ERROR 410']);
    expect(server.open(events, watch).text()).toBe('');
    server.core.faults.next({ on: 'page' }, { type: 'expired' });
    expect(server.get(events, { limit: '1', continue: token })).toMatchObject({
      status: 410,
      body: { metadata: { continue: expect.any(String) } },
    });
    server.core.faults.next({ on: 'list' }, { type: 'expired' });
    expect(server.get(events)).toMatchObject({ status: 410, body: { metadata: {} } });
  });

  test('falls silent after so many bytes and never ends', () => {
    const { server, bytes } = twoEvents();
    server.core.faults.next({ on: 'watch' }, { type: 'silence', afterBytes: bytes.length - 5 });
    const answer = server.open(events, watch);
    expect(Buffer.byteLength(answer.text())).toBe(bytes.length - 5);
    server.event('c');
    server.clock.now += 3_600_000;
    expect([answer.text(), answer.end(), answer.dueAt()]).toEqual(['', 'open', undefined]);
  });

  test('slows a body down to pieces', () => {
    const { server, bytes } = twoEvents();
    server.core.faults.next({ on: 'watch' }, { type: 'slow', chunkBytes: 100, everyMs: 250 });
    const answer = server.open(events, watch);
    let read = answer.text();
    expect(read.length).toBe(100);
    expect([answer.text(), answer.dueAt()]).toEqual(['', server.clock.now + 250]);
    let pieces = 1;
    for (; Buffer.byteLength(read) < bytes.length; pieces++) {
      server.clock.now += 250;
      read += answer.text();
    }
    expect(pieces).toBe(Math.ceil(bytes.length / 100));
    // A real clock moves between the two questions; the answer to the second must not be never.
    server.core.faults.next({ on: 'version' }, { type: 'slow', chunkBytes: 10, everyMs: 1 });
    const version = server.open('/version');
    version.text();
    server.clock.now += 5;
    expect(version.dueAt()).toBe(server.clock.now - 4);
  });

  test('refuses or never answers', () => {
    const { core } = testServer();
    core.faults.next({ on: 'version' }, { type: 'refuse' });
    core.faults.next({ on: 'version' }, { type: 'hang' });
    const ask = (): string => core.handle({ method: 'GET', path: '/version', query: {}, headers: {} }).type;
    expect([ask(), ask(), ask()]).toEqual(['refused', 'hung', 'answer']);
    expect(core.requests.map(({ on, outcome }) => [on, outcome])).toEqual([
      ['version', 'refused'],
      ['version', 'hung'],
      ['version', 200],
    ]);
  });
});

test('every request is remembered with what it asked and what became of it', () => {
  const server = testServer();
  server.open(events, watch);
  server.clock.now += 500;
  server.open('/api/v1/namespaces/shop/pods/web', {}, 'application/json');
  server.open(pods, { limit: '1', continue: 'x' });
  expect(server.core.requests).toEqual([
    {
      at: server.clock.now - 500,
      method: 'GET',
      path: events,
      query: watch,
      headers: { accept: 'application/json' },
      stream: 'events',
      on: 'watch',
      outcome: 200,
    },
    {
      at: server.clock.now,
      method: 'GET',
      path: '/api/v1/namespaces/shop/pods/web',
      query: {},
      headers: { accept: 'application/json' },
      stream: 'pods',
      on: 'get',
      outcome: 404,
    },
    {
      at: server.clock.now,
      method: 'GET',
      path: pods,
      query: { limit: '1', continue: 'x' },
      headers: { accept: 'application/json' },
      stream: 'pods',
      on: 'page',
      outcome: 400,
    },
  ]);
});
