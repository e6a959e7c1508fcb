import { BehaviorSubject, NEVER, type Observable, of, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/errors.ts';
import type { Frame, KubeRequest, KubeWrite } from '../../src/ports.ts';
import { type Core, type CoreSettings, core, seededRandom, type VirtualTransportSettings, virtualTransport } from '../../src/testing.ts';

const start = Date.parse('2026-11-30T10:00:00Z');
const neverPaused = of(false);

/** A server and a transport on one virtual clock, and a log of what a subscription sees. */
function world(settings: VirtualTransportSettings & CoreSettings & { seed?: number } = {}) {
  const scheduler = new VirtualTimeScheduler();
  scheduler.maxFrames = Number.POSITIVE_INFINITY;
  const random = seededRandom(settings.seed ?? 1);
  const server = core({ resourceVersion: '1000', ...settings }, { now: () => start + scheduler.now(), random });
  const runtime = { scheduler, random, signal: () => {} };
  const { token, ...rest } = settings;
  const transport = virtualTransport(server, { ...rest, ...(token === undefined ? {} : { token }) }, runtime);
  /** Runs everything that is due within so many milliseconds. */
  const pass = (ms: number): void => {
    scheduler.schedule(() => {}, ms);
    scheduler.maxFrames = scheduler.now() + ms;
    scheduler.flush();
  };
  const event = (name: string): unknown => server.create('Event', { metadata: { name, namespace: 'shop' } });
  return { scheduler, server, transport, pass, event };
}

function request(query: Record<string, string> = {}, path = '/api/v1/events'): KubeRequest {
  return { stream: 'events', path, query, accept: 'application/json' };
}

const watch = (more: Record<string, string> = {}): KubeRequest =>
  request({ watch: 'true', resourceVersion: '1000', timeoutSeconds: '300', ...more });

/** What is seen: `200`, names of lines, torn, status of an answer, then how it ended. */
function log(frames: Observable<Frame>) {
  const seen: string[] = [];
  const subscription = frames.subscribe({
    next: (frame) => seen.push(briefly(frame)),
    error: (error: unknown) => seen.push(error instanceof PipelineError ? error.code : String(error)),
    complete: () => seen.push('complete'),
  });
  return { seen, subscription };
}

function briefly(frame: Frame): string {
  switch (frame.type) {
    case 'opened':
      return String(frame.status);
    case 'line': {
      const { type, object } = JSON.parse(Buffer.from(frame.bytes).toString('utf8')) as {
        type: string;
        object: { metadata: { name?: string } };
      };
      return `${type} ${object.metadata.name ?? ''}`.trim();
    }
    case 'torn':
      return 'torn';
    case 'oversized':
      return 'oversized';
    case 'answer':
      return `answer ${frame.status}`;
    case 'exhausted':
      return 'exhausted';
  }
}

describe('the virtual transport', () => {
  test.each([1, 2, 3, 4, 5, 6])('tells every line whole and in order, wherever chance %i cuts the chunks', (seed) => {
    const { transport, pass, event } = world({ seed, chunkBytesMax: [1, 3, 40, 500, 16_384, 100_000][seed - 1] ?? 1 });
    for (let at = 0; at < 20; at++) event(`e${at}`);
    const { seen } = log(transport.stream(watch(), neverPaused));
    pass(1000);
    expect(seen).toEqual(['200', ...Array.from({ length: 20 }, (_, at) => `ADDED e${at}`)]);
  });

  test('puts several lines into one chunk, and tells a write after the latency', () => {
    const { transport, pass, event, scheduler, server } = world({ latencyMsMax: 9, seed: 3 });
    const { seen } = log(transport.stream(watch(), neverPaused));
    pass(20);
    expect(seen).toEqual(['200']);
    event('a');
    event('b');
    expect(seen).toEqual(['200']);
    pass(10);
    expect(seen).toEqual(['200', 'ADDED a', 'ADDED b']);
    expect([server.openStreams(), scheduler.now()]).toEqual([1, 30]);
  });

  test('takes nothing while paused, loses nothing, and goes on at once', () => {
    const { transport, pass, event, server } = world();
    const paused = new BehaviorSubject(false);
    const { seen } = log(transport.stream(watch(), paused));
    pass(20);
    paused.next(true);
    for (let at = 0; at < 5; at++) event(`e${at}`);
    pass(60_000);
    server.compact();
    expect(seen).toEqual(['200']);
    paused.next(false);
    pass(0);
    expect(seen.slice(1)).toEqual(['ADDED e0', 'ADDED e1', 'ADDED e2', 'ADDED e3', 'ADDED e4']);
  });

  test('stops within a chunk when the reader pauses while it reads', () => {
    const { transport, pass, event } = world({ chunkBytesMax: 200 });
    for (let at = 0; at < 9; at++) event(`e${at}`);
    const paused = new BehaviorSubject(false);
    const seen: string[] = [];
    transport.stream(watch(), paused).subscribe((frame) => {
      seen.push(briefly(frame));
      if (frame.type === 'line') paused.next(true);
    });
    pass(1000);
    expect(seen).toEqual(['200', 'ADDED e0']);
    paused.next(false);
    pass(0);
    expect(seen).toEqual(['200', 'ADDED e0', 'ADDED e1']);
  });

  test('completes at the deadline and leaves no timer', () => {
    const { transport, pass, scheduler, server } = world();
    const { seen } = log(transport.stream(watch({ timeoutSeconds: '30' }), neverPaused));
    pass(29_990);
    expect(seen).toEqual(['200']);
    pass(20);
    expect([seen, server.openStreams(), scheduler.actions.length]).toEqual([['200', 'complete'], 0, 0]);
  });

  test('ends the request when unsubscribed: before, while, and after it is answered', () => {
    for (const ms of [0, 3, 50]) {
      const { transport, pass, event, scheduler, server } = world({ latencyMsMax: 6, seed: 2 });
      event('a');
      const { subscription, seen } = log(transport.stream(watch(), neverPaused));
      pass(ms);
      subscription.unsubscribe();
      const length = seen.length;
      event('b');
      pass(1000);
      expect([server.openStreams(), scheduler.actions.length, seen.length]).toEqual([0, 0, length]);
    }
  });

  test('asks nothing before it is subscribed to, and anew at each subscription', () => {
    const { transport, pass, server } = world();
    const answers = transport.get(request());
    pass(100);
    expect(server.requests).toEqual([]);
    answers.subscribe();
    answers.subscribe();
    pass(100);
    expect(server.requests.length).toBe(2);
  });

  test('gives any other answer whole, with its date and when to come again', () => {
    const { transport, pass, server } = world();
    server.faults.next({}, { type: 'status', status: 429, retryAfter: '5' });
    const frames: Frame[] = [];
    transport.stream(watch(), NEVER).subscribe((frame) => frames.push(frame));
    pass(100);
    expect(frames).toMatchObject([{ type: 'answer', status: 429, retryAfter: '5', date: 'Mon, 30 Nov 2026 10:00:00 GMT' }]);
  });

  test('gets a list in one answer', () => {
    const { transport, pass, event } = world({ chunkBytesMax: 30 });
    event('a');
    const bodies: unknown[] = [];
    transport
      .get(request({ limit: '5' }))
      .subscribe((answer) => bodies.push(answer.type === 'answer' ? JSON.parse(Buffer.from(answer.body).toString()) : answer));
    pass(100);
    expect(bodies).toMatchObject([{ kind: 'EventList', items: [{ metadata: { name: 'a' } }] }]);
  });

  test.each([
    [{ type: 'refuse' }, ['CONNECTION_FAILED']],
    [{ type: 'hang' }, []],
    [{ type: 'cut', afterBytes: 500, end: 'reset' }, ['200', 'ADDED a', 'CONNECTION_FAILED']],
    [{ type: 'cut', afterBytes: 500, end: 'close' }, ['200', 'ADDED a', 'torn', 'complete']],
    [{ type: 'cut', afterBytes: 0, end: 'reset' }, ['200', 'CONNECTION_FAILED']],
    [{ type: 'silence', afterBytes: 500 }, ['200', 'ADDED a']],
    [{ type: 'expired', form: 'close' }, ['200', 'complete']],
    [{ type: 'expired', form: 'http' }, ['answer 410', 'complete']],
    [{ type: 'slow', chunkBytes: 20, everyMs: 10 }, ['200', 'ADDED a', 'ADDED b']],
  ] as const)('meets %j as a network would', (fault, expected) => {
    const { transport, pass, event, server } = world();
    event('a');
    event('b');
    server.faults.next({}, fault);
    const { seen } = log(transport.stream(watch(), neverPaused));
    pass(2000);
    expect(seen).toEqual(expected);
  });

  test('reads a token anew for each request', () => {
    const scheduler = new VirtualTimeScheduler();
    const random = seededRandom(1);
    const server: Core = core({ token: 'second' }, { now: () => scheduler.now(), random });
    const tokens = ['first', 'second'];
    const transport = virtualTransport(server, { token: () => tokens.shift() ?? '' }, { scheduler, random, signal: () => {} });
    for (let times = 0; times < 2; times++) transport.get(request()).subscribe();
    scheduler.flush();
    expect(server.requests.map(({ outcome }) => outcome)).toEqual([401, 200]);
  });

  test('drives what time alone brings: bookmarks and expiry reach a reader though nobody writes', () => {
    const { transport, pass, event, server } = world();
    event('a');
    const { seen } = log(transport.stream(watch({ resourceVersion: '1001', timeoutSeconds: '9000' }), neverPaused));
    const pods = log(transport.stream({ ...watch({ allowWatchBookmarks: 'true' }), path: '/api/v1/pods' }, neverPaused));
    pass(4_000_000);
    expect(seen).toEqual(['200', 'DELETED a']);
    expect(pods.seen).toEqual(['200', 'BOOKMARK', 'BOOKMARK', 'BOOKMARK', 'BOOKMARK', 'BOOKMARK', 'complete']);
    expect(server.writes.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
  });

  describe('writes', () => {
    const write = (name: string): KubeWrite => ({
      ...request({}, '/apis/coordination.k8s.io/v1/namespaces/sluice/leases'),
      method: 'POST',
      body: JSON.stringify({ metadata: { name } }),
    });

    test('are answered once, after the latency both ways', () => {
      const { transport, pass, server } = world({ latencyMsMax: 9, seed: 3 });
      const { seen } = log(transport.send(write('l-0')));
      expect(server.requests).toEqual([]);
      pass(20);
      expect(seen).toEqual(['answer 201', 'complete']);
      expect(server.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
    });

    test('that were sent are done, also when nobody waits for the answer or the answer is lost', () => {
      const { transport, pass, server } = world();
      log(transport.send(write('l-0'))).subscription.unsubscribe();
      server.faults.next({ on: 'create', path: write('').path }, { type: 'lost' }, 2);
      const { seen } = log(transport.send(write('l-1')));
      pass(20);
      expect(seen).toEqual(['CONNECTION_FAILED']);
      expect(server.objects('Lease').map(({ metadata }) => metadata.name)).toEqual(['l-0', 'l-1']);
    });
  });
});
