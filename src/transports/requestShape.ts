import type { KubeRequest } from '../ports.ts';

/** What a request is for, as far as a replay has to tell requests apart. */
export type RequestShape =
  /** `/version`. */
  | { readonly type: 'version' }
  /** One pod by name. */
  | { readonly type: 'pod'; readonly namespace: string; readonly name: string }
  /** A list of one item, asked only for its version. */
  | { readonly type: 'check' }
  /** The first page of a list, or the one that its token names. */
  | { readonly type: 'page'; readonly token: string }
  /** A watch that begins with a list. */
  | { readonly type: 'bracket' }
  | { readonly type: 'watch' };

export function requestShape(how: 'get' | 'stream', { path, query }: Pick<KubeRequest, 'path' | 'query'>): RequestShape {
  if (how === 'stream') return query['sendInitialEvents'] === 'true' ? { type: 'bracket' } : { type: 'watch' };
  if (path === '/version') return { type: 'version' };
  const [, namespace, name] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)$/.exec(path) ?? [];
  if (namespace !== undefined && name !== undefined) {
    return { type: 'pod', namespace: decodeURIComponent(namespace), name: decodeURIComponent(name) };
  }
  const token = query['continue'] ?? '';
  return token === '' && query['limit'] === '1' ? { type: 'check' } : { type: 'page', token };
}
