import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { replayCommand } from '../../src/cli/replay.ts';
import { runCommand } from '../../src/cli/run.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { type BusyCluster, busyCluster } from '../../src/simulator/busyCluster.ts';
import { type Core, core } from '../../src/simulator/core.ts';
import { type FakeCloudLogging, fakeCloudLogging } from '../../src/simulator/fakeCloudLogging.ts';
import { httpFace } from '../../src/simulator/httpFace.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { folder } from '../contract/kubeConfigs.ts';
import { type FakeProcess, fakeProcess } from '../unit/cliContext.ts';
import { googleEnvironment } from './googleEnvironment.ts';

interface World {
  readonly server: Core;
  readonly life: BusyCluster;
  readonly logging: FakeCloudLogging;
  /** Flags of a run from the one to the other. Batches wait for a minute to fill, longer than a test may take. */
  readonly flags: readonly string[];
}

async function world(): Promise<World> {
  const random = seededRandom(7);
  const server = core({ token: 'secret-token', resourceVersion: '1000' }, { now: Date.now, random });
  const life = busyCluster(server, { pods: 50 }, random);
  const [face, logging] = await Promise.all([httpFace(server, { token: 'secret-token' }), fakeCloudLogging()]);
  onTestFinished(() => Promise.all([face.close(), logging.close()]).then(() => undefined));
  const kubeconfig = join(folder(), 'config');
  writeFileSync(kubeconfig, face.kubeconfig());
  return { server, life, logging, flags: [`--kubeconfig=${kubeconfig}`, ...sinkFlags(logging)] };
}

function sinkFlags({ url }: FakeCloudLogging): readonly string[] {
  const options = `--sink-opts=-endpoint=${url} -flush-delay=1m -max-buffer-size=20 -max-concurrency=4`;
  return ['-sink', 'stackdriver', options, '--project=acme', '--cluster-name=c', '--cluster-location=l'];
}

/** How many events a query shows; the first entry of each start is none. */
function eventsShown(logging: FakeCloudLogging): number {
  return logging.query().filter(({ entry }) => entry.jsonPayload?.['kind'] === 'Event').length;
}

interface Life {
  readonly fake: FakeProcess;
  readonly ending: Promise<number>;
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
  metric(name: string): Promise<number>;
}

async function live(flags: readonly string[]): Promise<Life> {
  const fake = fakeProcess({ environment: googleEnvironment({ METADATA_SERVER_DETECTION: 'none' }) });
  const ending = runCommandLine(['run', ...flags, '--prometheus-endpoint=127.0.0.1:0'], [runCommand], fake.context);
  await until(() => fake.errors().includes('metrics and probes at'));
  const [, address] = /metrics and probes at (127\.0\.0\.1:[0-9]+)/.exec(fake.errors()) ?? [];
  const get: Life['get'] = async (path) => {
    const answer = await fetch(`http://${address}${path}`, { headers: { connection: 'close' } });
    return { status: answer.status, text: await answer.text() };
  };
  const metric = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (.*)$`, 'm').exec((await get('/metrics')).text)?.[1] ?? Number.NaN);
  return { fake, ending, get, metric };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}

test('run delivers a cluster to Cloud Logging; a restart that repeats everything changes nothing in a query', async () => {
  const { server, life, logging, flags } = await world();
  life.stepUntil(200);
  const before = server.objects('Event').length;
  const first = await live(flags);
  await until(async () => (await first.get('/readyz')).status === 200 && (await first.metric('kube_sluice_received_total')) === before);
  // Half of it fails in a way that stores and does not tell.
  logging.faults.next({ type: 'reset', store: true }, 3);
  const written = life.eventRevisions();
  life.stepUntil(400);
  const all = before + life.eventRevisions() - written;
  await until(async () => (await first.metric('kube_sluice_received_total')) === all);
  first.fake.stops.next('drain');
  expect(await first.ending).toBe(0);
  expect(eventsShown(logging)).toBe(all);
  expect(logging.stored.length).toBeGreaterThan(all);
  expect(logging.requests.every(({ write }) => (write?.entries?.length ?? 0) <= 20)).toBe(true);
  expect(logging.query().some(({ entry }) => entry.labels?.['logging.gke.io/top_level_controller_name'] !== undefined)).toBe(true);

  expect(logging.stored[0]?.entry.jsonPayload).toMatchObject({ kind: 'Start', resumed: false });

  const second = await live(flags);
  const listed = server.objects('Event').length;
  await until(async () => (await second.metric('kube_sluice_received_total')) === listed);
  second.fake.stops.next('drain');
  expect(await second.ending).toBe(0);
  expect(eventsShown(logging)).toBe(all);
});

test('a service that denies access makes the container not ready, and nothing is lost', async () => {
  const { server, life, logging, flags } = await world();
  life.stepUntil(100);
  const events = server.objects('Event').length;
  const allow = logging.faults.always({ type: 'answer', status: 403 });
  const { fake, ending, get, metric } = await live(flags);
  await until(async () => /^sink: not stored after \d+ tries$/m.test((await get('/readyz')).text));
  expect((await get('/readyz')).status).toBe(503);
  expect(await metric('stackdriver_sink_request_count{code="403"}')).toBeGreaterThanOrEqual(3);
  expect(await metric('stackdriver_sink_successfully_sent_entry_count')).toBe(0);
  expect(fake.errors()).toContain('"reason":"HTTP 403 PERMISSION_DENIED: scripted 403"');

  allow();
  await until(async () => (await get('/readyz')).status === 200);
  fake.stops.next('drain');
  expect(await ending).toBe(0);
  expect(eventsShown(logging)).toBe(events);
});

test('replay writes a recording to Cloud Logging', async () => {
  const logging = await fakeCloudLogging({ now: () => Date.parse('2026-11-30T18:00:00Z') });
  onTestFinished(logging.close);
  logging.faults.next({ type: 'answer', status: 503 }, 2);
  const fake = fakeProcess({ environment: googleEnvironment({ METADATA_SERVER_DETECTION: 'none' }) });
  const stream = (name: string): string => new URL(`../fixtures/apiserver-1.36.2/${name}.json.stream`, import.meta.url).pathname;
  const args = ['replay', '--events', stream('events'), '--pods', stream('pods'), '--speed=max', ...sinkFlags(logging)];
  expect(await runCommandLine(args, [replayCommand], fake.context)).toBe(0);
  expect(fake.errors()).toMatch(/0\/1 +218 +218 /);
  expect(logging.query()).toHaveLength(218);
  expect(logging.requests.filter(({ outcome }) => outcome === 503)).toHaveLength(2);
});

test('the library of Google is loaded with its sink, and not before', () => {
  const modules = ['index.ts', 'cli/run.ts', 'cli/replay.ts', 'cli/demo.ts', 'cli/sinks.ts', 'cli/runCommandLine.ts'];
  const imports = modules.map((name) => `await import(${JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href)});`);
  const told = `import { createRequire } from 'node:module'; ${imports.join('')}
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => /google|gaxios|gcp-metadata/.test(path)).length;
    console.log(loaded() === 0);
    await import('@google-cloud/logging');
    console.log(loaded() > 100);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', told], { encoding: 'utf8', cwd: import.meta.dirname });
  expect(output).toBe('true\ntrue\n');
});
