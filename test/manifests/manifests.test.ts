import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commandLine } from '../../src/cli/commandLine.ts';
import { runCommand } from '../../src/cli/run.ts';
import { optionTable } from '../../src/config/options.ts';
import { readSettings } from '../../src/config/readSettings.ts';
import { at, type Manifest, only, rendered } from './rendered.ts';
import { schemaFaults } from './schemaFaults.ts';

interface Patched {
  readonly patches: readonly [{ readonly patch: string }];
}

const overlays = { single: rendered('single'), sharded: rendered('sharded'), monitoring: rendered('monitoring') };
const exporters = Object.entries({ single: overlays.single, sharded: overlays.sharded });
const { sharded } = overlays;
const statefulSet = only('StatefulSet', sharded);
const container = at(statefulSet, 'spec.template.spec.containers.0');

function argsOf(manifests: readonly Manifest[]): readonly string[] {
  return at(only('StatefulSet', manifests), 'spec.template.spec.containers.0.args') as readonly string[];
}

function replicasOf(manifests: readonly Manifest[]): unknown {
  return at(only('StatefulSet', manifests), 'spec.replicas');
}

describe.each(Object.entries(overlays))('k8s/%s', (_, manifests) => {
  test.each(manifests.map((manifest) => [manifest['kind'], manifest]))(
    '%s is what its schema says, and has no field besides',
    async (_, manifest) => {
      expect(await schemaFaults(manifest)).toEqual([]);
    },
  );

  test('names each object once, and only one namespace', () => {
    const names = manifests.map((manifest) => `${String(manifest['kind'])} ${String(at(manifest, 'metadata.name'))}`);
    expect(new Set(names).size).toBe(names.length);
    const inNamespaces = manifests.filter(({ kind }) => !['Namespace', 'ClusterRole', 'ClusterRoleBinding'].includes(String(kind)));
    expect(new Set(inNamespaces.map((manifest) => at(manifest, 'metadata.namespace')))).toEqual(new Set(['kube-sluice']));
  });
});

test('a field that Kubernetes does not know, a missing one and a wrong type are seen', async () => {
  const manifest = { apiVersion: 'v1', kind: 'Service', metadata: { labels: { a: 1 } }, spec: { ports: [{ prot: 1 }], clusterIp: 'None' } };
  expect(await schemaFaults(manifest)).toEqual([
    '/metadata/labels/a type {"type":"string"}',
    '/spec/ports/0 required {"missingProperty":"port"}',
    '/spec/ports/0/prot is not a field',
    '/spec/clusterIp is not a field',
  ]);
});

test('without the Prometheus operator both overlays can be applied: nothing in them needs definitions of its own', () => {
  const custom = exporters.flatMap(([, manifests]) =>
    manifests.filter((manifest) => String(manifest['apiVersion']).startsWith('monitoring.')),
  );
  expect(custom).toEqual([]);
  expect(overlays.monitoring.map(({ kind }) => kind)).toEqual(['ConfigMap', 'PodMonitor', 'PrometheusRule']);
});

test.each([
  ['single', 1],
  ['sharded', 3],
] as const)('k8s/%s has %d containers, and each is told so', (name, total) => {
  expect([replicasOf(overlays[name]), argsOf(overlays[name])[0]]).toEqual([total, `--total-shards=${total}`]);
});

test('the number of shards stands in one place', () => {
  const text = readFileSync(new URL('../../k8s/sharded/kustomization.yaml', import.meta.url), 'utf8');
  expect(text.match(/\b3\b/g)).toHaveLength(1);
});

test.each(exporters)('the arguments of k8s/%s are settings without a fault', async (_, manifests) => {
  const line = await commandLine(argsOf(manifests), { commands: [runCommand], version: '', columns: 80 });
  if (line.type !== 'call') throw new Error('the arguments call no command');
  const environment = { POD_NAME: 'kube-sluice-0' };
  const { faults } = readSettings({ command: line.command, flags: line.flags, environment, hostname: 'kube-sluice-0', read: () => '' });
  expect([line.command, line.positionals, line.faults, faults]).toEqual(['run', [], [], []]);
});

test.each(['ClusterRoleBinding', 'RoleBinding'])(
  'the %s gives its role to the service account of the pods, who alone get a token',
  (kind) => {
    const { roleRef, subjects } = only(kind, sharded);
    expect(roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: kind.replace('Binding', ''), name: 'kube-sluice' });
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'kube-sluice', namespace: 'kube-sluice' }]);
    expect(only('ServiceAccount', sharded)).toMatchObject({ metadata: { name: 'kube-sluice' }, automountServiceAccountToken: false });
    expect(at(statefulSet, 'spec.template.spec')).toMatchObject({ serviceAccountName: 'kube-sluice', automountServiceAccountToken: true });
  },
);

