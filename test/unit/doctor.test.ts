import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { doctorCommand } from '../../src/cli/doctor.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { busyCluster } from '../../src/simulator/busyCluster.ts';
import { type Core, core } from '../../src/simulator/core.ts';
import { httpFace } from '../../src/simulator/httpFace.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { folder } from '../contract/kubeConfigs.ts';
import { fakeProcess } from './cliContext.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

async function cluster(minor = 36): Promise<{ readonly server: Core; readonly flags: readonly string[] }> {
  const random = seededRandom(7);
  const server = core({ token: 'secret-token', minor }, { now: Date.now, random });
  busyCluster(server, { pods: 20 }, random).stepUntil(30);
  const face = await httpFace(server, { token: 'secret-token' });
  closing.push(face.close);
  const kubeconfig = join(folder(), 'config');
  writeFileSync(kubeconfig, face.kubeconfig());
  return { server, flags: ['--kubeconfig', kubeconfig] };
}

async function doctor(...flags: readonly string[]): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const fake = fakeProcess();
  const code = await runCommandLine(['doctor', ...flags], [doctorCommand], fake.context);
  return { code, output: fake.output(), errors: fake.errors() };
}

const leases = ['--checkpoint', 'lease', '--lease-namespace', 'exporters'];

test('a healthy cluster: all is looked at, nothing is in the way, and no write is tried', async () => {
  const { server, flags } = await cluster();
  const { code, output, errors } = await doctor(...flags, ...leases);

  expect(errors).toBe('');
  expect(code).toBe(0);
  expect(output).not.toMatch(/^BAD/m);
  for (const about of ['server', 'version', 'clock', 'rights', 'streaming lists', 'events', 'lease', 'sink']) {
    expect(output).toMatch(new RegExp(`^ok    ${about} `, 'm'));
  }
  expect(output.trimEnd().split('\n').at(-1)).toBe('kube-sluice can run with these settings');
  expect(server.writes.some(({ kind }) => kind === 'Lease')).toBe(false);
});

test('rights that are missing are named with the rule that gives them', async () => {
  const { server, flags } = await cluster();
  server.access.forbid({ plural: 'leases', verb: 'update' });
  server.access.forbid({ plural: 'pods', verb: 'watch' });
  const { code, output } = await doctor(...flags, ...leases);

  expect(code).toBe(5);
  expect(output).toMatch(/^BAD {3}rights +pods in all namespaces: may not watch$/m);
  expect(output).toContain("a ClusterRole with {apiGroups: [''], resources: [pods], verbs: [get, list, watch]}");
  expect(output).toMatch(/^BAD {3}rights +leases in namespace exporters: may not update$/m);
  expect(output).toContain('keep kube-sluice from running as it should');
});

test('with labels and leases off, only events have to be read', async () => {
  const { server, flags } = await cluster();
  server.access.forbid({ plural: 'pods' });
  server.access.forbid({ plural: 'leases' });
  const { code, output } = await doctor(...flags, '--enable-pod-owner-label=false', '--checkpoint', 'none');

  expect(code).toBe(0);
  expect(output).not.toContain('pods in');
});

test('credentials that are not accepted, and a server that is not there', async () => {
  const { server, flags } = await cluster();
  server.access.requireToken('another-token');
  const refused = await doctor(...flags);
  expect(refused.code).toBe(5);
  expect(refused.output).toMatch(/^BAD {3}server .*HTTP 401/m);
  expect(refused.output).not.toContain('secret-token');

  await Promise.all(closing.splice(0).map((close) => close()));
  const gone = await doctor(...flags);
  expect(gone.code).toBe(5);
  expect(gone.output).toMatch(/^BAD {3}server +127\.0\.0\.1:[0-9]+: connection refused \(ECONNREFUSED\)$/m);
  // What needs the server is not asked for again and again; what does not is looked at.
  for (const { output } of [refused, gone]) {
    const abouts = [...output.matchAll(/^(?:ok|note|BAD) +(\S+)/gm)].map(([, about]) => about);
    expect([abouts, output.trimEnd().split('\n').at(-1)]).toEqual([
      ['server', 'sink'],
      '1 thing keeps kube-sluice from running as it should',
    ]);
  }
});

test('an older server, and one that does not shard pods: notes, no faults', async () => {
  const { flags } = await cluster(31);
  const { code, output } = await doctor(...flags, '--shard-function', 'fnv1a64-range', '--total-shards', '2', '--shard-id', '0');

  expect(code).toBe(0);
  expect(output).toMatch(/^note {2}version .*lists are read by pages$/m);
  expect(output).toMatch(/^note {2}pods by shard /m);
});

test('settings are judged first, as for run', async () => {
  const { code, errors } = await doctor('--kubeconfig', '/nowhere/config', '--total-shards', '0');
  expect(code).toBe(2);
  expect(errors).toContain('--total-shards');
});
