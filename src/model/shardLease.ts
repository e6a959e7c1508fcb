import type { KubeObject, ObjectMeta } from './kube.ts';
import type { Shard, ShardFunction } from './shard.ts';

/** coordination.k8s.io/v1 Lease. Whatever else it holds is sent back as it came. */
export interface LeaseObject extends KubeObject {
  readonly spec?: LeaseSpec;
}

interface LeaseSpec {
  readonly holderIdentity?: string | null;
  readonly leaseDurationSeconds?: number | null;
  readonly acquireTime?: string | null;
  readonly renewTime?: string | null;
  readonly leaseTransitions?: number | null;
}

/**
 * `current`: its shard may deliver, or may go on when it comes back. `waiting`: its shard has announced itself and may
 * not deliver yet. `superseded`: a shard of another map has ended its right to deliver.
 */
export type LeaseState = 'current' | 'waiting' | 'superseded';

/** What a lease says, apart from its identity. */
export interface LeaseContent {
  /** Who holds it; empty for nobody. */
  readonly holder: string;
  /** Fencing token: higher with each taking, and with each taking away. */
  readonly token: number;
  readonly state: LeaseState;
  /** The checkpoint as text. Absent: none was saved. */
  readonly checkpoint: string | undefined;
  /** When the holder took it and renewed it last, by the holder's clock. Nobody compares it with another clock. */
  readonly acquiredAt: string | undefined;
  readonly renewedAt: string | undefined;
}

/** The lease of one shard, as read from the server. */
export interface ShardLease {
  readonly object: LeaseObject;
  readonly name: string;
  readonly uid: string;
  readonly shard: Required<Shard>;
  readonly content: LeaseContent;
}

export const leaseType = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;

/** On every lease of an app, with its name as value: how they are found. */
export const appLabel = 'kube-sluice/app';
const stateAnnotation = 'kube-sluice/state';
const checkpointAnnotation = 'kube-sluice/checkpoint';

const defaultFunction: ShardFunction = 'fnv1a32-mod';
const otherFunctions: readonly ShardFunction[] = ['fnv1a64-range'];

/** What a lease can be called and labelled: at most 63 lower-case letters, digits and dashes, no dash at the ends. */
const appForm = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** What is wrong with the name of an app; undefined if nothing is. */
export function appFault(app: string): string | undefined {
  if (appForm.test(app)) return undefined;
  return `the name of the leases must be at most 63 lower-case letters, digits and dashes, with no dash at the ends (got ${JSON.stringify(app)})`;
}

/** Says which shard it is, so two shards of one app never share a name. */
export function leaseName(app: string, { index, total, function: shardFunction = defaultFunction }: Shard): string {
  return `${app}-${index}-of-${total}${shardFunction === defaultFunction ? '' : `-${shardFunction}`}`;
}

/** The shard that a name stands for; undefined if it is no name of this app's. */
function shardOfName(app: string, name: string): Required<Shard> | undefined {
  if (!name.startsWith(`${app}-`)) return undefined;
  const [, indexDigits = '', totalDigits = '', suffix] =
    /^(0|[1-9]\d{0,8})-of-([1-9]\d{0,8})(?:-(.+))?$/.exec(name.slice(app.length + 1)) ?? [];
  const shardFunction = suffix === undefined ? defaultFunction : otherFunctions.find((known) => known === suffix);
  const [index, total] = [Number(indexDigits), Number(totalDigits)];
  if (indexDigits === '' || shardFunction === undefined || index >= total) return undefined;
  return { index, total, function: shardFunction };
}

/** Reads a lease; undefined if its name stands for no shard of the app. */
export function readLease(app: string, object: LeaseObject): ShardLease | undefined {
  const { name = '', uid = '', annotations = {} } = object.metadata;
  const shard = shardOfName(app, name);
  if (shard === undefined) return undefined;
  const spec = object.spec ?? {};
  const content: LeaseContent = {
    holder: spec.holderIdentity ?? '',
    token: spec.leaseTransitions ?? 0,
    state: stateOf(annotations[stateAnnotation]),
    checkpoint: annotations[checkpointAnnotation],
    acquiredAt: spec.acquireTime ?? undefined,
    renewedAt: spec.renewTime ?? undefined,
  };
  return { object, name, uid, shard, content };
}

/** Whatever is not known gives no right to deliver. */
function stateOf(text: string | undefined): LeaseState {
  return text === 'current' || text === 'superseded' ? text : 'waiting';
}

/** True for a lease that a shard of this app has made, not only for one with its name. */
export function isOurs(app: string, { object: { metadata } }: ShardLease): boolean {
  return metadata.labels?.[appLabel] === app || metadata.annotations?.[stateAnnotation] !== undefined;
}

/** The first form of a lease. */
export function newLease(app: string, namespace: string, shard: Shard): LeaseObject {
  return { ...leaseType, metadata: { name: leaseName(app, shard), namespace } };
}

/** The same lease with another content; after `silentMs` without a renewal others may take it. Labels and annotations of others stay. */
export function withContent(app: string, object: LeaseObject, content: LeaseContent, silentMs: number): LeaseObject {
  const { [checkpointAnnotation]: _, ...annotations } = object.metadata.annotations ?? {};
  const own = {
    [stateAnnotation]: content.state,
    ...(content.checkpoint === undefined ? {} : { [checkpointAnnotation]: content.checkpoint }),
  };
  const labels = { ...object.metadata.labels, [appLabel]: app };
  const metadata: ObjectMeta = { ...object.metadata, labels, annotations: { ...annotations, ...own } };
  const spec: LeaseSpec = {
    ...(content.holder === '' ? {} : { holderIdentity: content.holder }),
    leaseDurationSeconds: Math.max(1, Math.ceil(silentMs / 1000)),
    ...(content.acquiredAt === undefined ? {} : { acquireTime: content.acquiredAt }),
    ...(content.renewedAt === undefined ? {} : { renewTime: content.renewedAt }),
    leaseTransitions: content.token,
  };
  return { ...object, metadata, spec };
}

/** Year 9999 ends: the server reads no later time. */
const timeMsMax = 253_402_300_799_999;

/** A time as leases hold it, with six decimals. `micros`, in [0, 1000), tells two writes of one millisecond apart. */
export function leaseTime(ms: number, micros: number): string {
  const whole = new Date(Math.min(Math.max(ms, 0), timeMsMax)).toISOString();
  return `${whole.slice(0, 23)}${String(micros).padStart(3, '0')}Z`;
}
