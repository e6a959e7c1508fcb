import type { Entry } from '../model/entry.ts';
import { recordIn } from '../model/recordIn.ts';

/** What a line says besides the entry. */
export interface EntryLineSettings {
  /** `short` leaves the whole Event out. Default full. */
  readonly fields?: 'full' | 'short';
  /** What the resource labels say about the cluster. Absent parts get no label. */
  readonly cluster?: { readonly project?: string; readonly location?: string; readonly name?: string };
}

/**
 * Makes an entry a JSON object on one line, without an LF. The first fields are those of the Go exporter's local sink
 * under its names. Throws for an entry that is no JSON.
 */
export function entryLine({ fields = 'full', cluster = {} }: EntryLineSettings): (entry: Entry) => string {
  const clusterLabels = {
    ...(cluster.project ? { project_id: cluster.project } : {}),
    ...(cluster.location ? { location: cluster.location } : {}),
    ...(cluster.name ? { cluster_name: cluster.name } : {}),
  };
  return (entry) => oneLine(JSON.stringify(recordOf(entry, clusterLabels, fields)));
}

/**
 * The fields of a line. JSON leaves out what is undefined. As in the Go exporter, text that is missing is
 * empty; a missing count is left out, because 0 would be a claim.
 */
function recordOf(
  entry: Entry,
  clusterLabels: Readonly<Record<string, string>>,
  fields: 'full' | 'short',
): Readonly<Record<string, unknown>> {
  const { labels, payload, resource } = entry;
  const metadata = recordIn(payload, 'metadata');
  const involved = recordIn(payload, 'involvedObject');
  const count = payload['count'];
  return {
    action: entry.action,
    eventUID: entry.uid,
    eventNamespace: textIn(metadata, 'namespace') ?? '',
    eventName: textIn(metadata, 'name') ?? '',
    resourceVersion: entry.resourceVersion,
    count: typeof count === 'number' ? count : undefined,
    reason: textIn(payload, 'reason') ?? '',
    involvedKind: textIn(involved, 'kind') ?? '',
    involvedName: textIn(involved, 'name') ?? '',
    involvedUID: textIn(involved, 'uid') ?? '',
    podLabels: hasAny(labels) ? labels : undefined,
    // From here on the fields are ours.
    insertId: entry.insertId,
    timestamp: entry.timestamp,
    severity: entry.severity,
    type: textIn(payload, 'type'),
    message: textIn(payload, 'message'),
    resource: { type: resource.type, labels: { ...clusterLabels, ...resource.labels } },
    event: fields === 'full' ? payload : undefined,
  };
}

const lineBreaks = /[\u0085\u2028\u2029]/g;

/** JSON escapes LF and CR itself; these are line ends to some readers too. Rare, and a search for one letter costs nothing. */
function oneLine(json: string): string {
  if (!json.includes('\u0085') && !json.includes('\u2028') && !json.includes('\u2029')) return json;
  return json.replace(lineBreaks, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function hasAny(labels: Readonly<Record<string, string>>): boolean {
  for (const _ in labels) return true;
  return false;
}

function textIn(record: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = record[key];
  return typeof value === 'string' ? value : undefined;
}
