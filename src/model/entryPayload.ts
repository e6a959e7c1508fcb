import type { EventObject } from './kube.ts';

/**
 * The Event as received, unknown fields included, without `metadata.managedFields`. The Event itself is
 * not changed. A list leaves out what all its items share, so `kind` and `apiVersion` are put back:
 * the payload of a revision is the same however it was read.
 */
export function entryPayload(event: EventObject): Readonly<Record<string, unknown>> {
  // Spread and rest copy own properties only, and `__proto__` as a plain key, so a hostile name sets no prototype.
  const { managedFields, ...metadata } = event.metadata;
  if (event.kind === undefined) return { kind: 'Event', apiVersion: 'v1', ...event, metadata };
  return managedFields === undefined ? { ...event } : { ...event, metadata };
}
