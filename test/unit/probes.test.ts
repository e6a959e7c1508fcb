import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ProbeSources, type Probes, probes } from '../../src/cli/probes.ts';

const open: Probes[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function serve(sources: Partial<ProbeSources> = {}): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const well: ProbeSources = {
    contentType: 'text/x-metrics',
    metrics: async () => 'm 1\n',
    livenessFailures: () => [],
    readinessFailures: () => [],
  };
  const server = await probes({ host: '127.0.0.1', port: 0 }, { ...well, ...sources });
  open.push(server);
  return (path, init) => fetch(`http://127.0.0.1:${server.address.port}${path}`, { ...init, headers: { connection: 'close' } });
}

async function shown(response: Response): Promise<readonly unknown[]> {
  return [response.status, response.headers.get('content-type'), await response.text()];
}

const plain = 'text/plain; charset=utf-8';

test('metrics and probes have their paths', async () => {
  const get = await serve();
  expect(await shown(await get('/metrics'))).toEqual([200, 'text/x-metrics', 'm 1\n']);
  expect(await shown(await get('/livez'))).toEqual([200, plain, 'ok\n']);
  expect(await shown(await get('/readyz?verbose'))).toEqual([200, plain, 'ok\n']);
  expect(await shown(await get('/readyz', { method: 'HEAD' }))).toEqual([200, plain, '']);
  expect(await shown(await get('/'))).toEqual([404, plain, 'there is /metrics, /livez and /readyz\n']);
  expect(await shown(await get('/metrics', { method: 'POST' }))).toEqual([405, plain, 'only GET and HEAD are answered\n']);
});

test('a probe that fails says which conditions', async () => {
  const get = await serve({
    livenessFailures: () => ['events: dead'],
    readinessFailures: () => ['pods: not synced yet', 'sink: refusing'],
  });
  expect(await shown(await get('/livez'))).toEqual([503, plain, 'events: dead\n']);
  expect(await shown(await get('/readyz'))).toEqual([503, plain, 'pods: not synced yet\nsink: refusing\n']);
});

test('metrics that cannot be made are one bad answer, no more', async () => {
  const get = await serve({ metrics: () => Promise.reject(new Error('no numbers')) });
  expect(await shown(await get('/metrics'))).toEqual([500, plain, 'no numbers\n']);
  expect((await get('/livez')).status).toBe(200);
});

test('an address is taken as it is written', async () => {
  const server = await probes(
    { host: '::1', port: 0 },
    { contentType: '', metrics: async () => '', livenessFailures: () => [], readinessFailures: () => [] },
  );
  open.push(server);
  expect(server.address).toEqual({ host: '::1', port: expect.any(Number) });
  expect((await fetch(`http://[::1]:${server.address.port}/livez`, { headers: { connection: 'close' } })).status).toBe(200);
});

test('a port that is taken fails the start and is named', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const sources = { contentType: '', metrics: async () => '', livenessFailures: () => [], readinessFailures: () => [] };
  await expect(probes({ host: '127.0.0.1', port }, sources)).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
    message: `--prometheus-endpoint must be an address that can be listened on (got '127.0.0.1:${port}': the port is taken)`,
  });
  other.close();
});
