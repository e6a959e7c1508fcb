import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstValueFrom, of, Subject, skip } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { type LiveServer, liveServer } from '../../src/cli/liveServer.ts';
import type { LiveFeed } from '../../src/live/liveFeed.ts';

interface Served {
  readonly server: LiveServer;
  readonly more: Subject<string>;
  ask(path: string, settings?: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> }): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

async function serve(): Promise<Served> {
  const more = new Subject<string>();
  const feed: LiveFeed = { all: () => '"all"', more, plotting: of(0) };
  const server = await liveServer({ port: 0 }, feed);
  onTestFinished(() => server.close());
  const { host, port } = server.address;
  return {
    server,
    more,
    ask: (path, settings = {}) =>
      new Promise((resolve, reject) => {
        get({ host, port, path, agent: false, ...settings }, (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            body += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
        }).on('error', reject);
      }),
  };
}

test('listens on loopback unless told otherwise', async () => {
  const { server } = await serve();
  expect(server.address).toEqual({ host: '127.0.0.1', port: expect.any(Number) });
});

test('the page is small, and may load and ask for nothing but itself', async () => {
  const { ask } = await serve();
  const answers = await Promise.all(['/', '/page.js', '/page.css', '/icon.svg'].map((path) => ask(path)));
  expect(answers.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
    [200, 'text/html; charset=utf-8'],
    [200, 'text/javascript; charset=utf-8'],
    [200, 'text/css; charset=utf-8'],
    [200, 'image/svg+xml'],
  ]);
  expect(answers.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(100_000);
  for (const { headers } of answers) {
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  expect(await ask('/metrics')).toMatchObject({ status: 404 });
});

test.each([
  ['127.0.0.1:8081', 200],
  ['localhost', 200],
  ['LOCALHOST:1', 200],
  ['[::1]:8081', 200],
  ['10.1.2.3:80', 200],
  ['evil.example', 421],
  ['evil.example:8081', 421],
  ['127.0.0.1.evil.example', 421],
  ['localhost.evil.example', 421],
])('a request for the host %j is answered with %i', async (host, status) => {
  const { ask } = await serve();
  expect((await ask('/', { headers: { host } })).status).toBe(status);
});

test('only reading is answered, and other sites may do no more than link', async () => {
  const { ask } = await serve();
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await ask('/', { method })).status).toBe(405);
  expect(await ask('/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  const from = (mode: string): Record<string, string> => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode });
  expect((await ask('/', { headers: from('navigate') })).status).toBe(200);
  expect((await ask('/page.js', { headers: from('no-cors') })).status).toBe(403);
});

test('a viewer is told everything, then what is new, and is counted', async () => {
  const { server, more } = await serve();
  const { host, port } = server.address;
  const isCounted = firstValueFrom(server.viewers.pipe(skip(1)));
  const request = get({ host, port, path: '/news', agent: false });
  const heard = new Subject<string>();
  request.on('response', (response) => {
    expect(response.headers['content-type']).toBe('text/event-stream');
    response.setEncoding('utf8').on('data', (chunk: string) => heard.next(chunk));
  });
  request.on('error', () => undefined);
  expect(await firstValueFrom(heard)).toBe('data: "all"\n\n');
  expect(await isCounted).toBe(1);
  const next = firstValueFrom(heard);
  more.next('"more"');
  expect(await next).toBe('data: "more"\n\n');
  const isGone = firstValueFrom(server.viewers.pipe(skip(1)));
  request.destroy();
  expect(await isGone).toBe(0);
});

test('a viewer that does not read is left out, keeps no memory busy, and is told everything once it reads again', async () => {
  const { server, more } = await serve();
  const { host, port } = server.address;
  const request = get({ host, port, path: '/news', agent: false });
  request.on('error', () => undefined);
  const response = await new Promise<IncomingMessage>((resolve) => request.on('response', resolve));
  response.pause();
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  const message = `"${'x'.repeat(1_000_000)}"`;
  for (let sent = 0; sent < 300; sent++) {
    more.next(message);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const grown = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before;
  expect(grown).toBeLessThan(60_000_000); // Of 300 MB that were to be told.
  let tail = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    tail = `${tail}${chunk}`.slice(-20);
  });
  response.resume();
  while (!tail.endsWith('data: "all"\n\n')) await new Promise((resolve) => setImmediate(resolve));
  request.destroy();
});

test('a port that is taken fails the start and is named', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(liveServer({ port }, { all: () => '', more: of(''), plotting: of(0) })).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
    message: `--ui must be an address that can be listened on (got '127.0.0.1:${port}': the port is taken)`,
  });
});
