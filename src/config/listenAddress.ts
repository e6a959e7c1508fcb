import type { Address } from './optionKinds.ts';

/** Reads `HOST:PORT`, `:PORT` or `[IPv6]:PORT`; undefined if it is none. */
export function listenAddress(text: string): Address | undefined {
  const [, host = '', digits = ''] = /^(\[[0-9a-f:.]+\]|[-A-Za-z0-9.]*):([0-9]{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) return undefined;
  if (host === '') return { port };
  return isHost(host) ? { host: host.replace(/^\[|\]$/g, ''), port } : undefined;
}

/** A URL takes the same names; it would also mend numbers that are no whole IPv4 address. */
function isHost(host: string): boolean {
  if (!URL.canParse(`http://${host}/`)) return false;
  return host.startsWith('[') || new URL(`http://${host}/`).hostname === host.toLowerCase();
}

/** The same as text, as a URL would write it. */
export function addressText({ host = '', port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
