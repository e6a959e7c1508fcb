/** Where a list goes on. */
export interface ContinuePoint {
  /** The version of the first page; -1 for whatever is there now, which mixes two states. */
  readonly version: bigint;
  /** The first key that may come. */
  readonly start: string;
}

const form = /^\{"v":"meta\.k8s\.io\/v1","rv":(-?[0-9]+),"start":(".*")\}$/s;

/** The token is opaque to clients; its inside is that of a real server. */
export function continueToken({ version, start }: ContinuePoint): string {
  return Buffer.from(`{"v":"meta.k8s.io/v1","rv":${version},"start":${JSON.stringify(start)}}`).toString('base64url');
}

/** Undefined for a token that no server gave. */
export function readContinueToken(token: string): ContinuePoint | undefined {
  const [, version, quoted] = form.exec(Buffer.from(token, 'base64url').toString('utf8')) ?? [];
  if (version === undefined || quoted === undefined || version === '0') return undefined;
  try {
    const start: unknown = JSON.parse(quoted);
    return typeof start === 'string' && start !== '' ? { version: BigInt(version), start } : undefined;
  } catch {
    return undefined; // Not JSON, so not a token.
  }
}
