import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { firstValueFrom } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { trustCertificates } from '../../src/cli/trustCertificates.ts';
import { PipelineError } from '../../src/errors.ts';
import type { LogWriter } from '../../src/ports.ts';
import { type FakeCloudLogging, type FakeCloudLoggingSettings, fakeCloudLogging } from '../../src/simulator/fakeCloudLogging.ts';
import { type FakeMetadata, type FakeMetadataSettings, fakeMetadata } from '../../src/simulator/fakeMetadata.ts';
import { cloudLoggingWriter } from '../../src/transports/cloudLoggingWriter.ts';
import { googleProject } from '../../src/transports/googleCredentials.ts';
import { googleEnvironment } from '../google/googleEnvironment.ts';
import { tlsFile } from './apiServer.ts';
import { folder } from './kubeConfigs.ts';

const answerTimeoutMs = 5_000;
const body = Buffer.from(
  JSON.stringify({ logName: 'projects/p/logs/events', entries: [{ insertId: 'a', resource: { type: 'k8s_cluster' }, textPayload: 'é' }] }),
);
const tls = { certificate: readFileSync(tlsFile('server.crt'), 'utf8'), key: readFileSync(tlsFile('server.key'), 'utf8') };

async function service(settings: FakeCloudLoggingSettings = {}): Promise<FakeCloudLogging> {
  const server = await fakeCloudLogging(settings);
  onTestFinished(server.close);
  return server;
}

async function metadataServer(settings: FakeMetadataSettings = {}): Promise<FakeMetadata> {
  const server = await fakeMetadata(settings);
  onTestFinished(server.close);
  return server;
}

/** A writer with the credentials that an environment leads to. */
async function authorised(url: string, given: Readonly<Record<string, string>>): Promise<LogWriter> {
  const environment = googleEnvironment(given);
  trustCertificates(environment);
  const { credentials, find } = await googleProject();
  await find();
  return cloudLoggingWriter({ endpoint: new URL(url), credentials, environment, answerTimeoutMs });
}

function anonymous(url: string, environment: Readonly<Record<string, string>> = {}, timeoutMs = answerTimeoutMs): LogWriter {
  return cloudLoggingWriter({ endpoint: new URL(url), environment, answerTimeoutMs: timeoutMs, userAgent: 'sluice/1' });
}

/** The status, or the code of the error and its text. */
async function write(writer: LogWriter): Promise<number | string> {
  try {
    return (await firstValueFrom(writer.write(body))).status;
  } catch (error) {
    return error instanceof PipelineError ? `${error.code} ${error.message}` : String(error);
  }
}

test('a request is JSON by POST, without a token where there are no credentials', async () => {
  const server = await service();
  expect(await write(anonymous(server.url))).toBe(200);
  const [{ headers, ...seen } = { headers: {} }] = server.requests;
  expect(seen).toMatchObject({ method: 'POST', path: '/v2/entries:write', bytes: body.length, outcome: 200 });
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'sluice/1' });
  expect(headers).not.toHaveProperty('authorization');
});

test('a path in the endpoint stays in front', async () => {
  const server = await service();
  expect(await write(anonymous(`${server.url}/through/proxy/`))).toBe(404);
  expect(server.requests[0]?.path).toBe('/through/proxy/v2/entries:write');
});

test('an answer that is an error is data, with its body and Retry-After', async () => {
  const server = await service();
  server.faults.next({ type: 'answer', status: 429, headers: { 'retry-after': '7' } });
  const answer = await firstValueFrom(anonymous(server.url).write(body));
  expect(answer).toMatchObject({ type: 'answer', status: 429, retryAfter: '7' });
  expect(JSON.parse(Buffer.from(answer.body).toString())).toMatchObject({ error: { status: 'RESOURCE_EXHAUSTED' } });
});

test('connections are kept', async () => {
  const server = await service();
  const writer = anonymous(server.url);
  for (let times = 0; times < 8; times++) expect(await write(writer)).toBe(200);
  // A second one, when the first is not quite free again.
  expect(server.connections()).toBeLessThanOrEqual(2);
});

