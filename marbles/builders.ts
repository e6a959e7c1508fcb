import type { Gap, ObjectChange, RelistDone, RelistStarted } from '../src/model/change.ts';
import type { Ack, Entry, Unreadable } from '../src/model/entry.ts';
import type { EventObject, ObjectMeta, OwnerReference, PodMetadata } from '../src/model/kube.ts';
import type { Involved, Occurrence } from '../src/model/occurrence.ts';
import type { Owner, OwnerChange, SlimPod } from '../src/model/owner.ts';
import type { Joined, Scoped, Slotted } from '../src/model/slot.ts';

/** The date that gaps and lists carry unless told otherwise. */
export const date = '2026-05-04T10:00:00Z';

export type EventFields = Partial<Omit<EventObject, 'metadata'>> & { readonly metadata?: ObjectMeta };

/** An Event about the pod default/web-0, whose uid is `pod-web-0`. Fields given replace whole fields; metadata is merged. */
export function eventObject(resourceVersion: string, fields: EventFields = {}): EventObject {
  const { metadata, ...rest } = fields;
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: {
      name: `event-${resourceVersion}`,
      namespace: 'default',
      uid: `uid-${resourceVersion}`,
      resourceVersion,
      creationTimestamp: date,
      ...metadata,
    },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'web-0', uid: 'pod-web-0' },
    reason: 'Started',
    message: 'Started container',
    type: 'Normal',
    count: 1,
    firstTimestamp: date,
    lastTimestamp: date,
    ...rest,
  };
}

export interface OccurrenceFields {
  readonly change?: Occurrence['change'];
  readonly uid?: string;
  readonly namespace?: string;
  readonly involved?: Partial<Involved>;
  readonly bytes?: number;
  /** Fields of the whole Event that the header does not hold. */
  readonly event?: EventFields;
}

/** An occurrence (by watch, ADDED) whose header and whole Event agree. */
export function occurrence(resourceVersion: string, fields: OccurrenceFields = {}): Occurrence {
  const { change = 'added', uid = `uid-${resourceVersion}`, namespace = 'default', bytes = 100 } = fields;
  const involved: Involved = { kind: 'Pod', namespace: 'default', name: 'web-0', uid: 'pod-web-0', ...fields.involved };
  const metadata: ObjectMeta = { uid, ...(namespace === '' ? {} : { namespace }), ...fields.event?.metadata };
  const event = eventObject(resourceVersion, { involvedObject: involved, ...fields.event, metadata });
  return { type: 'occurrence', change, uid, resourceVersion, namespace, involved, bytes, read: () => event };
}

/** A change whose object may be of any kind, or none. */
export function added(resourceVersion: string, object: unknown, bytes = 100): ObjectChange<never> {
  return objectChange('added', resourceVersion, object, bytes);
}

export function modified(resourceVersion: string, object: unknown, bytes = 100): ObjectChange<never> {
  return objectChange('modified', resourceVersion, object, bytes);
}

export function deleted(resourceVersion: string, object: unknown, bytes = 100): ObjectChange<never> {
  return objectChange('deleted', resourceVersion, object, bytes);
}

export function listed(resourceVersion: string, object: unknown, bytes = 100): ObjectChange<never> {
  return objectChange('listed', resourceVersion, object, bytes);
}

function objectChange(type: ObjectChange['type'], resourceVersion: string, object: unknown, bytes: number): ObjectChange<never> {
  return { type, resourceVersion, body: { bytes, read: () => object as never } };
}

export function relistStarted(fields: Partial<Omit<RelistStarted, 'type'>> = {}): RelistStarted {
  return { type: 'relistStarted', cause: 'start', ...fields };
}

export function relistDone(resourceVersion: string): RelistDone {
  return { type: 'relistDone', resourceVersion };
}

export function gap(from: string, to: string, cause: Gap['cause'] = 'expired'): Gap {
  return { type: 'gap', cause, from, to, date };
}

export function scoped(item: Scoped['item'], scope = ''): Scoped {
  return { scope, item };
}

export function slotted(slot: number, item: Slotted['item'] = occurrence(String(slot))): Slotted {
  return { slot, item };
}

export function joined(slot: number, item: Joined['item'] = occurrence(String(slot)), labels: Joined['labels'] = {}): Joined {
  return { slot, item, labels };
}

/** A finished entry; `resourceVersion` is the slot's number unless given. */
export function entry(slot: number, fields: Partial<Omit<Entry, 'type' | 'slot'>> = {}): Entry {
  const resourceVersion = fields.resourceVersion ?? String(slot);
  const uid = fields.uid ?? `uid-${resourceVersion}`;
  return {
    type: 'entry',
    slot,
    insertId: `${resourceVersion.padStart(20, '0')}.${uid}`,
    action: 'ADD',
    timestamp: date,
    severity: 'INFO',
    resource: { type: 'k8s_pod', labels: { namespace_name: 'default', pod_name: 'web-0' } },
    labels: {},
    payload: { ...eventObject(resourceVersion, { metadata: { uid } }) },
    bytes: 100,
    ...fields,
    uid,
    resourceVersion,
  };
}

export function unreadable(slot: number, fields: Partial<Omit<Unreadable, 'type' | 'slot'>> = {}): Unreadable {
  return { type: 'unreadable', slot, uid: '', resourceVersion: String(slot), reason: 'undecodable', bytes: 100, ...fields };
}

export function ack(slot: number, outcome: Ack['outcome'] = 'stored'): Ack {
  return { slot, outcome };
}

/** A pod default/NAME with uid `pod-NAME`; `owners` are its ownerReferences. */
export function pod(name: string, metadata: ObjectMeta = {}): PodMetadata {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { name, namespace: 'default', uid: `pod-${name}`, resourceVersion: '1', creationTimestamp: date, ...metadata },
  };
}

export function ownerReference(kind: string, name: string, fields: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'apps/v1', kind, name, uid: `${kind}-${name}`, controller: true, ...fields };
}

export function owner(kind: Owner['kind'], name: string): Owner {
  return {
    kind,
    name,
    labels: { 'logging.gke.io/top_level_controller_type': kind, 'logging.gke.io/top_level_controller_name': name },
  };
}

export function slimPod(name: string, fields: Partial<SlimPod> = {}): SlimPod {
  return { uid: `pod-${name}`, namespace: 'default', name, ...fields };
}

export function podKept(name: string, fields: Partial<SlimPod> = {}, scope = ''): OwnerChange {
  return { type: 'pod', scope, pod: slimPod(name, fields) };
}

export function podRemoved(name: string, scope = ''): OwnerChange {
  return { type: 'podRemoved', scope, uid: `pod-${name}` };
}
