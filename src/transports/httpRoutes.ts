import type { Dispatcher } from 'undici';
import { proxyFromEnvironment } from './proxyFromEnvironment.ts';

/** How long a connection may take, in milliseconds. */
const connectTimeoutMs = 10_000;

/**
 * The way to each server: through the proxy that the environment names for it (HTTPS_PROXY, HTTP_PROXY and NO_PROXY as Go reads
 * them), or straight. Connections are kept and shared, one request at a time on each, so that one that breaks takes one answer with it.
 */
export async function httpRoutes(environment: Readonly<Record<string, string | undefined>>): Promise<(server: URL) => Dispatcher> {
  const { Agent, ProxyAgent } = await import('undici'); // Loaded when first needed, it takes a while.
  const straight = new Agent({ allowH2: false, connect: { timeout: connectTimeoutMs } });
  const proxies = new Map<string, Dispatcher>();
  return (server) => {
    const proxy = proxyFromEnvironment(server, environment);
    if (proxy === undefined) return straight;
    const known = proxies.get(proxy);
    if (known !== undefined) return known;
    const made = new ProxyAgent({ allowH2: false, uri: proxy, requestTls: { timeout: connectTimeoutMs } });
    proxies.set(proxy, made);
    return made;
  };
}
