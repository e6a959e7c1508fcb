import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/run.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { type BusyCluster, busyCluster } from '../../src/simulator/busyCluster.ts';
import { type Core, core } from '../../src/simulator/core.ts';
import { httpFace } from '../../src/simulator/httpFace.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { folder } from '../contract/kubeConfigs.ts';
import { type FakeProcess, fakeProcess } from './cliContext.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

interface Cluster {
  readonly server: Core;
  readonly life: BusyCluster;
  readonly kubeconfig: string;
}

async function cluster(): Promise<Cluster> {
  const random = seededRandom(7);
  const server = core({ token: 'secret-token', resourceVersion: '1000' }, { now: Date.now, random });
  const life = busyCluster(server, { pods: 50 }, random);
  const face = await httpFace(server, { token: 'secret-token' });
  closing.push(face.close);
  const kubeconfig = join(folder(), 'config');
  writeFileSync(kubeconfig, face.kubeconfig());
  return { server, life, kubeconfig };
}

/** Waits for what a real socket brings. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function lineCount({ output }: FakeProcess): number {
  return output().split('\n').length - 1;
}

/** The number behind a metric's name in the exposition text. */
function metricOf(text: string, name: string): number {
  return Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

test('run exports a cluster through HTTP, tells how it is, and drains at SIGTERM', async () => {
  const { server, life, kubeconfig } = await cluster();
  life.stepUntil(100);
  const existing = server.objects('Event').length;
  const fake = fakeProcess();
  const args = [
    '--kubeconfig',
    kubeconfig,
    '--total-shards=2',
    '--shard-id=1',
    '-prometheus-endpoint',
    '127.0.0.1:0',
    '--local-fields=short',
  ];
  const ending = runCommandLine(args, [runCommand], fake.context);

  await until(() => fake.errors().includes('metrics and probes at'));
  const [, address] = /metrics and probes at (127\.0\.0\.1:[0-9]+)/.exec(fake.errors()) ?? [];
  const get = (path: string): Promise<Response> => fetch(`http://${address}${path}`, { headers: { connection: 'close' } });
  await until(async () => (await get('/readyz')).status === 200);
  const before = life.eventRevisions();
  life.stepUntil(200);
  const all = existing + life.eventRevisions() - before;
  const metrics = async (): Promise<string> => (await get('/metrics')).text();
  await until(async () => metricOf(await metrics(), 'kube_sluice_received_total') === all);
  await until(async () => metricOf(await metrics(), 'kube_sluice_in_flight') === 0);

  const text = await metrics();
  const [received, stored, refused, filtered, repeated] = ['received', 'stored', 'refused', 'filtered', 'repeated'].map((name) =>
    metricOf(text, `kube_sluice_${name}_total`),
  ) as [number, number, number, number, number];
  expect(received).toBe(stored + refused + filtered + repeated);
  expect(stored).toBe(lineCount(fake));
  expect(filtered).toBeGreaterThan(50);
  expect(stored).toBeGreaterThan(50);
  expect(metricOf(text, 'sharding_filtered_events_count')).toBe(filtered);
  expect(metricOf(text, 'stackdriver_sink_successfully_sent_entry_count')).toBe(stored);
  expect(text).toContain('kube_sluice_shard_info{index="1",total="2",function="fnv1a32-mod"} 1');
  expect((await get('/livez')).status).toBe(200);

  fake.stops.next('drain');
  expect(await ending).toBe(0);
  await expect(get('/livez')).rejects.toThrow();
  expect(fake.output()).toMatch(/^(EXPORTED_EVENT \{"action":"(ADD|UPDATE)".*\}\n)+$/);
  const signals = fake
    .errors()
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { signal: string }).signal);
  expect([signals[0], signals.at(-2), signals.at(-1)]).toEqual(['notice', 'drainStarted', 'stopped']);
  expect(fake.errors()).not.toContain('secret-token');
});

test('run ends with 4 and a short message when the reader of its output goes away', async () => {
  const { life, kubeconfig } = await cluster();
  life.stepUntil(100);
  const fake = fakeProcess();
  fake.context.stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  fake.context.stdout.on('error', () => undefined);
  expect(await runCommandLine(['--kubeconfig', kubeconfig, '--prometheus-endpoint='], [runCommand], fake.context)).toBe(4);
  expect(JSON.parse(fake.errors().trim().split('\n').at(-1) ?? '')).toMatchObject({ signal: 'failed', code: 'OUTPUT_CLOSED' });
});

