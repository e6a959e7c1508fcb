import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { core, httpFace, seededRandom } from '../../src/testing.ts';
import { exportedOnce } from '../e2e/exportedOnce.ts';

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
