import type { Kind } from './kinds.ts';
import { laidOut } from './kinds.ts';
import type { PlainObject } from './object.ts';

/** Whole objects, or PartialObjectMetadata. */
export type Form = 'full' | 'partial';

/** What a watch calls a write. */
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write. Its bytes are made once, when first asked for, and shared by everybody who reads it. */
export interface Revision {
  readonly type: ChangeType;
  readonly version: bigint;
  /** `namespace/name`. */
  readonly key: string;
  /** The object after the write; for a removal the last one, at the removal's version. */
  readonly object: PlainObject;
  /** Absent where the write made the object. */
  readonly before: PlainObject | undefined;
  /** Time of the write. */
  readonly at: number;
  /** The next write of the same kind. */
  next: Revision | undefined;
  /** The write before of the same key. Cut off by compaction. */
  older: Revision | undefined;
  full: Buffer | undefined;
  partial: Buffer | undefined;
}

/** The object as JSON text, without a line feed. */
export function objectBytes(revision: Revision, form: Form): Buffer {
  if (form === 'full') {
    revision.full ??= jsonBytes(revision.object);
    return revision.full;
  }
  revision.partial ??= jsonBytes(partialOf(revision.object));
  return revision.partial;
}

/** The parts of a watch line; joined by whoever sends them. */
export function lineParts(type: ChangeType, bytes: Buffer): readonly Buffer[] {
  return [heads[type], bytes, lineEnd];
}

/** Same for an object that no revision holds. */
export function lineOf(type: ChangeType | 'BOOKMARK' | 'ERROR', object: unknown): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), jsonBytes(object), lineEnd]);
}

export function partialOf(object: PlainObject): PlainObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

/** What the server sends as a bookmark: an empty object of the kind with nothing but a version. */
export function bookmarkLine(kind: Kind, form: Form, version: bigint, initialEventsEnd: boolean): Buffer {
  const metadata = {
    resourceVersion: String(version),
    ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
  };
  const object = laidOut(kind, {}, metadata);
  return lineOf('BOOKMARK', form === 'full' ? object : partialOf(object));
}

/** Go's encoder writes these five as escapes, and nothing else needs one that JSON.stringify does not give. */
const escapes = /[<>&\u2028\u2029]/g;

export function jsonBytes(value: unknown): Buffer {
  const text = JSON.stringify(value);
  return Buffer.from(text.replace(escapes, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

const heads: Readonly<Record<ChangeType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};

const lineEnd = Buffer.from('}\n');
