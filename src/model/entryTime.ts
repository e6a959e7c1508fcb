import type { EventObject } from './kube.ts';
import { rfc3339, type WrittenTime } from './rfc3339.ts';

/** Times further ahead of the reference are replaced: Cloud Logging refuses those over 24 h ahead. */
const aheadMaxMs = 23 * 3_600_000;
/** Times further behind the reference are replaced: a skewed clock or a planted value, not the event's time. */
const behindMaxMs = 25 * 3_600_000;

/** The time of an entry whose Event carries none at all. No API server writes such an Event. */
export const noTime = '1970-01-01T00:00:00Z';

/**
 * The time of an entry, a function of the Event alone: the first of `lastTimestamp`, `series.lastObservedTime`,
 * `eventTime`, `firstTimestamp`, `metadata.creationTimestamp` that is a time. Lying more than 23 h ahead of
 * the reference or 25 h behind it, it is replaced by the reference: the newest of the times that the
 * server itself wrote. Where one of the two is missing, it is the other; where both are, the epoch.
 * Never the clock of this process, because the time is part of the key in the sink.
 */
export function entryTime(event: EventObject): string {
  const read = rememberingLast();
  const written = writtenTime(event, read);
  const reference = referenceTime(event, read);
  if (written === undefined || reference === undefined) return (written ?? reference)?.text ?? noTime;
  const aheadMs = written.ms - reference.ms;
  return aheadMs > aheadMaxMs || -aheadMs > behindMaxMs ? reference.text : written.text;
}

type ReadTime = typeof rfc3339;

/** Most Events carry one time several times, one after the other. */
function rememberingLast(): ReadTime {
  let last: unknown;
  let time: WrittenTime | undefined;
  return (value) => {
    if (value !== last) [last, time] = [value, rfc3339(value)];
    return time;
  };
}

function writtenTime(event: EventObject, read: ReadTime): WrittenTime | undefined {
  return (
    read(event.lastTimestamp) ??
    read(event.series?.lastObservedTime) ??
    read(event.eventTime) ??
    read(event.firstTimestamp) ??
    read(event.metadata.creationTimestamp)
  );
}

/** The newest of creationTimestamp and the times in managedFields; both are written by the API server. */
function referenceTime({ metadata }: EventObject, read: ReadTime): WrittenTime | undefined {
  let newest = read(metadata.creationTimestamp);
  if (!Array.isArray(metadata.managedFields)) return newest;
  for (const field of metadata.managedFields) {
    const time = read(field?.time);
    if (time !== undefined && (newest === undefined || time.ms > newest.ms)) newest = time;
  }
  return newest;
}

/** True if entry time `a` is before `b`. Without the Z a missing fraction sorts before any other. */
export function isEarlier(a: string, b: string): boolean {
  return a.slice(0, -1) < b.slice(0, -1);
}
