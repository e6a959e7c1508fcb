import { wholeFeed } from './feed.ts';
import type { Kind } from './kinds.ts';
import type { Ambient, PlainMeta, PlainObject } from './object.ts';
import { type AnswerReply, reply, statusReply } from './reply.ts';
import { jsonBytes } from './revision.ts';
import type { SimulatedRequest, WriteKind } from './route.ts';
import { notFound, type StatusBody, wrongMethod } from './statuses.ts';
import type { Store } from './store.ts';
import * as statuses from './writeStatuses.ts';

/** What is written, and where. */
export interface WriteTarget {
  readonly on: WriteKind;
  readonly kind: Kind;
  readonly namespace: string;
  /** Empty for a creation. */
  readonly name: string;
}

/** What is written to. */
export interface Written {
  readonly store: Store;
  readonly ambient: Ambient;
}

/**
 * Creates, replaces or deletes one object. A replacement must name the version it replaces; the same content
 * again keeps that version. A deletion may name uid and version.
 */
export function writing(target: WriteTarget, request: SimulatedRequest, to: Written): AnswerReply {
  const now = to.ambient.now();
  const done = written(target, request, to);
  if ('code' in done) return statusReply(done, now);
  return reply(target.on === 'create' ? 201 : 200, wholeFeed(jsonBytes(done.body), Buffer.from('\n')), { now });
}

interface Done {
  readonly body: unknown;
}

function written(target: WriteTarget, request: SimulatedRequest, to: Written): Done | StatusBody {
  const { kind, namespace, name } = target;
  const body = readBody(request);
  if (body === 'otherType') return statuses.unsupportedMediaType;
  if (body === undefined) return statuses.unreadable(kind);
  if (target.on === 'delete') return deleted(target, body, to);
  const given = body as PlainObject;
  if (!isObject(given.metadata)) return statuses.unreadable(kind);
  if (namespace === '') return wrongMethod;
  const fault = misplaced(given.metadata, target) ?? kindFault(given, kind);
  if (fault !== undefined) return fault;
  const before = to.store.read(kind.kind, namespace, target.on === 'create' ? (given.metadata.name ?? '') : name);
  const metadata = { ...sorted(given.metadata), namespace };
  if (target.on === 'create') {
    if (before !== undefined) return statuses.alreadyExists(kind, given.metadata.name ?? '');
    return { body: to.store.create(kind.kind, { ...given, metadata: withoutIdentity(metadata) }) };
  }
  if (before === undefined) return notFound(kind, name);
  const { uid, resourceVersion = '' } = given.metadata;
  if (resourceVersion === '') return statuses.versionMissing(kind, name);
  if (uid !== undefined && uid !== before.metadata.uid) return statuses.otherUid(kind, name, uid, before.metadata.uid ?? '');
  if (resourceVersion !== before.metadata.resourceVersion) return statuses.modified(kind, name);
  return { body: to.store.update(kind.kind, { ...given, metadata }) };
}

/** The server gives these itself. */
function withoutIdentity(metadata: PlainMeta): PlainMeta {
  const given = ['uid', 'creationTimestamp', 'resourceVersion'];
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !given.includes(name)));
}

function deleted({ kind, namespace, name }: WriteTarget, body: object, { store }: Written): Done | StatusBody {
  const before = store.read(kind.kind, namespace, name);
  if (before === undefined) return notFound(kind, name);
  const { uid, resourceVersion } = (body as { preconditions?: { uid?: string; resourceVersion?: string } }).preconditions ?? {};
  const { uid: storedUid = '', resourceVersion: storedVersion = '' } = before.metadata;
  if (uid !== undefined && uid !== storedUid) return statuses.uidDemanded(kind, name, uid, storedUid);
  if (resourceVersion !== undefined && resourceVersion !== storedVersion) {
    return statuses.versionDemanded(kind, name, resourceVersion, storedVersion);
  }
  store.remove(kind.kind, namespace, name);
  return { body: statuses.deletion(kind, name, storedUid) };
}

/** The JSON of the body, `{}` where there is none. */
function readBody({ headers, body }: SimulatedRequest): object | 'otherType' | undefined {
  if (body === undefined || body.length === 0) return {};
  if (!/^(application\/json(;.*)?)?$/.test(headers['content-type'] ?? '')) return 'otherType';
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Told to the client as a bad request.
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function misplaced({ name, namespace }: PlainMeta, target: WriteTarget): StatusBody | undefined {
  if (namespace !== undefined && namespace !== '' && namespace !== target.namespace) return statuses.otherNamespace;
  if (name === undefined || name === '') return statuses.nameMissing(target.kind);
  return target.on === 'update' && name !== target.name ? statuses.otherName(name, target.name) : undefined;
}

const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/;

/** What the server checks in a Lease: times have six decimals, the duration is above zero, transitions are not below. */
function kindFault({ spec }: PlainObject, kind: Kind): StatusBody | undefined {
  if (kind.kind !== 'Lease') return undefined;
  const { acquireTime, renewTime, leaseDurationSeconds, leaseTransitions } = (spec ?? {}) as Readonly<Record<string, unknown>>;
  const isTime = (time: unknown): boolean => time === undefined || time === null || (typeof time === 'string' && microTime.test(time));
  const bad = [acquireTime, renewTime].find((time) => !isTime(time));
  if (bad !== undefined) return statuses.badTime(kind, JSON.stringify(bad));
  if (typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0) {
    return statuses.badField(kind, 'spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0');
  }
  if (typeof leaseTransitions === 'number' && leaseTransitions < 0) {
    return statuses.badField(kind, 'spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0');
  }
  return undefined;
}

/** Labels and annotations come back in the order of their names, whatever order they were sent in. */
function sorted(metadata: PlainMeta): PlainMeta {
  const byName = (map: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
  const { labels, annotations } = metadata;
  return {
    ...metadata,
    ...(labels === undefined ? {} : { labels: byName(labels) }),
    ...(annotations === undefined ? {} : { annotations: byName(annotations) }),
  };
}