test('an answer that does not come is an error, and nothing else breaks', async () => {
  const server = await service();
  server.faults.next({ type: 'reset' });
  server.faults.next({ type: 'hang' });
  const writer = anonymous(server.url, {}, 300);
  const host = new URL(server.url).host;
  expect(await write(writer)).toMatch(`CONNECTION_FAILED ${host}: `);
  expect(await write(writer)).toBe(`CONNECTION_FAILED ${host}: no answer in time (UND_ERR_HEADERS_TIMEOUT)`);
  expect(await write(writer)).toBe(200);
  await server.close();
  expect(await write(writer)).toBe(`CONNECTION_FAILED ${host}: connection refused (ECONNREFUSED)`);
});

test('unsubscribing ends the request', async () => {
  const server = await service();
  server.faults.next({ type: 'hang' });
  const writing = anonymous(server.url, {}, 600_000).write(body).subscribe();
  while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  writing.unsubscribe();
  while (server.connections() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(server.requests[0]?.outcome).toBe('hung');
});

test('a token of the metadata server is fetched once, and again when its end is near', async () => {
  for (const [tokenSeconds, tokens] of [
    [3_600, 1],
    [60, 3], // The library renews what lives shorter than five minutes.
  ] as const) {
    const metadata = await metadataServer({ tokenSeconds });
    const server = await service({ accepts: metadata.accepts });
    const writer = await authorised(server.url, metadata.environment);
    for (const _ of [1, 2, 3]) expect(await write(writer)).toBe(200);
    expect(metadata.issued()).toBe(tokens);
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer ***');
  }
});

test('after a 401 the next request reads its credentials again', async () => {
  const metadata = await metadataServer();
  const server = await service({ accepts: metadata.accepts });
  const writer = await authorised(server.url, metadata.environment);
  expect(await write(writer)).toBe(200);
  metadata.revoke();
  expect([await write(writer), await write(writer)]).toEqual([401, 200]);
  expect(metadata.issued()).toBe(2);
});

test('without a token nothing is sent, and later it goes on', async () => {
  const metadata = await metadataServer();
  const server = await service({ accepts: metadata.accepts });
  const writer = await authorised(server.url, metadata.environment);
  metadata.behave({ type: 'status', status: 403 });
  expect(await write(writer)).toMatch(/^CREDENTIALS_INVALID no token: .*Forbidden/);
  expect(server.requests).toHaveLength(0);
  metadata.behave({ type: 'usual' });
  expect(await write(writer)).toBe(200);
});

test('SSL_CERT_FILE says whom to trust: the service, and who gives out tokens', async () => {
  const usual = getCACertificates();
  onTestFinished(() => setDefaultCACertificates(usual));
  const tokens = await metadataServer({ tls });
  const server = await service({ accepts: tokens.accepts, tls });
  const dir = folder();
  const [credentials, subject] = [join(dir, 'federation.json'), join(dir, 'subject')];
  writeFileSync(subject, 'a token of another provider');
  writeFileSync(
    credentials,
    JSON.stringify({
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${tokens.url}/token`,
      credential_source: { file: subject },
    }),
  );
  const found = { GOOGLE_APPLICATION_CREDENTIALS: credentials, GOOGLE_CLOUD_PROJECT: 'p', METADATA_SERVER_DETECTION: 'none' };
  expect(await write(await authorised(server.url, { ...found, SSL_CERT_FILE: tlsFile('ca.crt') }))).toBe(200);
  expect(tokens.issued()).toBe(1);

  setDefaultCACertificates(usual);
  expect(await write(anonymous(server.url))).toBe(
    `CONNECTION_FAILED ${new URL(server.url).host}: certificate authority is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`,
  );
});

test('an SSL_CERT_FILE that is none is a fault of the settings', () => {
  for (const path of ['/nowhere', tlsFile('server.key')]) {
    expect(() => trustCertificates({ SSL_CERT_FILE: path })).toThrow(`SSL_CERT_FILE must name a file of certificates (got ${path}: `);
  }
});

test('a proxy of the environment is used', async () => {
  const server = await service();
  const { proxy, asked } = await proxyTo(server.url);
  expect(await write(anonymous('http://logging.test', { HTTP_PROXY: proxy }))).toBe(200);
  expect(asked).toEqual(['http://logging.test/v2/entries:write']);
});

/** A proxy that takes every request to one server, and tells whereto it was meant. */
async function proxyTo(url: string): Promise<{ readonly proxy: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer(({ method, headers, url: target = '' }, response) => {
    asked.push(target);
    const onward = request(`${url}${new URL(target).pathname}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
