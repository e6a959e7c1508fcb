import { lastValueFrom, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { KubeRequest } from '../../src/ports.ts';
import { kubeApi } from '../../src/transports/kubeApi.ts';
import { kubeconfig } from './kubeConfigs.ts';
import { serve, transportTo } from './served.ts';

const request: KubeRequest = { stream: 'events', path: '/api/v1/events', query: { watch: 'true' }, accept: 'application/json' };
const notPaused = of(false);

describe('kubeApi', () => {
  it('gives an answer over its limit as an error that says what helps', async () => {
    const server = await serve('http', (_, reply) => reply.writeHead(200) && reply.end('x'.repeat(100_001)));
    const failure: unknown = await lastValueFrom(transportTo(server, { answerBytesMax: 100_000 }).get(request)).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: `${server.host}: the answer to /api/v1/events is larger than 100000 bytes; smaller pages help`,
    });
  });

  it('says that the connection was refused', async () => {
    const server = await serve('tls', () => undefined);
    await server.close();
    const failure: unknown = await lastValueFrom(transportTo(server).get(request)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'CONNECTION_FAILED', message: `${server.host}: connection refused (ECONNREFUSED)` });
  });

  it('gives up on a server that accepts and says nothing, within its limit', async () => {
    const server = await serve('http', () => undefined);
    const failure: unknown = await lastValueFrom(transportTo(server, { headersTimeoutMs: 1_000 }).get(request)).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'CONNECTION_FAILED', message: `${server.host}: no answer in time (UND_ERR_HEADERS_TIMEOUT)` });
  });

  it('makes no request before it is subscribed, and none when it is unsubscribed at once', async () => {
    const server = await serve('http', (_, reply) => reply.writeHead(200) && reply.end());
    const transport = transportTo(server);
    transport.stream(request, notPaused).subscribe().unsubscribe();
    const unused = transport.get({ ...request, path: '/unused' });
    await lastValueFrom(transport.get({ ...request, path: '/used' }));
    expect(server.asked.map(({ url }) => url.split('?')[0])).toEqual(['/used']);
    expect(unused).toBeDefined();
  });

  it('keeps a path that the server URL has', async () => {
    const server = await serve('http', (_, reply) => reply.writeHead(200) && reply.end());
    const path = kubeconfig({ server: `${server.server}/k8s/clusters/c-1/` });
    await lastValueFrom(kubeApi({ kubeconfig: path, environment: {} }).get({ ...request, query: { limit: '1' } }));
    expect(server.asked.map(({ url }) => url)).toEqual(['/k8s/clusters/c-1/api/v1/events?limit=1']);
  });
});
