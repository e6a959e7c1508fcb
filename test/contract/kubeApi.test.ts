import { asyncScheduler, BehaviorSubject, firstValueFrom, lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type { Frame, KubeRequest } from '../../src/ports.ts';
import { standStill } from '../../src/runtime.ts';
import type { KubeApiSettings } from '../../src/transports/kubeApi.ts';
import type { Protocol, Reply } from './apiServer.ts';
import { serve, transportTo } from './served.ts';

const coalescing: KubeApiSettings = { coalescing: { restMs: 20, scheduler: asyncScheduler, rest: standStill } };
const ways: readonly (readonly [name: string, Protocol, KubeApiSettings])[] = [
  ['http', 'http', {}],
  ['tls', 'tls', {}],
  ['h2', 'h2', {}],
  ['h2, resting between reads', 'h2', coalescing],
];
const request: KubeRequest = {
  stream: 'events',
  path: '/api/v1/events',
  query: { watch: 'true', labelSelector: 'a in (b, c)' },
  accept: 'application/json',
};

/** Frames with their bytes as text. */
function told(frame: Frame): unknown {
  if (frame.type === 'line') return Buffer.from(frame.bytes).toString();
  if (frame.type === 'answer') return { ...frame, body: Buffer.from(frame.body).toString() };
  return frame;
}

const notPaused = of(false);
const head = { date: 'Mon, 30 Nov 2026 16:10:26 GMT' };

describe.each(ways)('kubeApi over %s', (_name, protocol, way) => {
  it('streams lines as they come and completes at a clean end', async () => {
    const server = await serve(protocol, (_, reply) => {
      reply.writeHead(200, head);
      reply.write('{"a":1}\n{"b"');
      reply.end(':"\u{1f642}"}\n{"half');
    });
    const frames = await lastValueFrom(transportTo(server, way).stream(request, notPaused).pipe(toArray()));
    expect(frames.map(told)).toEqual([
      { type: 'opened', status: 200, date: head.date },
      '{"a":1}',
      '{"b":"\u{1f642}"}',
      { type: 'torn', bytes: 6 },
    ]);
  });

  it('asks with the path, the query, the accept header, the credentials and its own name', async () => {
    const server = await serve(protocol, (_, reply) => reply.writeHead(200) && reply.end());
    await lastValueFrom(
      transportTo(server, { ...way, userAgent: 'kube-sluice/1' })
        .stream(request, notPaused)
        .pipe(toArray()),
    );
    const asked = server.asked[0];
    expect(asked?.url).toBe('/api/v1/events?watch=true&labelSelector=a+in+%28b%2C+c%29');
    expect(asked?.headers).toMatchObject({ accept: 'application/json', authorization: 'Bearer abc', 'user-agent': 'kube-sluice/1' });
    expect(asked?.headers['accept-encoding']).toBeUndefined();
    expect(asked?.http).toBe(protocol === 'h2' ? 2 : 1);
  });

  it('gives any other status as one answer with its head and its body', async () => {
    const server = await serve(protocol, (_, reply) => {
      reply.writeHead(429, { ...head, 'retry-after': '5' });
      reply.end('{"kind":"Status","code":429}');
    });
    const wanted = { type: 'answer', status: 429, date: head.date, retryAfter: '5', body: '{"kind":"Status","code":429}' };
    const transport = transportTo(server, way);
    const frames = await lastValueFrom(transport.stream(request, notPaused).pipe(toArray()));
    expect(frames.map(told)).toEqual([wanted]);
    expect(told(await lastValueFrom(transport.get(request)))).toEqual(wanted);
  });

  it('cuts the body of a refusal at 64 KiB', async () => {
    const server = await serve(protocol, (_, reply) => {
      reply.writeHead(503);
      reply.end('x'.repeat(200_000));
    });
    const frames = await lastValueFrom(transportTo(server, way).stream(request, notPaused).pipe(toArray()));
    expect(frames).toHaveLength(1);
    expect(frames[0]).toMatchObject({ type: 'answer', status: 503 });
    expect(frames[0]?.type === 'answer' && frames[0].body.length).toBe(65_536);
  });

  it('errors with CONNECTION_FAILED, host and reason when the connection breaks inside the body', async () => {
    const server = await serve(protocol, (_, reply) => {
      reply.writeHead(200);
      reply.write('{"a":1}\n{"b"');
      setTimeout(() => reply.destroy(), 50);
    });
    const frames: unknown[] = [];
    const failure = await new Promise<unknown>((resolve) =>
      transportTo(server, way)
        .stream(request, notPaused)
        .subscribe({ next: (frame) => frames.push(told(frame)), error: resolve, complete: () => resolve('completed') }),
    );
    expect(frames.slice(1)).toEqual(['{"a":1}']);
    expect(failure).toMatchObject({ code: 'CONNECTION_FAILED', cause: expect.anything() });
    expect((failure as Error).message).toContain(`${server.host}: `);
  });

  it('ends the request at the server when it is unsubscribed, and closes its connection', async () => {
    const closed = vi.fn();
    const server = await serve(protocol, (_, reply) => {
      reply.on('close', closed);
      reply.writeHead(200);
      reply.write('{"a":1}\n');
    });
    const frames: unknown[] = [];
    const subscription = transportTo(server, way)
      .stream(request, notPaused)
      .subscribe((frame) => frames.push(told(frame)));
    await soon(() => expect(frames).toHaveLength(2));
    expect({ closed: closed.mock.calls.length, ...server.connections() }).toEqual({ closed: 0, opened: 1, open: 1 });
    subscription.unsubscribe();
    await soon(() => expect({ closed: closed.mock.calls.length, ...server.connections() }).toEqual({ closed: 1, opened: 1, open: 0 }));
  });

  it('reads nothing while paused, so that the server has to wait, and loses nothing', async () => {
    const lines = 3_000;
    let written = 0;
    const server = await serve(protocol, (_, reply) => {
      reply.writeHead(200);
      const write = (): void => {
        if (written < lines) reply.write(`${JSON.stringify({ n: ++written, filler: 'x'.repeat(10_000) })}\n`, write);
        else reply.end();
      };
      write();
    });
    const paused = new BehaviorSubject(true);
    let read = 0;
    let inOrder = true;
    const done = new Promise<void>((resolve, reject) => {
      transportTo(server, way)
        .stream(request, paused)
        .subscribe({
          next: (frame) => {
            if (frame.type !== 'line') return;
            read++;
            inOrder &&= JSON.parse(Buffer.from(frame.bytes).toString()).n === read;
          },
          error: reject,
          complete: resolve,
        });
    });
    await stands(() => written);
    expect({ read, stuck: written > 0 && written < lines }).toEqual({ read: 0, stuck: true });
    paused.next(false);
    await soon(() => expect(read).toBeGreaterThan(100));
    paused.next(true);
    const readWhenPaused = read;
    await stands(() => written);
    expect({ read, stuck: written < lines }).toEqual({ read: readWhenPaused, stuck: true });
    paused.next(false);
    await done;
    expect({ read, inOrder }).toEqual({ read: lines, inOrder: true });
  });

  it('makes unary requests over the kept connections of their stream name', async () => {
    const server = await serve(protocol, (asked, reply) => {
      reply.writeHead(200);
      reply.end(asked.url);
    });
    const transport = transportTo(server, way);
    const bodies: unknown[] = [];
    for (let page = 0; page < 9; page++) {
      const answer = await lastValueFrom(transport.get({ ...request, query: { page: String(page) } }));
      bodies.push(answer.type === 'answer' && Buffer.from(answer.body).toString());
    }
    await lastValueFrom(transport.get({ ...request, stream: 'pods' }));
    expect(bodies).toEqual(Array.from({ length: 9 }, (_, page) => `/api/v1/events?page=${page}`));
    // HTTP/1.1: a second one per stream, for undici rests each connection for one turn of the event loop.
    expect(server.connections().opened).toBeLessThanOrEqual(protocol === 'h2' ? 2 : 3);
  });

  it('closes the connections of a stream when its watch has ended, and takes new ones', async () => {
    const server = await serve(protocol, (_, reply) => reply.writeHead(200) && reply.end('{"a":1}\n'));
    const transport = transportTo(server, way);
    await lastValueFrom(transport.get(request));
    expect(server.connections()).toEqual({ opened: 1, open: 1 });
    await lastValueFrom(transport.stream(request, notPaused).pipe(toArray()));
    await soon(() => expect(server.connections().open).toBe(0));
    const before = server.connections().opened;
    await lastValueFrom(transport.get(request));
    expect(server.connections()).toEqual({ opened: before + 1, open: 1 });
  });

  it('ends a watch that is unsubscribed at the server, and leaves other requests of its stream alone', async () => {
    let lookUp: Reply | undefined;
    const closed = vi.fn();
    const server = await serve(protocol, (asked, reply) => {
      reply.writeHead(200);
      if (!asked.url.includes('watch')) lookUp = reply;
      else {
        reply.on('close', closed);
        reply.write('{"a":1}\n');
      }
    });
    const transport = transportTo(server, way);
    let opened = 0;
    const watch = transport.stream(request, notPaused).subscribe(() => opened++);
    const found = firstValueFrom(transport.get({ ...request, query: {} }));
    await soon(() => expect({ opened, lookUp: lookUp !== undefined }).toEqual({ opened: 2, lookUp: true }));
    watch.unsubscribe();
    await soon(() => expect(closed).toHaveBeenCalledOnce());
    lookUp?.end('found');
    expect(told(await found)).toMatchObject({ status: 200, body: 'found' });
    await soon(() => expect(server.connections().open).toBe(0));
  });
});

/** Waits until the number has stood still for 200 ms. */
async function stands(read: () => number): Promise<void> {
  for (let before = Number.NaN, now = read(); before !== now; now = read()) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Waits for what a real socket brings, also on a slow machine. */
function soon(check: () => void): Promise<void> {
  return vi.waitFor(check, 20_000);
}
