import { type Kind, kinds } from './kinds.ts';

/** One HTTP request, from wherever it came. */
export interface SimulatedRequest {
  readonly method: string;
  /** Without the query, percent escapes as sent. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a write: the object, or what a deletion demands. */
  readonly body?: Uint8Array;
}

/** What a request is for. `page` is a list with a continue token, `watchList` a watch that begins with the state. */
export type RequestKind = 'version' | 'list' | 'page' | 'watchList' | 'watch' | 'get' | WriteKind | 'other';

export type WriteKind = 'create' | 'update' | 'delete';

/** Where a request goes. */
export interface Route {
  readonly on: RequestKind;
  /** `events`, `pods`, `leases`, or empty. */
  readonly stream: string;
  readonly kind: Kind | undefined;
  /** Empty for all namespaces. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
}

export function route({ method, path, query }: SimulatedRequest): Route {
  if (path === '/version') return { on: 'version', stream: '', kind: undefined, namespace: '', name: '' };
  for (const kind of Object.values(kinds)) {
    const rest = path.startsWith(`${kind.root}/`)
      ? path
          .slice(kind.root.length + 1)
          .split('/')
          .map(decoded)
      : [];
    const [namespaces, namespace = '', plural, name = ''] = rest[0] === 'namespaces' ? rest : ['', '', ...rest];
    if (plural !== kind.plural || rest.length > 4 || (namespaces === '' && name !== '')) continue;
    const on = kind.writable && method !== 'GET' ? writeKind(method, name) : requestKind(query, name);
    return { on, stream: kind.plural, kind, namespace, name };
  }
  return { on: 'other', stream: '', kind: undefined, namespace: '', name: '' };
}

const writeKinds: Readonly<Record<string, WriteKind>> = { POST: 'create', PUT: 'update', DELETE: 'delete' };

/** A collection can be added to, an object replaced and deleted. */
function writeKind(method: string, name: string): RequestKind {
  const kind = writeKinds[method];
  return kind === undefined || (kind === 'create') !== (name === '') ? 'other' : kind;
}

export function isWrite(on: RequestKind): on is WriteKind {
  return on === 'create' || on === 'update' || on === 'delete';
}

function requestKind(query: SimulatedRequest['query'], name: string): RequestKind {
  if (name !== '') return 'get';
  if (isTrue(query['watch'])) return isTrue(query['sendInitialEvents']) ? 'watchList' : 'watch';
  return (query['continue'] ?? '') === '' ? 'list' : 'page';
}

/** As the server reads booleans: anything but false and 0 is true once the name is there. */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && !['false', '0'].includes(value.toLowerCase());
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A bad escape names nothing that exists, and ends as 404.
  }
}
