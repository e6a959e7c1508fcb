import { BlockList, isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment wants for a server: HTTPS_PROXY or HTTP_PROXY, minus NO_PROXY, in upper
 * or lower case. Entries of NO_PROXY: `*`, an address, a CIDR block, `example.com` with all below it,
 * `.example.com` with only what is below it; each with an optional port. This machine is never proxied.
 * Source: golang.org/x/net/http/httpproxy, so that it means what it means for kubectl.
 */
export function proxyFromEnvironment(server: URL, environment: Environment): string | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = variable(environment, name);
  if (proxy === undefined || isExcluded(server, variable(environment, 'NO_PROXY') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name] || environment[name.toLowerCase()];
  return value === undefined || value === '' ? undefined : value;
}

function isExcluded(server: URL, list: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
  if (host === 'localhost' || isWithin(host, '127.0.0.0/8') || isWithin(host, '::1/128')) return true;
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isWithin(host, entry);
  const [, name = entry, wantedPort] = isIP(entry) === 0 ? (/^\[?([^\]]*?)\]?(?::([0-9]+))?$/.exec(entry) ?? []) : [entry, entry];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const bare = name.startsWith('*.') ? name.slice(1) : name;
  return bare.startsWith('.') ? host.endsWith(bare) : host === bare || host.endsWith(`.${bare}`);
}

function isWithin(host: string, block: string): boolean {
  const [address = '', bits = ''] = block.split('/');
  const family = isIP(host);
  const bitsMax = family === 4 ? 32 : 128;
  if (family === 0 || family !== isIP(address) || !/^[0-9]{1,3}$/.test(bits) || Number(bits) > bitsMax) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, Number(bits), type);
  return list.check(host, type);
}
