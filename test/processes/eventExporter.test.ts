import { spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { core, fakeCloudLogging, fakeMetadata, httpFace, seededRandom } from '../../src/testing.ts';
import { folder } from '../contract/kubeConfigs.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url).pathname;

/** As written in manifests of the Go exporter, but for the addresses. */
function goFlags(endpoint: string): readonly string[] {
  return [
    '-v=4',
    '-logtostderr',
    '-resync-period=1m0s',
    '-prometheus-endpoint=127.0.0.1:0',
    '-system-namespaces=kube-system,gke-connect',
    '-enable-pod-owner-label=false',
    '-storage-type=DeltaFIFOStorage',
    '-lister-watcher-enable-streaming=true',
    `-sink-opts=--endpoint=${endpoint} --stackdriver-resource-model=new --flush-delay=100ms -max-buffer-size=50`,
  ];
}

test('called as event-exporter with the flags of the Go exporter, it writes to Cloud Logging as who and for which cluster the metadata server says', async () => {
  const server = core({}, { now: Date.now, random: seededRandom(1) });
  const metadata = await fakeMetadata({ project: 'acme' });
  const logging = await fakeCloudLogging({ accepts: metadata.accepts });
  const face = await httpFace(server);
  onTestFinished(() => Promise.all([face.close(), metadata.close(), logging.close()]).then(() => undefined));
  const involvedObject = { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: '0e0e0e0e-0000-4000-8000-000000000101' };
  server.create('Event', {
    metadata: { name: 'web-0.a', namespace: 'shop' },
    involvedObject,
    type: 'Warning',
    reason: 'BackOff',
    message: 'again',
  });

  const home = folder();
  writeFileSync(join(home, 'config'), face.kubeconfig());
  symlinkSync(program, join(home, 'event-exporter'));
  const env = { PATH: home, HOME: home, KUBECONFIG: join(home, 'config'), ...metadata.environment };
  const child = spawn(process.execPath, [join(home, 'event-exporter'), ...goFlags(logging.url)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (told += text));
  let code: number | null | undefined;
  child.once('close', (closed) => {
    code = closed;
  });
  while (logging.stored.length < 2 && code === undefined) await setTimeout(20);
  child.kill('SIGTERM');
  while (code === undefined) await setTimeout(20);

  expect([code, told]).toEqual([0, expect.not.stringContaining('"level":"error"')]);
  const cluster = { project_id: 'acme', location: 'europe-west4', cluster_name: 'cluster-1' };
  expect(
    logging.query().map(({ entry: { logName, severity, resource, jsonPayload } }) => [logName, severity, resource, jsonPayload?.['kind']]),
  ).toEqual([
    ['projects/acme/logs/events', 'WARNING', { type: 'k8s_cluster', labels: cluster }, 'Start'],
    [
      'projects/acme/logs/events',
      'WARNING',
      { type: 'k8s_pod', labels: { ...cluster, namespace_name: 'shop', pod_name: 'web-0' } },
      'Event',
    ],
  ]);
  const idle = ['v', 'logtostderr', 'resync-period', 'storage-type', 'lister-watcher-enable-streaming'];
  for (const flag of idle) expect(told.split(`--${flag} is accepted and does nothing`), flag).toHaveLength(2);
});
