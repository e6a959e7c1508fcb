import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { lastValueFrom, of, toArray } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KubeRequest, KubeTransport } from '../../src/ports.ts';
import { kubeApi } from '../../src/transports/kubeApi.ts';
import { type ApiServer, apiServer, tlsFile } from './apiServer.ts';
import { folder, kubeconfig } from './kubeConfigs.ts';

const request: KubeRequest = { stream: 'events', path: '/api/v1/events', query: {}, accept: 'application/json' };
const running: ApiServer[] = [];

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** A server over TLS that answers 200, or 401 if `accepts` says so. */
async function guarded(accepts: (authorization: unknown) => boolean = () => true): Promise<ApiServer> {
  const server = await apiServer('tls', (asked, reply) => {
    reply.writeHead(accepts(asked.headers['authorization']) ? 200 : 401);
    reply.end('{}');
  });
  running.push(server);
  return server;
}

function transportOf(path: string): KubeTransport {
  return kubeApi({ kubeconfig: path, environment: {} });
}

async function statusOf(transport: KubeTransport): Promise<unknown> {
  const answer = await lastValueFrom(transport.get(request));
  return answer.type === 'answer' ? answer.status : answer.type;
}

function failureOf(transport: KubeTransport): Promise<unknown> {
  return lastValueFrom(transport.get(request)).catch((error: unknown) => error);
}

function authorizations(server: ApiServer): unknown[] {
  return server.asked.map(({ headers }) => headers['authorization']);
}

/** Writes an executable script for this Node. */
function plugin(script: string): string {
  const path = join(folder(), 'plugin');
  writeFileSync(path, `#!${process.execPath}\n${script}`);
  chmodSync(path, 0o755);
  return path;
}

