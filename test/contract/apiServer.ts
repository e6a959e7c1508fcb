import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** What every protocol's answer can do. */
export interface Reply {
  writeHead(status: number, headers?: Readonly<Record<string, string>>): unknown;
  write(chunk: string | Uint8Array, done?: () => void): boolean;
  end(chunk?: string | Uint8Array): unknown;
  /** Cuts the connection. */
  destroy(): void;
  on(name: 'close', listener: () => void): unknown;
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** 1 or 2. */
  readonly http: number;
  /** What was sent with it. */
  body(): Promise<string>;
}

export interface ApiServer {
  /** `https://127.0.0.1:port`, or `http://...`. */
  readonly server: string;
  readonly host: string;
  readonly asked: Asked[];
  /** Connections opened so far, and those still open. */
  connections(): { readonly opened: number; readonly open: number };
  close(): Promise<void>;
}

export type Protocol = 'http' | 'tls' | 'h2';

export function tlsFile(name: string): string {
  return new URL(`../fixtures/tls/${name}`, import.meta.url).pathname;
}

/** A server on a free port of this machine; the handler answers every request. */
export async function apiServer(protocol: Protocol, handler: (asked: Asked, reply: Reply) => void): Promise<ApiServer> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  const answer = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void => {
    const body = (): Promise<string> => text(request);
    const one: Asked = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      http: request.httpVersionMajor,
      body,
    };
    asked.push(one);
    handler(one, replyOf(response));
  };
  const tls = { key: readFileSync(tlsFile('server.key')), cert: readFileSync(tlsFile('server.crt')), ca: readFileSync(tlsFile('ca.crt')) };
  const server =
    protocol === 'http'
      ? createServer(answer)
      : protocol === 'tls'
        ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: false }, answer)
        : createSecureServer({ ...tls, allowHTTP1: false }, answer);
  server.on('connection', (socket: Socket) => {
    opened++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server: `${protocol === 'http' ? 'http' : 'https'}://${host}`,
    host,
    asked,
    connections: () => ({ opened, open: sockets.size }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function replyOf(response: ServerResponse | Http2ServerResponse): Reply {
  const plain = response as ServerResponse;
  return {
    writeHead: (status, headers) => plain.writeHead(status, headers),
    write: (chunk, done) => plain.write(chunk, done),
    end: (chunk) => (chunk === undefined ? plain.end() : plain.end(chunk)),
    destroy: () => ('stream' in response ? response.stream.session?.destroy() : response.socket?.destroy()),
    on: (name, listener) => plain.on(name, listener),
  };
}
