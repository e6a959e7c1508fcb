import { describe, expect, test } from 'vitest';
import { ownerReference, pod } from '../../marbles/builders.ts';
import type { ObjectMeta, PodMetadata } from '../../src/model/kube.ts';
import { ownerOf } from '../../src/model/ownerOf.ts';

/** `Kind/name`, or nothing. */
function named(metadata: ObjectMeta): string {
  const owner = ownerOf(pod('web-0', metadata));
  return owner === undefined ? 'nothing' : `${owner.kind}/${owner.name}`;
}

function job(name: string, metadata: ObjectMeta = {}): string {
  return named({ creationTimestamp: null, ...metadata, ownerReferences: [ownerReference('Job', name, { apiVersion: 'batch/v1' })] });
}

describe('which reference decides', () => {
  const thing = ownerReference('CustomThing', 'keeper', { apiVersion: 'example.test/v1' });
  const [agent, db] = [ownerReference('DaemonSet', 'agent'), ownerReference('StatefulSet', 'db')];
  const plain = (reference: typeof thing) => ({ ...reference, controller: false });

  test.each([
    ['none', undefined, 'nothing'],
    ['an empty list', [], 'nothing'],
    ['the controller, standing first', [agent, plain(db)], 'DaemonSet/agent'],
    ['the controller, standing last', [plain(db), agent], 'DaemonSet/agent'],
    ['a controller of another kind: nobody else counts', [agent, thing].map((r) => ({ ...r, controller: r === thing })), 'nothing'],
    ['no controller: the last of a known kind', [plain(agent), plain(db), plain(thing)], 'StatefulSet/db'],
    ['a kind that every object has as a property', [ownerReference('constructor', 'x'), ownerReference('__proto__', 'y')], 'nothing'],
  ])('%s', (_, ownerReferences, expected) => {
    expect(named({ ...(ownerReferences === undefined ? {} : { ownerReferences }) })).toBe(expected);
  });

  test.each([
    ['DaemonSet', 'apps/v1', 'DaemonSet/x'],
    ['DaemonSet', 'apps/v1beta2', 'DaemonSet/x'],
    ['DaemonSet', 'apps.kruise.io/v1', 'nothing'],
    ['DaemonSet', 'batch/v1', 'nothing'],
    ['DaemonSet', 'v1', 'nothing'],
    ['DaemonSet', 'apps', 'nothing'],
    ['DaemonSet', '', 'DaemonSet/x'],
    ['Job', 'batch/v1', 'Job/x'],
    ['Job', 'batch.volcano.sh/v1', 'nothing'],
    ['Deployment', 'apps/v1', 'nothing'],
  ])('%s of %s', (kind, apiVersion, expected) => {
    expect(named({ ownerReferences: [ownerReference(kind, 'x', { apiVersion })] })).toBe(expected);
  });

  test('a reference without an apiVersion counts as the right group', () => {
    expect(named({ ownerReferences: [{ kind: 'Job', name: 'x', controller: true }] })).toBe('Job/x');
  });
});

test.each([
  ['web-5d8f7c9b64', '5d8f7c9b64', 'Deployment/web'],
  ['web-a-b', 'a-b', 'Deployment/web'],
  ['web-5d8f7c9b64', '', 'nothing'],
  ['web-5d8f7c9b64', undefined, 'nothing'],
  ['web-5d8f7c9b64', '7c9b64', 'nothing'],
  ['web-5d8f7c9b64', '........64', 'nothing'],
  ['-5d8f7c9b64', '5d8f7c9b64', 'nothing'],
  ['5d8f7c9b64', '5d8f7c9b64', 'nothing'],
  ['b64', '5d8f7c9b64', 'nothing'],
])('a pod of the ReplicaSet %s with the hash %s belongs to %s', (name, hash, expected) => {
  const labels = hash === undefined ? {} : { 'pod-template-hash': hash };
  expect(named({ labels, ownerReferences: [ownerReference('ReplicaSet', name)] })).toBe(expected);
});

