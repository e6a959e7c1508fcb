import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** Where it listens. */
export interface HttpLoopbackSettings {
  /** Port on loopback. Default 0: a free one. */
  readonly port?: number;
  /** PEM texts. Absent: plain http. `authority` signed the certificate; absent: it is self-signed. */
  readonly tls?: {
    readonly certificate: string;
    readonly key: string;
    readonly authority?: string;
    /** Also HTTP/2, to whoever can speak it, as a real server does. Default false. */
    readonly http2?: boolean;
  };
}

/** A server that listens on loopback. */
export interface HttpLoopback {
  readonly url: string;
  /** How many connections are open. */
  connections(): number;
  /** Cuts every connection; new ones are accepted. */
  dropConnections(): void;
  /** Stops listening and cuts every connection; resolves when all are gone. */
  close(): Promise<void>;
}

const address = '127.0.0.1';

/** Listens on loopback, and keeps account of the connections, so that they can be cut. Resolves when it listens. */
export function httpLoopback(listener: RequestListener, { port = 0, tls }: HttpLoopbackSettings = {}): Promise<HttpLoopback> {
  const server = serverOf(tls, listener);
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
    server.listen(port, address, () => {
      server.off('error', reject);
      const bound = server.address() as AddressInfo;
      resolve({
        url: `${tls === undefined ? 'http' : 'https'}://${address}:${bound.port}`,
        connections: () => sockets.size,
        dropConnections,
        close: () => closed(server, dropConnections),
      });
    });
  });
}

function serverOf(tls: HttpLoopbackSettings['tls'], listener: RequestListener): Server {
  if (tls === undefined) return createServer(listener);
  const identity = { cert: tls.certificate, key: tls.key };
  if (tls.http2 !== true) return createTlsServer(identity, listener);
  // Its requests and answers do what those of HTTP/1.1 do as far as they are used here; their types are strangers.
  return createSecureServer({ ...identity, allowHTTP1: true }, listener as never) as unknown as Server;
}

/** Calls back with the whole body of a request. */
export function readBody(request: IncomingMessage, done: (body: Uint8Array) => void): void {
  const chunks: Uint8Array[] = [];
  request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  request.on('end', () => done(Buffer.concat(chunks)));
}

/** Names in lower case, as Node gives them. */
export function headersOf(request: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

function closed(server: Server, dropConnections: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    dropConnections();
  });
}
