import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMPTY, firstValueFrom } from 'rxjs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type LogTarget, logTarget } from '../../src/cli/logTarget.ts';
import { readSettings } from '../../src/config/readSettings.ts';
import { messageOf, PipelineError } from '../../src/errors.ts';
import { liveRuntime, type Runtime } from '../../src/runtime.ts';
import { type FakeMetadata, type FakeMetadataSettings, fakeMetadata } from '../../src/simulator/fakeMetadata.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { folder } from '../contract/kubeConfigs.ts';
import { fakeProcess } from '../unit/cliContext.ts';
import { googleEnvironment } from './googleEnvironment.ts';

type Texts = Readonly<Record<string, string>>;

const nowhere: Texts = { METADATA_SERVER_DETECTION: 'none' };
const allFlags: Texts = { project: 'acme', 'cluster-name': 'prod-1', 'cluster-location': 'eu' };
const toHttp: Texts = { 'sink-opts': '-endpoint=http://127.0.0.1:9' };

interface Looked {
  readonly target?: LogTarget;
  readonly fault?: string;
  readonly told: readonly string[];
}

/** What the flags and the environment lead to. */
async function look(flags: Texts, given: Texts, runtime: Partial<Runtime> = {}): Promise<Looked> {
  const environment = googleEnvironment(given);
  const texts = new Map(Object.entries({ sink: 'cloud-logging', ...flags }).map(([name, text]) => [name, [text]]));
  const { settings, faults } = readSettings({ command: 'run', flags: texts, environment, hostname: 'laptop', read: () => '' });
  expect(faults).toEqual([]);
  const signals: Signal[] = [];
  try {
    const live = liveRuntime((signal) => signals.push(signal));
    const target = await logTarget(settings, { ...fakeProcess().context, environment }, { ...live, ...runtime });
    return { target, told: toldBy(signals) };
  } catch (error) {
    expect(error instanceof PipelineError && error.code).toBe('CONFIG_INVALID');
    return { fault: messageOf(error), told: toldBy(signals) };
  }
}

function toldBy(signals: readonly Signal[]): readonly string[] {
  return signals.map((signal) => ('text' in signal ? signal.text : signal.type));
}

async function metadataServer(settings: FakeMetadataSettings = {}): Promise<FakeMetadata> {
  const server = await fakeMetadata(settings);
  onTestFinished(server.close);
  return server;
}

/** A file of credentials for a project. */
function keyFile(fields: object = {}): string {
  const path = join(folder(), 'key.json');
  const key = { type: 'service_account', client_email: 'e@acme.test', private_key: 'none', project_id: 'from-key', ...fields };
  writeFileSync(path, JSON.stringify(key));
  return path;
}

test('everything that is missing is named, with the flags that help', async () => {
  const { fault } = await look({}, nowhere);
  expect(fault?.split('; ')).toEqual([
    '--sink cloud-logging: credentials must be there: in a pod by its service account, elsewhere GOOGLE_APPLICATION_CREDENTIALS names a file (Could not load the default credentials)',
    '--project must name the project (there are no credentials to tell it)',
    '--cluster-location must name the region or zone of the cluster (there is no metadata server)',
    '--cluster-name must name the cluster (there is no metadata server)',
  ]);
});

test('flags win over credentials, and those over the metadata server', async () => {
  const metadata = await metadataServer({ project: 'from-metadata' });
  const key = { GOOGLE_APPLICATION_CREDENTIALS: keyFile(), ...metadata.environment };
  const flags = { project: 'acme', 'cluster-name': 'prod-1', 'cluster-location': 'eu' };
  expect((await look(flags, key)).target?.cluster).toEqual({ project: 'acme', location: 'eu', name: 'prod-1' });
  expect((await look({}, key)).target?.cluster).toEqual({ project: 'from-key', location: 'europe-west4', name: 'cluster-1' });
  expect((await look({}, metadata.environment)).target?.cluster).toEqual({
    project: 'from-metadata',
    location: 'europe-west4',
    name: 'cluster-1',
  });
});

