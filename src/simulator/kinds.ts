import type { PlainObject } from './object.ts';

/** What the server keeps. Another kind is one more name here and one more row below. */
export type KindName = 'Event' | 'Pod' | 'Lease' | 'Deployment';

/** Everything that differs between the kinds. */
export interface Kind {
  readonly kind: KindName;
  readonly apiVersion: string;
  /** Empty for the core group. */
  readonly group: string;
  /** First part of its paths. */
  readonly root: string;
  /** Name in paths, and of the readers' streams. */
  readonly plural: string;
  /** Served from the watch cache: periodic bookmarks, and a list at resourceVersion=0 knows no limit. */
  readonly cached: boolean;
  /** Removed by the server some time after the last write. */
  readonly expires: boolean;
  /** Can be created, updated and deleted by requests. */
  readonly writable: boolean;
  /** Top-level fields in the order in which the server writes them, with what it writes for an empty one. */
  readonly layout: readonly (readonly [name: string, empty?: unknown])[];
  /** What a field selector can name. */
  readonly fields: Readonly<Record<string, (object: PlainObject) => unknown>>;
}

const metadataFields = {
  'metadata.name': ({ metadata }: PlainObject) => metadata.name,
  'metadata.namespace': ({ metadata }: PlainObject) => metadata.namespace,
};

const event: Kind = {
  kind: 'Event',
  apiVersion: 'v1',
  group: '',
  root: '/api/v1',
  plural: 'events',
  cached: false,
  expires: true,
  writable: true,
  layout: [
    ['involvedObject', {}],
    ['reason'],
    ['message'],
    ['source', {}],
    ['firstTimestamp', null],
    ['lastTimestamp', null],
    ['count'],
    ['type'],
    ['eventTime', null],
    ['series'],
    ['action'],
    ['related'],
    ['reportingComponent', ''],
    ['reportingInstance', ''],
  ],
  fields: {
    ...metadataFields,
    'involvedObject.kind': inside('involvedObject', 'kind'),
    'involvedObject.namespace': inside('involvedObject', 'namespace'),
    'involvedObject.name': inside('involvedObject', 'name'),
    'involvedObject.uid': inside('involvedObject', 'uid'),
    'involvedObject.apiVersion': inside('involvedObject', 'apiVersion'),
    'involvedObject.resourceVersion': inside('involvedObject', 'resourceVersion'),
    'involvedObject.fieldPath': inside('involvedObject', 'fieldPath'),
    reason: (object) => object['reason'],
    reportingComponent: (object) => object['reportingComponent'],
    source: (object) => inside('source', 'component')(object) || object['reportingComponent'],
    type: (object) => object['type'],
  },
};

const pod: Kind = {
  kind: 'Pod',
  apiVersion: 'v1',
  group: '',
  root: '/api/v1',
  plural: 'pods',
  cached: true,
  expires: false,
  writable: true,
  layout: [
    ['spec', { containers: null }],
    ['status', {}],
  ],
  fields: {
    ...metadataFields,
    'spec.nodeName': inside('spec', 'nodeName'),
    'spec.restartPolicy': inside('spec', 'restartPolicy'),
    'spec.schedulerName': inside('spec', 'schedulerName'),
    'spec.serviceAccountName': inside('spec', 'serviceAccountName'),
    'spec.hostNetwork': inside('spec', 'hostNetwork'),
    'status.phase': inside('status', 'phase'),
    'status.podIP': inside('status', 'podIP'),
    'status.nominatedNodeName': inside('status', 'nominatedNodeName'),
  },
};

const lease: Kind = {
  kind: 'Lease',
  apiVersion: 'coordination.k8s.io/v1',
  group: 'coordination.k8s.io',
  root: '/apis/coordination.k8s.io/v1',
  plural: 'leases',
  cached: true,
  expires: false,
  writable: true,
  layout: [['spec', {}]],
  fields: metadataFields,
};

/** Read by nobody here; there for those who read a kind of their own. */
const deployment: Kind = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  group: 'apps',
  root: '/apis/apps/v1',
  plural: 'deployments',
  cached: true,
  expires: false,
  writable: false,
  layout: [
    ['spec', {}],
    ['status', {}],
  ],
  fields: metadataFields,
};

export const kinds: Readonly<Record<KindName, Kind>> = { Event: event, Pod: pod, Lease: lease, Deployment: deployment };

function inside(field: string, name: string): (object: PlainObject) => unknown {
  return (object) => (object[field] as Readonly<Record<string, unknown>> | undefined)?.[name];
}

const metadataOrder = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

/** The object with its fields in the server's order, empty ones written as the server writes them, unknown ones last. */
export function laidOut(kind: Kind, object: Readonly<Record<string, unknown>>, metadata: Readonly<Record<string, unknown>>): PlainObject {
  const laid: Record<string, unknown> = { kind: kind.kind, apiVersion: kind.apiVersion, metadata: ordered(metadata) };
  for (const [name, empty] of kind.layout) {
    const value = object[name] ?? empty;
    if (value !== undefined) laid[name] = value;
  }
  for (const name of Object.keys(object)) if (!(name in laid) && object[name] !== undefined) laid[name] = object[name];
  return laid as unknown as PlainObject;
}

function ordered(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const laid: Record<string, unknown> = {};
  for (const name of metadataOrder) if (metadata[name] !== undefined) laid[name] = metadata[name];
  for (const name of Object.keys(metadata)) if (!(name in laid) && metadata[name] !== undefined) laid[name] = metadata[name];
  return laid;
}
