import type { LogEntry } from './logWrite.ts';

/** A google.rpc code with its text. */
export interface RpcFault {
  readonly code: number;
  readonly message: string;
}

const invalidArgument = 3;

/** Limits of the service, from its quotas page. */
export const logLimits = {
  entryBytesMax: 256 * 1024,
  requestBytesMax: 10 * 1024 * 1024,
  labelsMax: 64,
  labelKeyBytesMax: 512,
  labelValueBytesMax: 64 * 1024,
  aheadMaxMs: 24 * 3_600_000,
  /** Of the default bucket. */
  retentionMs: 30 * 24 * 3_600_000,
} as const;

/** Why the service does not take an entry, defaults of the request filled in. */
export function logEntryFault(entry: LogEntry, nowMs: number): RpcFault | undefined {
  const message = faultOf(entry, nowMs);
  return message === undefined ? undefined : { code: invalidArgument, message };
}

function faultOf(entry: LogEntry, nowMs: number): string | undefined {
  const { logName = '', resource, timestamp, labels = {}, textPayload, jsonPayload, protoPayload } = entry;
  if (!/^(projects|organizations|folders|billingAccounts)\/[^/]+\/logs\/[A-Za-z0-9%._-]{1,511}$/.test(logName)) return 'invalid log name';
  if (resource?.type === undefined || resource.type === '') return 'the resource has no type';
  const payloads = [textPayload, jsonPayload, protoPayload].filter((payload) => payload !== undefined && payload !== null);
  if (payloads.length !== 1) return `one payload is expected (got ${payloads.length})`;
  if (Object.keys(labels).length > logLimits.labelsMax) return `more than ${logLimits.labelsMax} labels`;
  const bytes = Buffer.byteLength(JSON.stringify(entry));
  if (bytes > logLimits.entryBytesMax) return `the entry is too large (${bytes} bytes, at most ${logLimits.entryBytesMax})`;
  if (timestamp !== undefined && Date.parse(timestamp) > nowMs + logLimits.aheadMaxMs) return 'the time is more than 24 hours ahead';
  return undefined;
}

/** The entry as it is kept: keys and values of labels are cut without a word. */
export function keptEntry(entry: LogEntry): LogEntry {
  const labels = Object.entries(entry.labels ?? {});
  const { labelKeyBytesMax, labelValueBytesMax } = logLimits;
  if (labels.every(([key, value]) => key.length * 3 <= labelKeyBytesMax && value.length * 3 <= labelValueBytesMax)) return entry;
  return {
    ...entry,
    labels: Object.fromEntries(labels.map(([key, value]) => [cut(key, labelKeyBytesMax), cut(value, labelValueBytesMax)])),
  };
}

/** At most so many bytes in UTF-8, whole characters only. */
function cut(text: string, bytesMax: number): string {
  const target = new Uint8Array(bytesMax);
  return text.slice(0, new TextEncoder().encodeInto(text, target).read);
}
