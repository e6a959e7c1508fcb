import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, of, take, toArray } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Core,
  type CoreSettings,
  core,
  type Fault,
  type HttpFace,
  type HttpFaceSettings,
  httpFace,
  seededRandom,
} from '../../src/testing.ts';
import { kubeApi } from '../../src/transports/kubeApi.ts';

const watch = '/api/v1/events?watch=true&resourceVersion=1000&timeoutSeconds=300';
const opened: HttpFace[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((face) => face.close()));
});

async function serve(settings: CoreSettings & HttpFaceSettings = {}, change: (server: Core) => Core = (server) => server) {
  const server = core({ resourceVersion: '1000', ...settings }, { now: () => Date.now(), random: seededRandom(1) });
  const face = await httpFace(change(server), settings);
  opened.push(face);
  const event = (name: string, more = {}): unknown => server.create('Event', { metadata: { name, namespace: 'shop' }, ...more });
  return { server, face, event };
}

function ask(face: HttpFace, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${face.url}${path}`, { headers, agent: false }, resolve).on('error', reject);
  });
}

/** Reads to the end: the bytes, and how it ended. */
function drain(message: IncomingMessage): Promise<{ text: string; end: string }> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    const done = (end: string): void => resolve({ text: Buffer.concat(chunks).toString(), end });
    message.on('data', (chunk: Uint8Array) => chunks.push(chunk)).resume();
    message.on('end', () => done('close'));
    message.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  });
}

/** Waits until something holds, a turn of the event loop at a time. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe('the HTTP face', () => {
  test('answers lists and streams watches as they are written', async () => {
    const { server, face, event } = await serve();
    event('a');
    const list = await ask(face, '/api/v1/events?limit=500');
    expect([list.statusCode, list.headers['content-type'], list.headers['transfer-encoding']]).toEqual([
      200,
      'application/json',
      'chunked',
    ]);
    expect(JSON.parse((await drain(list)).text)).toMatchObject({ kind: 'EventList', items: [{ metadata: { name: 'a' } }] });

    const stream = await ask(face, watch);
    const read = drain(stream);
    await until(() => server.openStreams() === 1);
    event('b', { message: 'ü🚨' });
    server.endStreams('close');
    const { text, end } = await read;
    const names = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name);
    expect([names, end]).toEqual([['a', 'b'], 'close']);
    expect(server.requests.map(({ path, query }) => [path, query['limit'] ?? query['resourceVersion']])).toEqual([
      ['/api/v1/events', '500'],
      ['/api/v1/events', '1000'],
    ]);
  });

  test('sends the head of a quiet watch at once, and ends the request when the reader leaves', async () => {
    const { server, face } = await serve();
    const stream = await ask(face, watch);
    expect([stream.statusCode, server.openStreams()]).toEqual([200, 1]);
    stream.destroy();
    await until(() => server.openStreams() === 0);
  });

  test('waits for a reader that pauses, and loses nothing', async () => {
    let taken = 0;
    const counting = (server: Core): Core => ({
      ...server,
      handle(request) {
        const reply = server.handle(request);
        if (reply.type !== 'answer') return reply;
        const { body } = reply;
        const count = (bytesMax: number): ReturnType<typeof body.take> => {
          const got = body.take(bytesMax);
          if (got.type === 'bytes') taken += got.bytes.length;
          return got;
        };
        return { ...reply, body: { ...body, take: count } };
      },
    });
    const { server, face, event } = await serve({}, counting);
    const message = 'x'.repeat(100_000);
    const total = 300;
    // Half of it is history that is there at once, half is written while the reader pauses.
    for (let at = 0; at < total / 2; at++) event(`e${at}`, { message });
    const stream = await ask(face, watch);
    stream.pause();
    for (let at = total / 2; at < total; at++) {
      event(`e${at}`, { message });
      if (at % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const takenWhilePaused = taken;
    // The kernel's buffers are a few MB; the rest stays in the server's history.
    expect(takenWhilePaused).toBeLessThan((total * message.length) / 3);
    const read = drain(stream);
    server.endStreams('close');
    const { text } = await read;
    expect(text.split('\n').length - 1).toBe(total);
    expect(taken).toBe(text.length);
  });

  test.each([0, 1, 100, 499, 1500])('cuts by a broken connection after exactly %i bytes', async (afterBytes) => {
    const { server, face, event } = await serve();
    for (const name of ['a', 'b', 'c', 'd', 'e']) event(name);
    server.faults.next({}, { type: 'cut', afterBytes, end: 'reset' });
    const { text, end } = await drain(await ask(face, watch));
    expect([text.length, end]).toEqual([afterBytes, 'ECONNRESET']);
  });

  test.each([
    ['an early clean end', { type: 'cut', afterBytes: 100, end: 'close' }, 200, 100, 'close'],
    ['429', { type: 'status', status: 429, retryAfter: '7' }, 429, undefined, 'close'],
    ['410', { type: 'expired', form: 'http' }, 410, undefined, 'close'],
    ['410 by closing', { type: 'expired', form: 'close' }, 200, 0, 'close'],
  ] as const)('passes on %s', async (_, fault: Fault, status, length, end) => {
    const { server, face, event } = await serve();
    event('a');
    server.faults.next({}, fault);
    const answer = await ask(face, watch);
    const read = await drain(answer);
    expect([answer.statusCode, read.end]).toEqual([status, end]);
    if (length !== undefined) expect(read.text.length).toBe(length);
    if (status === 429) expect(answer.headers['retry-after']).toBe('7');
  });

  test('breaks the connection of a refused request, and leaves a hung one without an answer', async () => {
    const { server, face } = await serve();
    server.faults.next({}, { type: 'refuse' });
    await expect(ask(face, '/version')).rejects.toMatchObject({ code: 'ECONNRESET' });
    server.faults.next({}, { type: 'hang' });
    const hung = ask(face, '/version').catch((error: NodeJS.ErrnoException) => error.code);
    await until(() => server.requests.length === 2);
    await until(() => face.connections() === 1); // The refused one is gone.
    face.dropConnections();
    expect(await hung).toBe('ECONNRESET');
    expect((await ask(face, '/version')).statusCode).toBe(200);
  });

  test('slows a body down by the real clock', async () => {
    const { server, face } = await serve();
    server.faults.next({}, { type: 'slow', chunkBytes: 10, everyMs: 1 });
    const { text } = await drain(await ask(face, '/version'));
    expect(JSON.parse(text)).toMatchObject({ minor: '36' });
  });

  test('closes every socket', async () => {
    const { server, face } = await serve();
    const ends = Promise.all([drain(await ask(face, watch)), drain(await ask(face, watch))]);
    await face.close();
    expect((await ends).map(({ end }) => end)).toEqual(['ECONNRESET', 'ECONNRESET']);
    await until(() => server.openStreams() === 0);
    await expect(ask(face, '/version')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('its kubeconfig', () => {
  const tlsFile = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');
  const tls = { certificate: tlsFile('server.crt'), key: tlsFile('server.key'), authority: tlsFile('ca.crt') };

  test.each([
    ['http', {}],
    ['https', { tls }],
  ] as const)('lets the real transport in over %s, with its token', async (scheme, settings) => {
    const { server, face, event } = await serve({ ...settings, token: 'simulated-token' });
    expect(face.url).toMatch(new RegExp(`^${scheme}://127\\.0\\.0\\.1:\\d+$`));
    event('a');
    const kubeconfig = join(mkdtempSync(join(tmpdir(), 'kube-sluice-')), 'config');
    writeFileSync(kubeconfig, face.kubeconfig());
    const transport = kubeApi({ kubeconfig });
    const request = { stream: 'events', path: '/api/v1/events', accept: 'application/json' };
    const answer = await firstValueFrom(transport.get({ ...request, query: {} }));
    expect(answer).toMatchObject({ type: 'answer', status: 200 });
    const frames = await firstValueFrom(
      transport.stream({ ...request, query: { watch: 'true', resourceVersion: '1000' } }, of(false)).pipe(take(2), toArray()),
    );
    expect(frames.map(({ type }) => type)).toEqual(['opened', 'line']);
    expect(server.requests.every(({ outcome, headers }) => outcome === 200 && headers['authorization'] === 'Bearer ***')).toBe(true);
    await until(() => server.openStreams() === 0);
  });
});
