import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { core, httpFace, seededRandom } from '../../src/testing.ts';
import { exportedOnce, faultsOf } from '../e2e/exportedOnce.ts';

test('the test for a real cluster holds in a simulated one, in its short form, and leaves nothing behind', {
  timeout: 300_000,
}, async () => {
  const server = core({ resourceVersion: '1000' }, { now: Date.now, random: seededRandom(6) });
  const face = await httpFace(server);
  const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-e2e-'));
  const kubeconfig = join(folder, 'admin');
  writeFileSync(kubeconfig, face.kubeconfig());
  try {
    await exportedOnce(kubeconfig, { namespaces: 2, revisions: 60 });
    const nodeEvents = server.objects('Event').filter(({ metadata }) => metadata.namespace === 'default');
    expect([nodeEvents, server.objects('Pod')]).toEqual([[], []]);
  } finally {
    await face.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what is wrong with an export is seen', () => {
  const pod = { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: 'p' };
  const labels = { 'logging.gke.io/top_level_controller_type': 'Job', 'logging.gke.io/top_level_controller_name': 'import' };
  const revision = { uid: 'e', resourceVersion: '1', involved: pod, owner: 'Job/import' };
  const line = { shard: 0, eventUID: 'e', resourceVersion: '1', podLabels: labels };
  expect(faultsOf([revision], [line], [1])).toEqual([]);
  expect(faultsOf([revision], [], [1])).toEqual(['lost e@1']);
  expect(faultsOf([revision], [line, line], [1])).toEqual(['repeated e@1']);
  expect(faultsOf([revision], [line, { ...line, resourceVersion: '2' }], [1])).toEqual(['never written e@2']);
  expect(faultsOf([revision], [{ ...line, shard: 1 }], [1])).toEqual(['in shard 1 instead of 0: e@1']);
  expect(faultsOf([revision], [{ ...line, podLabels: {} }], [1])).toEqual(['labelled undefined instead of Job/import: e@1 of web-0']);
});