test('outside of GKE the zone is the location, and the cluster may have no name', async () => {
  const metadata = await metadataServer({ attributes: {} });
  const { target, told } = await look({}, metadata.environment);
  expect(target?.cluster).toEqual({ project: 'sluice-test', location: 'europe-west4-a', name: '' });
  expect(told).toEqual([
    'entries of a cluster without a name (--cluster-name gives it one) in europe-west4-a go to project sluice-test at logging.googleapis.com',
  ]);
});

test('a metadata server that does not answer is not waited for longer than eight seconds', async () => {
  const metadata = await metadataServer();
  metadata.behave({ type: 'hang' });
  const clock = virtualClock(0);
  const looking = look({}, { ...metadata.environment, METADATA_SERVER_DETECTION: 'assume-present' }, { scheduler: clock.scheduler });
  await vi.waitUntil(() => metadata.asked.length >= 2 && clock.next() === 8_000, { timeout: 20_000 });
  clock.advanceTo(8_000);
  const { fault } = await looking;
  expect(fault).toContain('--project must name the project (there are no credentials to tell it)');
  expect(fault).toContain('--cluster-name must name the cluster (no answer in 8 s)');
});

test('credentials that cannot be read are named, also for an http endpoint', async () => {
  const { fault } = await look({ ...allFlags, ...toHttp }, { ...nowhere, GOOGLE_APPLICATION_CREDENTIALS: '/nowhere/key.json' });
  expect(fault).toMatch(/^--sink cloud-logging: credentials must be there: .*\/nowhere\/key\.json/);
  expect(fault).not.toContain('--project');
});

test('credentials of another universe are refused', async () => {
  const key = keyFile({ universe_domain: 'example.test' });
  const refused = await look(allFlags, { ...nowhere, GOOGLE_APPLICATION_CREDENTIALS: key });
  expect(refused.fault).toBe(
    '--sink cloud-logging: --sink-opts universeDomain must be that of the credentials, example.test (got googleapis.com)',
  );
  const flags = { ...allFlags, 'sink-opts': '-universeDomain=example.test' };
  const { told } = await look(flags, { ...nowhere, GOOGLE_APPLICATION_CREDENTIALS: key });
  expect(told).toEqual(['entries of cluster prod-1 in eu go to project acme at logging.example.test']);
});

test('an http endpoint does without credentials, and says that nothing is hidden', async () => {
  const { target, told } = await look({ ...allFlags, ...toHttp }, nowhere);
  expect(told).toEqual([
    'entries of cluster prod-1 in eu go to project acme at 127.0.0.1:9',
    'entries go to 127.0.0.1:9 in clear text, without a token: no credentials were found',
  ]);
  await expect(firstValueFrom(target?.writer.write(Buffer.from('{}')) ?? EMPTY)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  const project = await look({ 'cluster-name': 'c', 'cluster-location': 'l', ...toHttp }, { ...nowhere, GOOGLE_CLOUD_PROJECT: 'env' });
  expect(project.target?.cluster.project).toBe('env');
});

test('a proxy for all the world is not asked for the metadata server', async () => {
  const metadata = await metadataServer();
  const { target } = await look({}, { ...metadata.environment, HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'a.test' });
  expect(target?.cluster.project).toBe('sluice-test');
  expect(process.env['NO_PROXY']).toBe('a.test,169.254.169.254,metadata.google.internal,metadata.google.internal.,127.0.0.1');
});

test.each([
  ['nonsense://x', false],
  ['https://user@x', false],
  ['https://x?y', false],
  ['https://', false],
  ['x.test', true],
  ['x.test:8443', true],
  ['https://x.test/base', true],
  ['http://127.0.0.1:8080', true],
])('the endpoint %s', (endpoint, isGood) => {
  const flags = new Map([['sink-opts', [`-endpoint=${endpoint}`]]]);
  const { faults } = readSettings({ command: 'run', flags, environment: {}, hostname: 'laptop', read: () => '' });
  const rule = 'must be an address such as https://logging.example.com or 127.0.0.1:8443, without a user or a query';
  expect(faults).toEqual(isGood ? [] : [`--sink-opts endpoint ${rule} (got ${JSON.stringify(endpoint)})`]);
});
