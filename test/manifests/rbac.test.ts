import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { doctorCommand } from '../../src/cli/doctor.ts';
import { inspectCommand } from '../../src/cli/inspect.ts';
import { recordCommand } from '../../src/cli/record.ts';
import { runCommand } from '../../src/cli/run.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { type Core, core } from '../../src/simulator/core.ts';
import { httpFace } from '../../src/simulator/httpFace.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { type FakeProcess, fakeProcess } from '../unit/cliContext.ts';
import { type Manifest, only, rendered } from './rendered.ts';

const namespace = 'kube-sluice';
const commands = [runCommand, recordCommand, inspectCommand, doctorCommand];

interface Started {
  readonly fake: FakeProcess;
  readonly ending: Promise<number>;
}

function start(command: Command, kubeconfig: string, flags: readonly string[], podUid = ''): Started {
  const fake = fakeProcess({ environment: { POD_UID: podUid } });
  return { fake, ending: runCommandLine([command.name, '--kubeconfig', kubeconfig, ...flags], commands, fake.context) };
}

async function stopped({ fake, ending }: Started): Promise<void> {
  fake.stops.next('drain');
  expect(await ending, fake.errors()).toBe(0);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

/** As rules are written: `group/resource verb`, after the namespace if there is one. */
function rightsUsed({ requests }: Core): readonly string[] {
  const rights = requests.flatMap(({ path, query, method }) => {
    const [, group = '', inNamespace = '', resource, name] =
      /^\/(?:api\/v1|apis\/([^/]+)\/v1)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
    // Whoever is known may ask for the version, and for his own rights.
    if (resource === undefined || resource === 'selfsubjectaccessreviews') return [];
    const reading = query['watch'] === 'true' ? 'watch' : name === undefined ? 'list' : 'get';
    const verb = { GET: reading, POST: 'create', PUT: 'update', DELETE: 'delete' }[method] ?? method;
    // A pod is asked for in its own namespace, wherever that is: a right in the whole cluster.
    return [`${group === '' ? '' : `${inNamespace}: `}${group}/${resource} ${verb}`];
  });
  return [...new Set(rights)].sort();
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

function rightsGiven(manifest: Manifest, where: string): readonly string[] {
  return (manifest['rules'] as readonly Rule[]).flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${where}${group}/${resource} ${verb}`))),
  );
}

/** Makes every command do all that it does to a cluster. */
async function everyRequest(server: Core, kubeconfig: string, folder: string): Promise<void> {
  const exporting = (index: number, total: number): Started =>
    start(
      runCommand,
      kubeconfig,
      [`--total-shards=${total}`, `--shard-id=${index}`, '--checkpoint=lease', `--lease-namespace=${namespace}`, '--prometheus-endpoint='],
      `pod-${index}-of-${total}`,
    );
  const seen = (stream: string, ...on: readonly string[]): boolean =>
    server.requests.some((request) => request.stream === stream && on.includes(request.on));

  const one = exporting(0, 1);
  await until(() => server.openStreams('events') === 1);
  // An event that comes before its pod.
  server.create('Event', {
    metadata: { name: 'web-0.1', namespace: 'shop' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: 'not-seen' },
    lastTimestamp: new Date().toISOString(),
  });
  await until(() => seen('pods', 'get'));
  // A save whose answer is lost: did it come to pass?
  server.faults.next({ stream: 'leases', on: 'update' }, { type: 'lost' });
  await until(() => server.faults.waiting() === 0);
  await stopped(one);

  // More shards: the lease of the old map goes.
  const two = [exporting(0, 2), exporting(1, 2)];
  await until(() => seen('leases', 'delete'));
  await Promise.all(two.map(stopped));

  expect(await start(doctorCommand, kubeconfig, ['--checkpoint=lease', `--lease-namespace=${namespace}`]).ending).toBe(0);
  const files = { record: join(folder, 'recorded.ndjson.gz'), inspect: join(folder, 'report.html') };
  await start(recordCommand, kubeconfig, ['--output', files.record, '--for=300ms']).ending;
  await start(inspectCommand, kubeconfig, ['--output', files.inspect, '--for=300ms']).ending;
}

/** What all commands ask of a server of that minor version. */
async function rightsUsedWith(minor: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-rbac-'));
  const server = core({ minor }, { now: Date.now, random: seededRandom(3) });
  const face = await httpFace(server);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, face.kubeconfig());
  try {
    await everyRequest(server, kubeconfig, folder);
  } finally {
    await face.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return rightsUsed(server);
}

test('RBAC is what the program asks for and nothing else', async () => {
  // An older server has no streaming lists.
  const used = await Promise.all([31, 36].map(rightsUsedWith));
  const sharded = rendered('sharded');
  const given = [...rightsGiven(only('ClusterRole', sharded), ''), ...rightsGiven(only('Role', sharded), `${namespace}: `)];
  expect([...new Set(used.flat())].sort()).toEqual(given.sort());
});