test('run says once that it may not read, and is not ready', async () => {
  const { server, kubeconfig } = await cluster();
  server.access.forbid({ plural: 'pods' });
  const fake = fakeProcess();
  const args = ['--kubeconfig', kubeconfig, '--prometheus-endpoint', '127.0.0.1:0', '--pod-sync-timeout=10ms'];
  const ending = runCommandLine(args, [runCommand], fake.context);
  await until(() => fake.errors().includes('"signal":"podSyncTimedOut"') && server.openStreams('events') === 1);
  const [, address] = /metrics and probes at (127\.0\.0\.1:[0-9]+)/.exec(fake.errors()) ?? [];
  const readyz = async (): Promise<string> => {
    const answer = await fetch(`http://${address}/readyz`, { headers: { connection: 'close' } });
    return `${answer.status} ${await answer.text()}`;
  };
  await until(async () => (await readyz()) === '503 pods: not synced yet\npods: the API server denies access with HTTP 403\n');
  await until(() => server.requests.filter(({ stream }) => stream === 'pods').length >= 3);
  fake.stops.next('drain');
  expect(await ending).toBe(0);
  const failed = fake
    .errors()
    .split('\n')
    .filter((line) => line.includes('"signal":"listFailed"'));
  const said = failed.map((line) => JSON.parse(line) as { repeats?: number });
  expect(said).toMatchObject([
    { level: 'error', source: 'pods', status: 403, failures: 1 },
    { level: 'error', source: 'pods', status: 403 },
  ]);
  // Two refusals came before the third request; whether its own was handled before the drain is a matter of time.
  const refused = server.requests.filter(({ stream }) => stream === 'pods').length;
  expect(said[1]?.repeats).toBeGreaterThanOrEqual(1);
  expect(said[1]?.repeats).toBeLessThan(refused);
});

test('run with several namespaces misses the one that it may not read', async () => {
  const { server, kubeconfig } = await cluster();
  const allow = server.access.forbid({ path: '/api/v1/namespaces/web/events' });
  const fake = fakeProcess();
  const args = ['--kubeconfig', kubeconfig, '--prometheus-endpoint', '127.0.0.1:0', '--namespace=default,web'];
  const ending = runCommandLine(args, [runCommand], fake.context);
  await until(() => server.openStreams('events') === 1 && server.openStreams('pods') === 2);
  const [, address] = /metrics and probes at (127\.0\.0\.1:[0-9]+)/.exec(fake.errors()) ?? [];
  const get = async (path: string): Promise<string> =>
    (await fetch(`http://${address}${path}`, { headers: { connection: 'close' } })).text();
  await until(async () => (await get('/readyz')) === 'events/web: the API server denies access with HTTP 403\n');
  const open = async (): Promise<readonly number[]> => {
    const metrics = await get('/metrics');
    const sources = ['events/default', 'events/web', 'pods/default', 'pods/web'];
    return sources.map((source) => metricOf(metrics, `kube_sluice_watch_open{source="${source}"}`));
  };
  await until(async () => isDeepStrictEqual(await open(), [1, 0, 1, 1]));

  allow();
  await until(async () => (await fetch(`http://${address}/readyz`, { headers: { connection: 'close' } })).status === 200);
  fake.stops.next('drain');
  expect(await ending).toBe(0);
});

test('run does not wait for pods where no entry can have labels of theirs', async () => {
  const { server, kubeconfig } = await cluster();
  const fake = fakeProcess();
  const args = ['--kubeconfig', kubeconfig, '--prometheus-endpoint', '127.0.0.1:0', '--sink-opts=-stackdriver-resource-model=legacy'];
  const ending = runCommandLine(args, [runCommand], fake.context);
  await until(() => server.openStreams('events') === 1);
  const [, address] = /metrics and probes at (127\.0\.0\.1:[0-9]+)/.exec(fake.errors()) ?? [];
  await until(async () => (await fetch(`http://${address}/readyz`, { headers: { connection: 'close' } })).status === 200);
  expect(server.openStreams('pods')).toBe(0);
  fake.stops.next('drain');
  expect(await ending).toBe(0);
});
