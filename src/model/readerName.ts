/** Names a reader in signals, metrics and probes: `events` for all namespaces (the empty one), `events/shop` for one. */
export function readerName(of: 'events' | 'pods', namespace: string): string {
  return namespace === '' ? of : `${of}/${namespace}`;
}
