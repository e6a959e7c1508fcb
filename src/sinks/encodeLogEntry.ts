import type { Entry } from '../model/entry.ts';
import { cutText } from './cutText.ts';

/** What the resource labels say about the cluster. */
export interface LogCluster {
  readonly project: string;
  readonly location: string;
  /** May be empty. */
  readonly name: string;
}

export interface EncodeLogEntrySettings {
  readonly cluster: LogCluster;
  /** Largest entry, in bytes of JSON. */
  readonly entryBytesMax: number;
}

/** An entry as JSON text, or why it can have none. */
export type EncodedEntry =
  | { readonly type: 'encoded'; readonly entry: Entry; readonly text: string; readonly bytes: number }
  | { readonly type: 'refused'; readonly reason: 'unencodable' | 'entryTooLarge' };

/** Limits of the service on labels. Source: cloud.google.com/logging/quotas, 2026-11. */
const labelsMax = 64;
const labelKeyBytesMax = 512;
const labelValueBytesMax = 65_536;
/** Names in Kubernetes have 253 characters at most; an Event may claim any. */
const resourceLabelBytesMax = 1_024;
/** What is left of each text of an entry that a shorter message alone does not make small enough. */
const textBytesMax = 1_024;

/**
 * Makes entries into the JSON of a LogEntry, a function of the entry alone. One that is too large gets a shorter message, then
 * shorter texts everywhere, each with a visible mark; what is still too large is refused. Broken Unicode becomes U+FFFD, because
 * the service refuses it with everything that comes in the same request.
 */
export function encodeLogEntry({ cluster, entryBytesMax }: EncodeLogEntrySettings): (entry: Entry) => EncodedEntry {
  const ofCluster = clusterLabels(cluster);
  const textOf = (entry: Entry, payload: Entry['payload']): string => wellFormed(JSON.stringify(recordOf(entry, ofCluster, payload)));
  return (entry) => {
    try {
      for (const payload of candidates(entry, entryBytesMax, (tried) => Buffer.byteLength(textOf(entry, tried)))) {
        const text = textOf(entry, payload);
        const bytes = Buffer.byteLength(text);
        if (bytes <= entryBytesMax) return { type: 'encoded', entry, text, bytes };
      }
      return { type: 'refused', reason: 'entryTooLarge' };
    } catch {
      return { type: 'refused', reason: 'unencodable' }; // Nested deeper than the stack. The refusal is told by whoever sends.
    }
  };
}

/** The labels that every resource has. */
export function clusterLabels({ project, location, name }: LogCluster): Readonly<Record<string, string>> {
  return { project_id: project, location, cluster_name: name };
}

/** The payload whole, then smaller and smaller. */
function* candidates(entry: Entry, bytesMax: number, bytesOf: (payload: Entry['payload']) => number): Generator<Entry['payload']> {
  const { payload } = entry;
  yield payload;
  const { message } = payload;
  if (typeof message === 'string') {
    const bytesOfOthers = bytesOf({ ...payload, message: '' });
    if (bytesOfOthers < bytesMax) yield { ...payload, message: cutText(message, bytesMax - bytesOfOthers) };
  }
  const shorter = (_key: string, value: unknown): unknown => (typeof value === 'string' ? cutText(value, textBytesMax) : value);
  yield JSON.parse(JSON.stringify(payload, shorter)) as Entry['payload'];
}

function recordOf(
  { insertId, timestamp, severity, resource, labels }: Entry,
  ofCluster: Readonly<Record<string, string>>,
  jsonPayload: Entry['payload'],
): Readonly<Record<string, unknown>> {
  const own = Object.entries(resource.labels).map(([key, value]) => [key, cutText(value, resourceLabelBytesMax)]);
  return {
    insertId,
    timestamp,
    severity,
    resource: { type: resource.type, labels: { ...ofCluster, ...Object.fromEntries(own) } },
    labels: labelsOf(labels),
    jsonPayload,
  };
}

/** JSON leaves out what is undefined. */
function labelsOf(labels: Entry['labels']): Entry['labels'] | undefined {
  const usable = Object.entries(labels).filter(([key]) => key.length > 0 && Buffer.byteLength(key) <= labelKeyBytesMax);
  if (usable.length === 0) return undefined;
  return Object.fromEntries(usable.slice(0, labelsMax).map(([key, value]) => [key, cutText(value, labelValueBytesMax)]));
}

/** A backslash, and what it escapes. JSON.stringify escapes surrogates only where their other half is missing. */
const escapes = /\\(?:(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/g;

function wellFormed(json: string): string {
  return json.includes('\\ud') ? json.replace(escapes, (found, lone: string | undefined) => (lone === undefined ? found : '\ufffd')) : json;
}
