import { test } from 'vitest';
import { exportedOnce } from './exportedOnce.ts';

test('shards in a real cluster export each revision once', async () => {
  const kubeconfig = process.env['KUBECONFIG'] ?? '';
  if (kubeconfig === '') throw new Error('KUBECONFIG must name the kubeconfig of an administrator (got nothing)');
  await exportedOnce(kubeconfig, { namespaces: 3, revisions: 500 });
});
