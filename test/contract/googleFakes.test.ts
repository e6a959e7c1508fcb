import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type FakeCloudLogging, type FakeMetadata, fakeCloudLogging, fakeMetadata } from '../../src/testing.ts';

const write = JSON.stringify({
  logName: 'projects/acme/logs/events',
  resource: { type: 'k8s_cluster' },
  entries: [{ insertId: 'a', jsonPayload: {} }],
});

async function closing<T extends { close(): Promise<void> }>(server: Promise<T>): Promise<T> {
  const listening = await server;
  onTestFinished(() => listening.close());
  return listening;
}

async function post(
  { url }: FakeCloudLogging,
  headers: Readonly<Record<string, string>> = {},
  body: string | Uint8Array<ArrayBuffer> = write,
): Promise<unknown> {
  const answer = await fetch(`${url}/v2/entries:write?$alt=json`, { method: 'POST', headers, body });
  return [answer.status, await answer.text()];
}

function ask(
  { url }: FakeMetadata,
  path: string,
  headers: Readonly<Record<string, string>> = { 'Metadata-Flavor': 'Google' },
): Promise<Response> {
  return fetch(url + path, { headers });
}

test('Cloud Logging over HTTP answers, answers late, compressed too, and breaks off before or after it has stored', async () => {
  const service = await closing(fakeCloudLogging());
  expect(await post(service)).toEqual([200, '{}']);
  expect(await post(service, { 'content-encoding': 'gzip' }, new Uint8Array(gzipSync(write)))).toEqual([200, '{}']);
  service.faults.next({ type: 'slow', afterMs: 5 });
  expect(await post(service)).toEqual([200, '{}']);
  service.faults.next({ type: 'reset' });
  await expect(post(service)).rejects.toThrow();
  service.faults.next({ type: 'reset', store: true });
  await expect(post(service)).rejects.toThrow();
  expect(service.requests.map(({ outcome, stored }) => [outcome, stored])).toEqual([
    [200, 1],
    [200, 1],
    [200, 1],
    ['refused', 0],
    ['lost', 1],
  ]);
});

test('the metadata server gives values to those who ask in its way, and tokens that come in until they expire', async () => {
  let nowMs = 1_000_000;
  const metadata = await closing(fakeMetadata({ project: 'acme', tokenSeconds: 60, now: () => nowMs }));
  const service = await closing(fakeCloudLogging({ accepts: metadata.accepts }));

  const project = await ask(metadata, '/computeMetadata/v1/project/project-id');
  expect([project.headers.get('metadata-flavor'), await project.text()]).toEqual(['Google', 'acme']);
  expect(await (await ask(metadata, '/computeMetadata/v1/instance/attributes/cluster-name')).text()).toBe('cluster-1');
  expect(await (await ask(metadata, '/computeMetadata/v1/instance/attributes/')).text()).toBe('cluster-name\ncluster-location\n');
  expect((await ask(metadata, '/computeMetadata/v1/instance/attributes/none')).status).toBe(404);
  expect((await ask(metadata, '/computeMetadata/v1/project/project-id', {})).status).toBe(403);
  const forwarded = { 'Metadata-Flavor': 'Google', 'X-Forwarded-For': '192.0.2.1' };
  expect((await ask(metadata, '/computeMetadata/v1/project/project-id', forwarded)).status).toBe(403);

  const given = await (await ask(metadata, '/computeMetadata/v1/instance/service-accounts/default/token')).json();
  const authorization = `Bearer ${(given as { access_token: string }).access_token}`;
  expect(await post(service, { authorization })).toEqual([200, '{}']);
  nowMs += 60_000;
  expect(await post(service, { authorization })).toEqual([401, expect.stringContaining('UNAUTHENTICATED')]);
  expect(metadata.issued()).toBe(1);
});

test('the token endpoint answers the grants of credential files', async () => {
  const metadata = await closing(fakeMetadata());
  const grant = async (type: string): Promise<number> => {
    const answer = await fetch(`${metadata.url}/token`, { method: 'POST', body: new URLSearchParams({ grant_type: type }) });
    return answer.status;
  };
  expect(await grant('urn:ietf:params:oauth:grant-type:token-exchange')).toBe(200);
  expect(await grant('password')).toBe(400);
  expect([metadata.accepts('token-1'), metadata.accepts('token-2')]).toEqual([true, false]);
  metadata.revoke();
  expect(metadata.accepts('token-1')).toBe(false);
});

test('the metadata server may be late, at fault, silent or not there', async () => {
  const metadata = await closing(fakeMetadata());
  const path = '/computeMetadata/v1/project/project-id';
  metadata.behave({ type: 'slow', afterMs: 5 });
  expect((await ask(metadata, path)).status).toBe(200);
  metadata.behave({ type: 'status', status: 503 });
  expect((await ask(metadata, path)).status).toBe(503);
  metadata.behave({ type: 'absent' });
  await expect(ask(metadata, path)).rejects.toThrow();
  metadata.behave({ type: 'hang' });
  const hung = ask(metadata, path);
  while (metadata.asked.length < 4) await new Promise((resolve) => setImmediate(resolve));
  metadata.dropConnections();
  await expect(hung).rejects.toThrow();
  expect(metadata.environment).toEqual({ GCE_METADATA_HOST: new URL(metadata.url).host });
});
