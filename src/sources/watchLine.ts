import { PipelineError } from '../errors.ts';
import type { Body } from '../model/change.ts';
import { jsonOf } from '../model/jsonOf.ts';
import { isStatus, type Status } from '../model/kube.ts';
import { type LineLook, lookAtLine, tellsDeleted } from '../model/lookAtLine.ts';
import type { ResourceVersion } from '../model/resourceVersion.ts';
import type { ListWatchSettings } from './readerSettings.ts';

/** What one line of a watch says. */
export type WatchLine =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly resourceVersion: ResourceVersion; readonly body: Body }
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
 * Tells what one line of a watch body says. Where `lookAt` says so an object is parsed when it is read, if a look at its bytes finds
 * its type and version; every other line is parsed at once. Never throws: a proxy's text, an unknown type or an object
 * without a version is `strange`, and a Status is a Status with or without an envelope.
 */
export function watchLine(bytes: Uint8Array, lookAt?: ListWatchSettings['lookAt']): WatchLine {
  const look = lookAt === 'all' || (lookAt === 'deleted' && tellsDeleted(bytes)) ? lookAtLine(bytes) : undefined;
  if (look !== undefined) return { type: changeTypes[look.type], resourceVersion: look.resourceVersion, body: lateBody(bytes, look) };
  return parsedLine(bytes);
}

function lateBody(line: Uint8Array, look: LineLook): Body {
  let unread: Uint8Array | undefined = line;
  let object: unknown;
  const read = (): unknown => {
    if (unread === undefined) return object;
    const parsed = jsonOf(unread);
    if (!isRecord(parsed)) throw new PipelineError('UNDECODABLE', 'a watch line must be JSON (its header is, the rest is not)');
    [object, unread] = [parsed['object'], undefined];
    return object;
  };
  return { bytes: line.byteLength, look, read };
}

function parsedLine(bytes: Uint8Array): WatchLine {
  const line = jsonOf(bytes);
  if (isStatus(line)) return { type: 'status', status: line };
  if (!isRecord(line)) return { type: 'strange', cause: 'notWatchEvent' };
  const { type, object } = line;
  if (type === 'ERROR') return { type: 'status', status: isStatus(object) ? object : { kind: 'Status' } };
  if (type === 'BOOKMARK') return bookmarkLine(object);
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return { type: 'strange', cause: 'notWatchEvent' };
  const resourceVersion = versionOf(object);
  if (resourceVersion === undefined) return { type: 'strange', cause: 'undecodable' };
  return { type: changeTypes[type], resourceVersion, body: { bytes: bytes.byteLength, look: undefined, read: () => object } };
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
