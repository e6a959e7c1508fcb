import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { optionTable } from '../../src/config/options.ts';

type Manifest = Readonly<Record<string, unknown>>;

const base = ['namespace.yaml', 'rbac.yaml', 'service.yaml', 'statefulset.yaml'].flatMap((name) => manifests(`base/${name}`));
const statefulSet = found('StatefulSet');

function manifests(path: string): Manifest[] {
  const text = readFileSync(new URL(`../../k8s/${path}`, import.meta.url), 'utf8');
  return parseAllDocuments(text, { strict: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
}

function found(kind: string): Manifest {
  const [manifest] = base.filter((candidate) => candidate['kind'] === kind);
  if (manifest === undefined) throw new Error(`k8s/base has no ${kind}`);
  return manifest;
}

/** The value at a path of names and indexes; `[name=x]` picks from a list. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, step) => {
    const [, key, wanted] = /^\[(\w+)=(.+)\]$/.exec(step) ?? [];
    if (key !== undefined && Array.isArray(inner)) return inner.find((item: Manifest) => item[key] === wanted);
    return (inner as Manifest | undefined)?.[step];
  }, value);
}

const container = at(statefulSet, 'spec.template.spec.containers.0');
const args = at(container, 'args') as string[];

test('RBAC is what the program needs and nothing else', () => {
  expect(found('ClusterRole')['rules']).toEqual([
    { apiGroups: [''], resources: ['events'], verbs: ['list', 'watch'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
  ]);
  expect(found('Role')['rules']).toEqual([
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'list', 'create', 'update', 'delete'] },
  ]);
});

test.each(['ClusterRoleBinding', 'RoleBinding'])('the %s gives its role to the service account of the pods', (kind) => {
  const { roleRef, subjects } = found(kind);
  expect(roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: kind.replace('Binding', ''), name: 'kube-sluice' });
  expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'kube-sluice', namespace: 'kube-sluice' }]);
  expect(found('ServiceAccount')['metadata']).toEqual({ name: 'kube-sluice', namespace: 'kube-sluice' });
  expect(at(statefulSet, 'spec.template.spec.serviceAccountName')).toBe('kube-sluice');
});

test('everything with a namespace is in the one that is made here', () => {
  const outside = base.filter(({ kind }) => !['Namespace', 'ClusterRole', 'ClusterRoleBinding'].includes(String(kind)));
  expect(new Set(outside.map((manifest) => at(manifest, 'metadata.namespace')))).toEqual(
    new Set([at(found('Namespace'), 'metadata.name')]),
  );
});

test('the pod runs without privileges on a read-only root', () => {
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
});

test('the shard comes from the name of the pod, and shards start side by side', () => {
  const field = (fieldPath: string): Manifest => ({ fieldRef: { fieldPath } });
  expect(at(container, 'env')).toEqual([
    { name: 'POD_NAME', valueFrom: field('metadata.name') },
    { name: 'POD_UID', valueFrom: field('metadata.uid') },
    { name: 'POD_NAMESPACE', valueFrom: field('metadata.namespace') },
  ]);
  expect(at(statefulSet, 'spec.podManagementPolicy')).toBe('Parallel');
  expect(at(statefulSet, 'spec.serviceName')).toBe(at(found('Service'), 'metadata.name'));
});

test('labels, selectors and ports fit together', () => {
  const labels = at(statefulSet, 'spec.template.metadata.labels');
  expect(at(statefulSet, 'spec.selector.matchLabels')).toEqual(labels);
  expect(at(found('Service'), 'spec.selector')).toEqual(labels);
  const port = optionTable['prometheus-endpoint']?.default.replace(':', '');
  expect(at(container, 'ports')).toEqual([{ name: 'metrics', containerPort: Number(port) }]);
  expect([at(container, 'livenessProbe.httpGet'), at(container, 'readinessProbe.httpGet')]).toEqual([
    { path: '/livez', port: 'metrics' },
    { path: '/readyz', port: 'metrics' },
  ]);
});

test('the pod has longer to end than the drain takes', () => {
  const drain = /^(\d+)s$/.exec(optionTable['drain-timeout']?.default ?? '')?.[1];
  expect(at(statefulSet, 'spec.template.spec.terminationGracePeriodSeconds')).toBeGreaterThanOrEqual(Number(drain) + 5);
});

test('arguments are flags that exist, given once', () => {
  const flags = args.map((arg) => /^--([a-z-]+)=/.exec(arg)?.[1] ?? arg);
  expect(new Set(flags).size).toBe(flags.length);
  expect(flags.filter((flag) => optionTable[flag]?.commands.includes('run') !== true)).toEqual([]);
});

test('one container has one shard', () => {
  expect(args[0]).toBe(`--total-shards=${String(at(statefulSet, 'spec.replicas'))}`);
  const [single] = manifests('single/kustomization.yaml');
  expect(single).toMatchObject({ resources: ['../base'] });
  expect(single).not.toHaveProperty('replicas');
});

test('the sharded overlay copies its one number to the argument', () => {
  const [sharded] = manifests('sharded/kustomization.yaml');
  expect(sharded).toMatchObject({ resources: ['../base'], replicas: [{ name: 'kube-sluice', count: 3 }] });
  const source = at(sharded, 'replacements.0.source');
  const target = at(sharded, 'replacements.0.targets.0');
  expect(at(sharded, 'replacements')).toHaveLength(1);
  expect(source).toEqual({ kind: 'StatefulSet', name: 'kube-sluice', fieldPath: 'spec.replicas' });
  expect(at(target, 'select')).toEqual({ kind: 'StatefulSet', name: 'kube-sluice' });
  expect(at(target, 'options')).toEqual({ delimiter: '=', index: 1 });
  expect(String(at(statefulSet, String(at(target, 'fieldPaths.0')))).split('=')).toEqual(['--total-shards', '1']);
});
