import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Core } from './core.ts';
import { httpBody } from './httpBody.ts';

export interface HttpFaceSettings {
  /** Port on loopback. Default 0: a free one. */
  readonly port?: number;
  /** PEM texts. Absent: plain http. `authority` signed the certificate; absent: it is self-signed. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authority?: string };
  /** Written into the kubeconfig. Absent: none. */
  readonly token?: string;
}

export interface HttpFace {
  readonly url: string;
  /** How many connections are open. */
  connections(): number;
  /** Cuts every connection; new ones are accepted. */
  dropConnections(): void;
  /** A kubeconfig for it, as JSON, which is YAML too. */
  kubeconfig(): string;
  /** Stops listening and cuts every connection; resolves when all are gone. */
  close(): Promise<void>;
}

const address = '127.0.0.1';

/** Puts a simulated server behind a real socket on loopback. Its `ambient` must tell the real time. Resolves when it listens. */
export function httpFace(core: Core, settings: HttpFaceSettings = {}): Promise<HttpFace> {
  const listener: RequestListener = (request, response) => {
    readBody(request, (body) => respond(core, request, response, body));
  };
  const { tls } = settings;
  const server = tls === undefined ? createServer(listener) : createTlsServer({ cert: tls.certificate, key: tls.key }, listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (!server.listening) socket.destroy(); // Accepted while closing.
  });
  const dropConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port ?? 0, address, () => {
      server.off('error', reject);
      const { port } = server.address() as AddressInfo;
      const url = `${tls === undefined ? 'http' : 'https'}://${address}:${port}`;
      resolve({
        url,
        connections: () => sockets.size,
        dropConnections,
        kubeconfig: () => kubeconfigOf(url, settings),
        close: () => closed(server, dropConnections),
      });
    });
  });
}

function closed(server: Server, dropConnections: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    dropConnections();
  });
}

function readBody(request: IncomingMessage, done: (body: Uint8Array) => void): void {
  const chunks: Uint8Array[] = [];
  request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  request.on('end', () => done(Buffer.concat(chunks)));
}

function respond(core: Core, request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const query = Object.fromEntries(searchParams);
  const reply = core.handle({ method: request.method ?? 'GET', path: pathname, query, headers, body });
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
