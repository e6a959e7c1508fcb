import type { EventObject } from './kube.ts';

/**
 * The newest time that an Event carries, in milliseconds since 1970: when this revision was written, or as near
 * to it as the object tells. Undefined if no time in it can be read.
 */
export function newestTime(event: EventObject): number | undefined {
  const { creationTimestamp, managedFields } = event.metadata;
  const times: readonly unknown[] = [
    creationTimestamp,
    event.firstTimestamp,
    event.lastTimestamp,
    event.eventTime,
    event.series?.lastObservedTime,
    ...(Array.isArray(managedFields) ? managedFields.map((field: { time?: unknown } | null) => field?.time) : []),
  ];
  const known = times.map((time) => (typeof time === 'string' ? Date.parse(time) : Number.NaN)).filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : known.reduce((newest, time) => Math.max(newest, time));
}
