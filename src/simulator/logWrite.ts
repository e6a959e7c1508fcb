/** The body of `entries:write`, in the service's JSON. Of each entry's fields those are named that something here looks at. */
export interface LogWrite {
  readonly logName?: string;
  readonly resource?: LogResource;
  readonly labels?: Readonly<Record<string, string>>;
  readonly entries?: readonly LogEntry[];
  readonly partialSuccess?: boolean;
  readonly dryRun?: boolean;
}

/** A LogEntry as it was sent. */
export interface LogEntry {
  readonly logName?: string;
  readonly resource?: LogResource;
  readonly timestamp?: string;
  readonly severity?: string | number;
  readonly insertId?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly textPayload?: string;
  readonly jsonPayload?: Readonly<Record<string, unknown>>;
  readonly protoPayload?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A MonitoredResource as it was sent. */
export interface LogResource {
  readonly type: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Why a body is no request at all. */
export interface UnreadableWrite {
  readonly fault: string;
}

const severities = ['DEFAULT', 'DEBUG', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY'];

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTime: Check = (value) => typeof value === 'string' && timeKey(value) !== undefined;
const isLabels: Check = (value) => isObject(value) && Object.values(value as object).every(isText);
const isSeverity: Check = (value) => severities.includes(String(value)) || (typeof value === 'number' && value >= 0 && value <= 800);
const isResource: Check = (value) => hasOnly(value, { type: isText, labels: isLabels }) === undefined;

const entryFields: Readonly<Record<string, Check>> = {
  logName: isText,
  resource: isResource,
  timestamp: isTime,
  receiveTimestamp: isTime,
  severity: isSeverity,
  insertId: isText,
  labels: isLabels,
  textPayload: isText,
  jsonPayload: isObject,
  protoPayload: isObject,
  httpRequest: isObject,
  operation: isObject,
  sourceLocation: isObject,
  split: isObject,
  trace: isText,
  spanId: isText,
  traceSampled: isFlag,
};

const requestFields: Readonly<Record<string, Check>> = {
  logName: isText,
  resource: isResource,
  labels: isLabels,
  entries: Array.isArray,
  partialSuccess: isFlag,
  dryRun: isFlag,
};

/**
 * Reads a body as strictly as the service does: valid UTF-8, JSON without half surrogate pairs, known fields only,
 * each of its type. One fault anywhere, and nothing of the request is looked at further.
 */
export function readLogWrite(body: Uint8Array): LogWrite | UnreadableWrite {
  let read: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    read = JSON.parse(text);
    if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(read)) return { fault: 'the JSON text holds half of a surrogate pair' };
  } catch {
    return { fault: 'the body is not JSON in UTF-8' };
  }
  const fault = hasOnly(read, requestFields) ?? entriesFault((read as LogWrite).entries ?? []);
  return fault === undefined ? (read as LogWrite) : { fault };
}

function entriesFault(entries: readonly unknown[]): string | undefined {
  for (const [index, entry] of entries.entries()) {
    const fault = hasOnly(entry, entryFields);
    if (fault !== undefined) return `entries[${index}]: ${fault}`;
  }
  return undefined;
}

/** What of an object is not as it has to be. A null is a field that is not there. */
function hasOnly(value: unknown, fields: Readonly<Record<string, Check>>): string | undefined {
  if (!isObject(value)) return 'an object is expected';
  for (const [name, part] of Object.entries(value as object)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (check === undefined) return `unknown name ${JSON.stringify(name)}`;
    if (part !== null && !check(part)) return `invalid value of ${name}`;
  }
  return undefined;
}

/** With the flag u a whole pair is one character, and no surrogate. */
const halfPair = /\p{Surrogate}/u;

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !halfPair.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, part]) => !halfPair.test(name) && isWellFormed(part));
}

/** A time as the service compares it, to the nanosecond: equal times give equal texts, however they are written. */
export function timeKey(text: string): string | undefined {
  const [, seconds, fraction = '', zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const ms = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(ms) ? undefined : `${ms / 1000}.${fraction.padEnd(9, '0')}`;
}
