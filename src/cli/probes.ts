import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Address } from '../config/optionKinds.ts';
import { messageOf } from '../errors.ts';
import { listening } from './listening.ts';

/** What the probes answer with; asked at each request. */
export interface ProbeSources {
  readonly contentType: string;
  metrics(): Promise<string>;
  /** Conditions that fail; none: all is well. */
  livenessFailures(): readonly string[];
  readinessFailures(): readonly string[];
}

export interface Probes {
  /** Where it listens, with the port that was found. */
  readonly address: Address;
  close(): void;
}

/** Probes and scrapers ask for little; whoever takes longer than this is cut off. */
const requestMsMax = 10_000;

/**
 * Serves /metrics, /livez and /readyz. Resolves when it listens; rejects with LISTEN_FAILED, naming the
 * address, when that cannot be had. A probe that fails answers 503 with one condition per line.
 */
export async function probes(address: Address, sources: ProbeSources): Promise<Probes> {
  const server = createServer({ requestTimeout: requestMsMax, headersTimeout: requestMsMax }, (request, response) => {
    respond(request, response, sources).catch((error: unknown) => answer(response, 500, `${messageOf(error)}\n`));
  });
  return {
    address: await listening(server, '--prometheus-endpoint', address),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, sources: ProbeSources): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return answer(response, 405, 'only GET and HEAD are answered\n');
  const [path] = (request.url ?? '/').split('?');
  switch (path) {
    case '/metrics':
      return answer(response, 200, await sources.metrics(), sources.contentType);
    case '/livez':
      return verdict(response, sources.livenessFailures());
    case '/readyz':
      return verdict(response, sources.readinessFailures());
    default:
      return answer(response, 404, 'there is /metrics, /livez and /readyz\n');
  }
}

function verdict(response: ServerResponse, failures: readonly string[]): void {
  if (failures.length === 0) answer(response, 200, 'ok\n');
  else answer(response, 503, failures.map((failure) => `${failure}\n`).join(''));
}

function answer(response: ServerResponse, status: number, body: string, contentType = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
