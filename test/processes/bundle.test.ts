import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { fakeCloudLogging } from '../../src/simulator/fakeCloudLogging.ts';
import { fakeMetadata } from '../../src/simulator/fakeMetadata.ts';
import { type ApiServer, apiServer, type Protocol, tlsFile } from '../contract/apiServer.ts';
import { folder, kubeconfig } from '../contract/kubeConfigs.ts';

const root = join(import.meta.dirname, '../..');
const alone = folder();
const bundle = join(alone, 'dist/bundle/main.js');
const running: ApiServer[] = [];

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'node_modules/rolldown/bin/cli.mjs'), '-c'], { cwd: root, stdio: 'pipe' });
  // Where no node_modules can be found.
  for (const path of ['dist/bundle', 'package.json']) cpSync(join(root, path), join(alone, path), { recursive: true });
}, 60_000);

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** Serves one Event and a watch that stays open. */
async function cluster(protocol: Protocol): Promise<ApiServer> {
  const server = await apiServer(protocol, ({ url }, reply) => {
    reply.writeHead(200);
    if (url.includes('watch=')) reply.write('{"type":"BOOKMARK","object":{"kind":"Event","metadata":{"resourceVersion":"2"}}}\n');
    else reply.end(JSON.stringify({ kind: 'EventList', metadata: { resourceVersion: '1' }, items: [event] }));
  });
  running.push(server);
  return server;
}

const event = {
  metadata: { name: 'e', namespace: 'shop', uid: 'u-1', resourceVersion: '1', creationTimestamp: '2026-05-01T10:00:00Z' },
  involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'p-1' },
  reason: 'Started',
};

/** Runs the bundle until it has written a line; what it was asked with. */
async function exported(server: ApiServer, user: object): Promise<unknown> {
  const flags = ['--lister-watcher-enable-streaming=false', '--enable-pod-owner-label=false', '--prometheus-endpoint='];
  const child = spawn(process.execPath, [bundle, 'run', `--kubeconfig=${kubeconfig({ server: server.server, user })}`, ...flags], {
    env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: tlsFile('ca.crt') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = text(child.stderr);
  const [line] = await Promise.race([
    once(child.stdout, 'data') as Promise<[Buffer]>,
    once(child, 'exit').then(async () => [Buffer.from(await log)]),
  ]);
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  expect(line?.toString()).toMatch(/^EXPORTED_EVENT \{.*\}\n$/);
  return server.asked.find(({ url }) => url.startsWith('/api/v1/events'))?.headers['authorization'];
}

describe('the bundle, alone', () => {
  it('says the same as the sources do', () => {
    const said = (script: string, ...args: string[]): string =>
      execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', env: {} }).replaceAll(script, 'SCRIPT');
    for (const args of [['--version'], ['run', '--help']]) expect(said(bundle, ...args)).toBe(said(join(root, 'src/cli/main.ts'), ...args));
  });

  it.each(['http', 'tls', 'h2'] as const)('exports over %s with a token', async (protocol) => {
    expect(await exported(await cluster(protocol), { token: 'plain' })).toBe('Bearer plain');
  });

  it('takes the token of an exec plugin', async () => {
    const command = join(folder(), 'plugin');
    const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: 'of-the-plugin' } };
    writeFileSync(command, `#!${process.execPath}\nconsole.log(${JSON.stringify(JSON.stringify(credential))});`);
    chmodSync(command, 0o755);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' };
    expect(await exported(await cluster('h2'), { exec })).toBe('Bearer of-the-plugin');
  });

  it('refreshes a token of OpenID Connect', async () => {
    const now = Math.floor(Date.now() / 1000);
    const fresh = (issuer: string): string => jwt({ iss: issuer, sub: 'me', aud: 'us', iat: now, exp: now + 3_600 });
    const issuer: ApiServer = await apiServer('tls', ({ url }, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json' });
      const discovery = { issuer: issuer.server, token_endpoint: `${issuer.server}/token` };
      const token = { access_token: 'a', token_type: 'bearer', expires_in: 3_600, id_token: fresh(issuer.server) };
      reply.end(JSON.stringify(url === '/token' ? token : discovery));
    });
    running.push(issuer);
    const config = {
      'idp-issuer-url': issuer.server,
      'client-id': 'us',
      'client-secret': 'secret',
      'refresh-token': 'r',
      'id-token': jwt({ exp: now - 60 }),
    };
    const authorization = await exported(await cluster('tls'), { 'auth-provider': { name: 'oidc', config } });
    expect(authorization).toBe(`Bearer ${fresh(issuer.server)}`);
  });
});

/** Not signed: it comes straight from its issuer over TLS. */
function jwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(claims)}.${Buffer.from('signature').toString('base64url')}`;
}

test('beside the library of Google, the bundle writes to Cloud Logging', { timeout: 60_000 }, async () => {
  const withLibrary = folder();
  for (const path of ['dist/bundle', 'package.json']) cpSync(join(root, path), join(withLibrary, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(withLibrary, 'node_modules'));
  const api = await cluster('http');
  const metadata = await fakeMetadata();
  const tls = { certificate: readFileSync(tlsFile('server.crt'), 'utf8'), key: readFileSync(tlsFile('server.key'), 'utf8') };
  const logging = await fakeCloudLogging({ tls, accepts: metadata.accepts, now: () => Date.parse('2026-05-02T00:00:00Z') });
  onTestFinished(() => Promise.all([metadata.close(), logging.close()]).then(() => undefined));
  const flags = ['--enable-pod-owner-label=false', '--prometheus-endpoint=', `--sink-opts=-flush-delay=10ms -endpoint=${logging.url}`];
  const child = spawn(
    process.execPath,
    [join(withLibrary, 'dist/bundle/main.js'), '-sink=stackdriver', `--kubeconfig=${kubeconfig({ server: api.server })}`, ...flags],
    { env: { PATH: withLibrary, SSL_CERT_FILE: tlsFile('ca.crt'), ...metadata.environment }, stdio: ['ignore', 'inherit', 'pipe'] },
  );
  const log = text(child.stderr);
  while (logging.stored.length === 0 && child.exitCode === null) await setTimeout(20);
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  expect([child.exitCode, await log]).toEqual([0, expect.stringContaining('entries of cluster cluster-1 in europe-west4 go to project')]);
  expect(logging.query().map(({ key }) => key)).toEqual(['sluice-test 1777629600.000000000 00000000000000000001.u-1']);
});
