import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { PipelineError } from '../../src/errors.ts';
import type { KubeWrite } from '../../src/ports.ts';
import { core, httpFace, seededRandom } from '../../src/testing.ts';
import { kubeApi } from '../../src/transports/kubeApi.ts';
import type { Reply } from './apiServer.ts';
import { kubeconfig } from './kubeConfigs.ts';
import { closeLater, serve } from './served.ts';

const path = '/apis/coordination.k8s.io/v1/namespaces/sluice/leases';
const lease = { metadata: { name: 'l-0' }, spec: { holderIdentity: 'ü' } };
function write(method: KubeWrite['method'], at: string, body?: unknown): KubeWrite {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  return { stream: 'leases', method, path: at, query: {}, accept: 'application/json', ...content };
}

function answer(reply: Reply, status = 200, body: unknown = {}): void {
  reply.writeHead(status);
  reply.end(JSON.stringify(body));
}

describe.each(['http', 'tls', 'h2'] as const)('kubeApi sends over %s', (protocol) => {
  it.each([
    ['POST', lease],
    ['PUT', lease],
    ['DELETE', { preconditions: { uid: 'u' } }],
    ['DELETE', undefined],
  ] as const)('%s %j as JSON, with its credentials and its name', async (method, body) => {
    const server = await serve(protocol, ({ method: sent, body: read }, reply) => {
      void read().then((text) => answer(reply, 201, { method: sent, body: text }));
    });
    const transport = kubeApi({ kubeconfig: kubeconfig({ server: server.server }), environment: {} }, { userAgent: 'kube-sluice/1' });
    const told = await lastValueFrom(transport.send(write(method, path, body)));
    expect([told.status, JSON.parse(Buffer.from(told.body).toString())]).toEqual([
      201,
      { method, body: body === undefined ? '' : JSON.stringify(body) },
    ]);
    expect(server.asked[0]?.headers).toMatchObject({
      accept: 'application/json',
      authorization: 'Bearer abc',
      'user-agent': 'kube-sluice/1',
    });
    expect(server.asked[0]?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
  });

  it('keeps its connections for writes and lookups of a stream', async () => {
    const server = await serve(protocol, (asked, reply) => {
      void asked.body().then(() => answer(reply));
    });
    const transport = kubeApi({ kubeconfig: kubeconfig({ server: server.server }), environment: {} });
    for (let at = 0; at < 4; at++) {
      await lastValueFrom(transport.send(write('PUT', path, lease)));
      await lastValueFrom(transport.get({ stream: 'leases', path, query: {}, accept: 'application/json' }));
    }
    // HTTP/1.1 may open a second one while the first still finishes.
    expect(server.connections().opened).toBeLessThanOrEqual(2);
  });

  it('uses no connection again on which a write was given up', async () => {
    const waiting: Reply[] = [];
    const server = await serve(protocol, (_, reply) => {
      if (waiting.length === 0) waiting.push(reply);
      else answer(reply);
    });
    const transport = kubeApi({ kubeconfig: kubeconfig({ server: server.server }), environment: {} });
    const given = transport.send(write('PUT', path, lease)).subscribe();
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    given.unsubscribe();
    await lastValueFrom(transport.send(write('PUT', path, lease)));
    expect(server.connections().opened).toBe(2);
  });
});

describe('kubeApi and the simulated server', () => {
  it('write, replace and delete a Lease, refusals included', async () => {
    const server = core({ resourceVersion: '100' }, { now: () => Date.now(), random: seededRandom(1) });
    const face = await httpFace(server);
    closeLater(face);
    const transport = kubeApi({ kubeconfig: kubeconfig({ server: face.url }), environment: {} });
    const statusOf = async (request: KubeWrite): Promise<number> => (await lastValueFrom(transport.send(request))).status;

    expect(await statusOf(write('POST', path, lease))).toBe(201);
    expect(await statusOf(write('POST', path, lease))).toBe(409);
    const stored = server.read('Lease', 'sluice', 'l-0');
    expect(stored).toMatchObject({ spec: { holderIdentity: 'ü' } });
    expect(await statusOf(write('PUT', `${path}/l-0`, { ...stored, spec: { holderIdentity: 'b' } }))).toBe(200);
    expect(await statusOf(write('PUT', `${path}/l-0`, stored))).toBe(409);
    server.faults.next({ on: 'delete' }, { type: 'lost' });
    const lost = await lastValueFrom(transport.send(write('DELETE', `${path}/l-0`))).catch((error: unknown) => error);
    expect([lost instanceof PipelineError && lost.code, server.objects('Lease')]).toEqual(['CONNECTION_FAILED', []]);
    expect(await statusOf(write('DELETE', `${path}/l-0`))).toBe(404);
  });
});