describe('a Job that a CronJob may have made', () => {
  test.each([
    ['report-27667920', 'CronJob/report'],
    ['a-20000000', 'CronJob/a'],
    ['a-59999999', 'CronJob/a'],
    ['a-19999999', 'Job/a-19999999'],
    ['a-60000000', 'Job/a-60000000'],
    ['a-2766792', 'Job/a-2766792'],
    ['a-127667920', 'Job/a-127667920'],
    ['-27667920', 'Job/-27667920'],
    ['27667920', 'Job/27667920'],
    ['a-27667920\n', 'Job/a-27667920\n'],
  ])('%s without a time is of %s', (name, expected) => {
    expect(job(name)).toBe(expected);
  });

  const minute = 28_000_000;
  const days = (count: number) => new Date((minute + count * 24 * 60) * 60_000).toISOString();
  test.each([
    [days(0), 'CronJob/a'],
    [days(400), 'CronJob/a'],
    [days(-400), 'CronJob/a'],
    [days(400.001), 'Job/a-28000000'],
    [days(-400.001), 'Job/a-28000000'],
    ['0001-01-01T00:00:00Z', 'CronJob/a'],
    ['soon', 'CronJob/a'],
    [null, 'CronJob/a'],
  ])('a pod created %s', (creationTimestamp, expected) => {
    expect(job(`a-${minute}`, { creationTimestamp })).toBe(expected);
  });
});

describe('a Job of a JobSet', () => {
  const labelsOf = (labels: Record<string, string>) =>
    ownerOf(pod('x', { labels, ownerReferences: [ownerReference('Job', 'train-workers-0', { apiVersion: 'batch/v1' })] }))?.labels;
  const jobSet = {
    'logging.gke.io/top_level_controller_type': 'JobSet',
    'logging.gke.io/top_level_controller_name': 'train',
  };

  test('carries over the attempt, 0 included, and the UID, and no other label', () => {
    const carried = { 'jobset.sigs.k8s.io/restart-attempt': '0', 'jobset.sigs.k8s.io/jobset-uid': 'u-1' };
    expect(labelsOf({ 'jobset.sigs.k8s.io/jobset-name': 'train', app: 'train', ...carried })).toEqual({ ...jobSet, ...carried });
  });

  test('carries over nothing that is not there', () => {
    expect(labelsOf({ 'jobset.sigs.k8s.io/jobset-name': 'train' })).toEqual(jobSet);
  });

  test('is a plain Job when the name is empty, whatever else is there', () => {
    expect(labelsOf({ 'jobset.sigs.k8s.io/jobset-name': '', 'jobset.sigs.k8s.io/restart-attempt': '1' })).toEqual({
      'logging.gke.io/top_level_controller_type': 'Job',
      'logging.gke.io/top_level_controller_name': 'train-workers-0',
    });
  });
});

describe('hostile metadata', () => {
  const read = (metadata: string) => ownerOf({ metadata: JSON.parse(metadata) as ObjectMeta } as PodMetadata);

  test.each([
    '{"ownerReferences":null}',
    '{"ownerReferences":{"length":1}}',
    '{"ownerReferences":[null,1,"x",[],{}]}',
    '{"ownerReferences":[{"kind":"Job","name":7,"controller":true}]}',
    '{"ownerReferences":[{"kind":"Job","name":""}]}',
    '{"labels":null,"ownerReferences":[{"kind":"ReplicaSet","name":"web-1"}]}',
    '{"labels":{"pod-template-hash":1},"ownerReferences":[{"kind":"ReplicaSet","name":"web-1"}]}',
    '{"labels":{"__proto__":{"pod-template-hash":"1"}},"ownerReferences":[{"kind":"ReplicaSet","name":"web-1"}]}',
  ])('%s has no owner', (metadata) => {
    expect(read(metadata)).toBeUndefined();
  });

  test('labels named like parts of an object change no object', () => {
    const labels = '{"__proto__":{"polluted":"yes"},"constructor":"x","jobset.sigs.k8s.io/jobset-name":"__proto__"}';
    const owner = read(`{"labels":${labels},"ownerReferences":[{"kind":"Job","name":"x"}]}`);
    expect(owner?.name).toBe('__proto__');
    expect(Object.keys(owner?.labels ?? {})).toEqual([
      'logging.gke.io/top_level_controller_type',
      'logging.gke.io/top_level_controller_name',
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('a name of a million dashes is a name', () => {
    const name = `${'-2'.repeat(500_000)}x`;
    expect(job(name)).toBe(`Job/${name}`);
  });
});