describe('kubeApi credentials', () => {
  it('reads the token of a token file, without its line feed, and reads it again after a minute', async () => {
    const server = await guarded();
    const tokenFile = join(folder(), 'token');
    writeFileSync(tokenFile, 'first\n');
    const transport = transportOf(kubeconfig({ server: server.server, user: { tokenFile, token: 'ignored' } }));
    await statusOf(transport);
    writeFileSync(tokenFile, 'second\n');
    await statusOf(transport);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await statusOf(transport);
    expect(authorizations(server)).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
  });

  it('reads the token file again after a 401, also one of a watch', async () => {
    const server = await guarded((authorization) => authorization === 'Bearer second');
    const tokenFile = join(folder(), 'token');
    writeFileSync(tokenFile, 'first');
    const transport = transportOf(kubeconfig({ server: server.server, user: { tokenFile } }));
    const refused = await lastValueFrom(transport.stream(request, of(false)).pipe(toArray()));
    expect(refused).toMatchObject([{ type: 'answer', status: 401 }]);
    writeFileSync(tokenFile, 'second');
    expect(await statusOf(transport)).toBe(200);
  });

  it('uses the service account of a pod', async () => {
    const server = await guarded();
    const serviceAccountFolder = folder();
    writeFileSync(join(serviceAccountFolder, 'token'), 'of-the-pod\n');
    writeFileSync(join(serviceAccountFolder, 'ca.crt'), readFileSync(tlsFile('ca.crt')));
    const [host, port] = server.host.split(':');
    const environment = { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port };
    expect(await statusOf(kubeApi({ environment, serviceAccountFolder }))).toBe(200);
    expect(authorizations(server)).toEqual(['Bearer of-the-pod']);
  });

  it('runs an exec plugin once for several requests, tells it what kubectl tells, and again after a 401', async () => {
    const server = await guarded((authorization) => authorization === 'Bearer run-2');
    const runs = join(folder(), 'runs');
    writeFileSync(runs, '');
    const command = plugin(`
      const fs = require('node:fs');
      fs.appendFileSync(${JSON.stringify(runs)}, process.env.KUBERNETES_EXEC_INFO + process.env.EXTRA + '\\n');
      const token = 'run-' + (fs.readFileSync(${JSON.stringify(runs)}, 'utf8').split('\\n').length - 1);
      console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } }));
    `);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, env: [{ name: 'EXTRA', value: '!' }], interactiveMode: 'Never' };
    const transport = transportOf(kubeconfig({ server: server.server, user: { exec } }));
    expect(await Promise.all([1, 2, 3].map(() => statusOf(transport)))).toEqual([401, 401, 401]);
    expect(await statusOf(transport)).toBe(200);
    const told = '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","spec":{"interactive":false}}!';
    expect(readFileSync(runs, 'utf8')).toBe(`${told}\n${told}\n`);
  });

  it('says why an exec plugin failed, and never what it printed', async () => {
    const server = await guarded();
    const failing = plugin(`console.error('no session, log in first'); process.exit(1);`);
    const chatty = plugin(`console.log('secret-token');`);
    const exec = (command: string) => ({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command } });
    expect(await failureOf(transportOf(kubeconfig({ server: server.server, user: exec(failing) })))).toMatchObject({
      code: 'CREDENTIALS_INVALID',
      message: 'credentials: no session, log in first',
    });
    expect(await failureOf(transportOf(kubeconfig({ server: server.server, user: exec(chatty) })))).toMatchObject({
      code: 'CREDENTIALS_INVALID',
      message: 'credentials: the exec plugin did not print JSON',
    });
    expect(server.asked).toEqual([]);
  });

  it('ends an exec plugin that takes too long, with whatever holds its output open, and gives it no input to wait for', async () => {
    const heldBy = join(folder(), 'pid');
    const command = plugin(`
      const fs = require('node:fs');
      fs.readFileSync(0);
      const idle = ['-e', 'setTimeout(() => {}, 30000)'];
      fs.writeFileSync(${JSON.stringify(heldBy)}, String(require('node:child_process').spawn(process.execPath, idle, { stdio: 'inherit' }).pid));
      setTimeout(() => {}, 30000);
    `);
    const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command } };
    const path = kubeconfig({ server: 'https://127.0.0.1:1', user });
    const transport = kubeApi({ kubeconfig: path, environment: {} }, { execTimeoutMs: 1_000 });
    expect(await failureOf(transport)).toMatchObject({
      code: 'CREDENTIALS_INVALID',
      message: 'credentials: the exec plugin was ended by SIGKILL, as happens to one that takes 1 s',
    });
    expect(process.kill(Number(readFileSync(heldBy, 'utf8')))).toBe(true); // It was still there.
  });

  it('goes on with what it has read while the kubeconfig is being rewritten', async () => {
    const server = await guarded();
    const tokenFile = join(folder(), 'token');
    writeFileSync(tokenFile, 'first');
    const path = kubeconfig({ server: server.server, user: { tokenFile } });
    const transport = transportOf(path);
    expect(await statusOf(transport)).toBe(200);
    writeFileSync(path, '{');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    writeFileSync(tokenFile, 'second');
    expect(await statusOf(transport)).toBe(200);
    expect(authorizations(server)).toEqual(['Bearer first', 'Bearer second']);
  });

  it('calls a missing token CREDENTIALS_INVALID at first and CONNECTION_FAILED later', async () => {
    const server = await guarded((authorization) => authorization === 'Bearer good');
    const tokenFile = join(folder(), 'token');
    const path = kubeconfig({ server: server.server, user: { tokenFile } });
    expect(await failureOf(transportOf(path))).toMatchObject({ code: 'CREDENTIALS_INVALID', message: expect.stringContaining(tokenFile) });
    writeFileSync(tokenFile, 'bad');
    const transport = transportOf(path);
    expect(await statusOf(transport)).toBe(401);
    writeFileSync(path, '{');
    expect(await failureOf(transport)).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringContaining(path) });
  });

  it('verifies the server against the CA of the kubeconfig', async () => {
    const server = await guarded();
    const strange = kubeconfig({ server: server.server, cluster: { server: server.server } });
    expect(await failureOf(transportOf(strange))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining(`${server.host}: certificate authority is not trusted (`),
    });
    expect(server.asked).toEqual([]);
    const named = kubeconfig({
      server: server.server,
      cluster: { server: server.server, 'certificate-authority': tlsFile('ca.crt'), 'tls-server-name': 'elsewhere.test' },
    });
    expect(await failureOf(transportOf(named))).toMatchObject({
      message: `${server.host}: certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)`,
    });
  });

  it('reads the CA again when a connection failed', async () => {
    const server = await guarded();
    const ca = join(folder(), 'ca.crt');
    writeFileSync(ca, readFileSync(tlsFile('client.crt')));
    const transport = transportOf(kubeconfig({ server: server.server, cluster: { server: server.server, 'certificate-authority': ca } }));
    expect(await failureOf(transport)).toMatchObject({ code: 'CONNECTION_FAILED' });
    writeFileSync(ca, readFileSync(tlsFile('ca.crt')));
    expect(await statusOf(transport)).toBe(200);
  });

  it('goes through the proxy that the kubeconfig names, TLS end to end', async () => {
    const server = await guarded();
    const tunnels: unknown[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      tunnels.push(request.url);
      const [host, port] = String(request.url).split(':');
      const upstream = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [upstream, socket]) end.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const cluster = { server: server.server, 'certificate-authority': tlsFile('ca.crt'), 'proxy-url': url };
    expect(await statusOf(transportOf(kubeconfig({ server: server.server, cluster })))).toBe(200);
    expect(tunnels).toEqual([server.host]);
    // This machine is never proxied because of the environment.
    const direct = kubeApi({ kubeconfig: kubeconfig({ server: server.server }), environment: { HTTPS_PROXY: url } });
    expect(await statusOf(direct)).toBe(200);
    expect(tunnels).toHaveLength(1);
    proxy.closeAllConnections();
    proxy.close();
  });

  it('acts as another user, group, UID and extra when the kubeconfig says so', async () => {
    const server = await guarded();
    const user = { token: 'abc', as: 'jane', 'as-groups': ['a', 'b'], 'as-uid': '7', 'as-user-extra': { 'team/x': ['q'] } };
    await statusOf(transportOf(kubeconfig({ server: server.server, user })));
    expect(server.asked[0]?.headers).toMatchObject({
      'impersonate-user': 'jane',
      'impersonate-group': 'a, b',
      'impersonate-uid': '7',
      'impersonate-extra-team%2fx': 'q',
    });
  });
});