test('the pod runs without privileges on a read-only root, in a namespace that asks for it', () => {
  expect(at(statefulSet, 'spec.template.spec.securityContext')).toEqual({
    runAsNonRoot: true,
    runAsUser: 65532,
    runAsGroup: 65532,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(at(container, 'securityContext')).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(at(statefulSet, 'spec.template.spec.enableServiceLinks')).toBe(false);
  expect(at(only('Namespace', sharded), 'metadata.labels')).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' });
});

test('the shard comes from the name of the pod, and shards start side by side', () => {
  const field = (fieldPath: string): Manifest => ({ fieldRef: { fieldPath } });
  expect(at(container, 'env')).toEqual([
    { name: 'NODE_OPTIONS', value: expect.any(String) },
    { name: 'POD_NAME', valueFrom: field('metadata.name') },
    { name: 'POD_UID', valueFrom: field('metadata.uid') },
    { name: 'POD_NAMESPACE', valueFrom: field('metadata.namespace') },
  ]);
  expect(at(statefulSet, 'spec.podManagementPolicy')).toBe('Parallel');
  expect(at(statefulSet, 'spec.serviceName')).toBe(at(only('Service', sharded), 'metadata.name'));
});

test('labels, selectors and ports fit together', () => {
  const labels = at(statefulSet, 'spec.template.metadata.labels');
  const selectors = [
    at(statefulSet, 'spec.selector.matchLabels'),
    at(statefulSet, 'spec.template.spec.topologySpreadConstraints.0.labelSelector.matchLabels'),
    at(only('Service', sharded), 'spec.selector'),
    at(only('PodDisruptionBudget', sharded), 'spec.selector.matchLabels'),
    at(only('NetworkPolicy', sharded), 'spec.podSelector.matchLabels'),
    at(only('PodMonitor', overlays.monitoring), 'spec.selector.matchLabels'),
  ];
  expect(new Set(selectors.map((selector) => JSON.stringify(selector)))).toEqual(new Set([JSON.stringify(labels)]));
  const port = optionTable['prometheus-endpoint']?.default.replace(':', '');
  expect(at(container, 'ports')).toEqual([{ name: 'metrics', containerPort: Number(port) }]);
  const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => at(container, `${name}.httpGet`));
  expect(probes).toEqual(['/livez', '/livez', '/readyz'].map((path) => ({ path, port: 'metrics' })));
  expect(at(only('NetworkPolicy', sharded), 'spec.ingress.0.ports')).toEqual([{ protocol: 'TCP', port: 'metrics' }]);
  expect(at(only('PodMonitor', overlays.monitoring), 'spec.podMetricsEndpoints.0')).toMatchObject({ port: 'metrics', path: '/metrics' });
});

test('the pod has longer to end than the drain takes, and one shard at a time may be away', () => {
  const drain = /^(\d+)s$/.exec(optionTable['drain-timeout']?.default ?? '')?.[1];
  expect(at(statefulSet, 'spec.template.spec.terminationGracePeriodSeconds')).toBeGreaterThan(Number(drain) + 5);
  expect(at(only('PodDisruptionBudget', sharded), 'spec.maxUnavailable')).toBe(1);
});

describe.each(readdirSync(new URL('../../k8s/sizes', import.meta.url)))('the size %s', (size) => {
  const { patches } = parse(readFileSync(new URL(`../../k8s/sizes/${size}/kustomization.yaml`, import.meta.url), 'utf8')) as Patched;
  const [sized] = at(parse(patches[0].patch), 'spec.template.spec.containers') as readonly [Manifest];
  const mebibytes = (path: string): number => Number(/^(\d+)Mi$/.exec(String(at(sized, path)))?.[1]);

  test('asks for less than its limit, and its heap leaves room for the rest', () => {
    const heap = Number(/--max-old-space-size=(\d+)$/.exec(String(at(sized, 'env.0.value')))?.[1]);
    expect(mebibytes('resources.requests.memory')).toBeLessThan(mebibytes('resources.limits.memory'));
    expect(mebibytes('resources.limits.memory') - heap).toBeGreaterThanOrEqual(110);
  });

  test('stands in the documentation with its numbers', () => {
    const row = ['requests.cpu', 'requests.memory', 'limits.memory'].map((path) => at(sized, `resources.${path}`)).join(' | ');
    expect(readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')).toContain(`| ${row} |`);
  });
});
