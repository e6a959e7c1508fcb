import { jsonOf } from '../model/jsonOf.ts';
import { isStatus, type Status } from '../model/kube.ts';
import type { ResourceVersion } from '../model/resourceVersion.ts';

/** What one line of a watch says. */
export type WatchLine =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly resourceVersion: ResourceVersion; readonly object: unknown }
  | {
      readonly type: 'bookmark';
      readonly kind: string;
      readonly resourceVersion: ResourceVersion | undefined;
      readonly initialEventsEnd: boolean;
    }
  | { readonly type: 'status'; readonly status: Status }
  | { readonly type: 'strange'; readonly cause: 'notWatchEvent' | 'undecodable' };

const changeTypes = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

/**
 * Decodes one line of a watch body. Never throws: a proxy's text, an unknown type or an object
 * without a version is `strange`, and a Status is a Status with or without an envelope.
 */
export function watchLine(bytes: Uint8Array): WatchLine {
  const line = jsonOf(bytes);
  if (isStatus(line)) return { type: 'status', status: line };
  if (!isRecord(line)) return { type: 'strange', cause: 'notWatchEvent' };
  const { type, object } = line;
  if (type === 'ERROR') return { type: 'status', status: isStatus(object) ? object : { kind: 'Status' } };
  if (type === 'BOOKMARK') return bookmarkLine(object);
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return { type: 'strange', cause: 'notWatchEvent' };
  const resourceVersion = versionOf(object);
  if (resourceVersion === undefined) return { type: 'strange', cause: 'undecodable' };
  return { type: changeTypes[type], resourceVersion, object };
}

function bookmarkLine(object: unknown): WatchLine {
  const metadata = isRecord(object) ? object['metadata'] : undefined;
  const annotations = isRecord(metadata) ? metadata['annotations'] : undefined;
  return {
    type: 'bookmark',
    kind: isRecord(object) && typeof object['kind'] === 'string' ? object['kind'] : '',
    resourceVersion: versionOf(object),
    initialEventsEnd: isRecord(annotations) && annotations['k8s.io/initial-events-end'] === 'true',
  };
}

/** metadata.resourceVersion if it is a version; "0" and "" mean "any" and are none. */
export function versionOf(object: unknown): ResourceVersion | undefined {
  const metadata = isRecord(object) ? object['metadata'] : undefined;
  const version = isRecord(metadata) ? metadata['resourceVersion'] : undefined;
  return typeof version === 'string' && version !== '' && version !== '0' ? version : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
