/** Where a collection of the core API is; the empty namespace is all of them. */
export function corePath(plural: 'events' | 'pods', namespace: string): string {
  return namespace === '' ? `/api/v1/${plural}` : `/api/v1/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}
