import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { messageOf, PipelineError } from '../errors.ts';
import { proxyFromEnvironment } from './proxyFromEnvironment.ts';

export interface HttpRoutesSettings {
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY as Go reads them. SSL_CERT_FILE: the authorities to trust, instead of Node's. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long a server may take until the head of its answer, and inside its body, in milliseconds. */
  readonly answerTimeoutMs: number;
}

/** How long a connection may take, in milliseconds. */
const connectTimeoutMs = 10_000;

/**
 * The way to each server: through the proxy that the environment names for it, or straight. Connections are kept and shared, one request
 * at a time on each, so that one that breaks takes one answer with it. Throws CONFIG_INVALID if SSL_CERT_FILE cannot be read.
 */
export async function httpRoutes({ environment, answerTimeoutMs }: HttpRoutesSettings): Promise<(server: URL) => Dispatcher> {
  const { Agent, ProxyAgent } = await import('undici'); // Loaded when first needed, it takes a while.
  const ca = trusted(environment);
  const tls = ca === undefined ? {} : { ca };
  const limits = { allowH2: false, headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs };
  const straight = new Agent({ ...limits, connect: { timeout: connectTimeoutMs, ...tls } });
  const proxies = new Map<string, Dispatcher>();
  return (server) => {
    const proxy = proxyFromEnvironment(server, environment);
    if (proxy === undefined) return straight;
    const known = proxies.get(proxy);
    if (known !== undefined) return known;
    const made = new ProxyAgent({ ...limits, uri: proxy, requestTls: { timeout: connectTimeoutMs, ...tls }, proxyTls: tls });
    proxies.set(proxy, made);
    return made;
  };
}

/** NODE_EXTRA_CA_CERTS is Node's own to read: those stay trusted too. */
function trusted({ SSL_CERT_FILE: path }: HttpRoutesSettings['environment']): string[] | undefined {
  if (path === undefined || path === '') return undefined;
  try {
    return [readFileSync(path, 'utf8'), ...getCACertificates('extra')];
  } catch (error) {
    throw new PipelineError('CONFIG_INVALID', `SSL_CERT_FILE must name a file of certificates (got ${path}: ${messageOf(error)})`);
  }
}
