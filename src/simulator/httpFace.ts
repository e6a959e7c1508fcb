import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Core } from './core.ts';
import { httpBody } from './httpBody.ts';
import { type HttpLoopback, type HttpLoopbackSettings, headersOf, httpLoopback, readBody } from './httpLoopback.ts';

/** Where it listens, and how it proves itself. */
export interface HttpFaceSettings extends HttpLoopbackSettings {
  /** Written into the kubeconfig. Absent: none. */
  readonly token?: string;
}

/** A simulated server on a socket. */
export interface HttpFace extends HttpLoopback {
  /** A kubeconfig for it, as JSON, which is YAML too. */
  kubeconfig(): string;
}

/** Puts a simulated server behind a real socket on loopback. Its `ambient` must tell the real time. Resolves when it listens. */
export async function httpFace(core: Core, settings: HttpFaceSettings = {}): Promise<HttpFace> {
  const face = await httpLoopback((request, response) => {
    readBody(request, (body) => respond(core, request, response, body));
  }, settings);
  return { ...face, kubeconfig: () => kubeconfigOf(face.url, settings) };
}

function respond(core: Core, request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  const query = Object.fromEntries(searchParams);
  const reply = core.handle({ method: request.method ?? 'GET', path: pathname, query, headers: headersOf(request), body });
  switch (reply.type) {
    case 'refused':
    case 'lost':
      request.socket.destroy(); // The nearest thing to a refusal once somebody is connected.
      return;
    case 'hung':
      return;
    case 'answer':
      response.sendDate = false; // The simulated clock tells the date.
      response.writeHead(reply.status, { ...reply.headers });
      response.flushHeaders();
      httpBody(reply.body, response, core.now);
  }
}

function kubeconfigOf(server: string, { tls, token }: HttpFaceSettings): string {
  // Without TLS there is nothing to verify, and the client library wants to be told so.
  const trust =
    tls === undefined
      ? { 'insecure-skip-tls-verify': true }
      : { 'certificate-authority-data': Buffer.from(tls.authority ?? tls.certificate).toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'simulated', cluster: { server, ...trust } }],
    users: [{ name: 'simulated', user: token === undefined ? {} : { token } }],
    contexts: [{ name: 'simulated', context: { cluster: 'simulated', user: 'simulated' } }],
    'current-context': 'simulated',
  });
}
