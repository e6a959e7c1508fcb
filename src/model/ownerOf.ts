import type { ObjectMeta, OwnerReference, PodMetadata } from './kube.ts';
import type { Owner, OwnerKind } from './owner.ts';

/** Keys of the entry labels that name a workload; the Go exporter's dashboards use them. */
export const kindLabel = 'logging.gke.io/top_level_controller_type';
export const nameLabel = 'logging.gke.io/top_level_controller_name';

const templateHash = 'pod-template-hash';
const jobSetName = 'jobset.sigs.k8s.io/jobset-name';
const restartAttempt = 'jobset.sigs.k8s.io/restart-attempt';
const jobSetUid = 'jobset.sigs.k8s.io/jobset-uid';

/** A kind counts only in its own API group: other groups have a Job and a StatefulSet too. */
const groups: ReadonlyMap<string, string> = new Map([
  ['DaemonSet', 'apps'],
  ['StatefulSet', 'apps'],
  ['ReplicaSet', 'apps'],
  ['Job', 'batch'],
]);

const minuteMs = 60_000;
const stampedWithinMs = 400 * 24 * 60 * minuteMs;
/** What a CronJob appends to its name: the run's minute since 1970, 8 digits from 2008 to 2084. */
const minuteSuffix = /^-[2-5][0-9]{7}$/;
const minuteSuffixLength = 9;

/** Names the workload behind a pod, or undefined if there is none that labels can name. Never looks at the pod's own name. */
export function ownerOf(pod: PodMetadata): Owner | undefined {
  const { metadata } = pod;
  const reference = decidingReference(metadata.ownerReferences);
  if (reference === undefined) return undefined;
  switch (reference.kind) {
    case 'DaemonSet':
    case 'StatefulSet':
      return owner(reference.kind, reference.name);
    case 'ReplicaSet':
      return ownerOfReplicaSet(reference.name, metadata.labels?.[templateHash]);
    default:
      return ownerOfJob(reference.name, metadata);
  }
}

/** The reference with `controller: true`; if none carries the flag, the last one of a known kind. */
function decidingReference(references: unknown): OwnerReference | undefined {
  const all: readonly OwnerReference[] = Array.isArray(references) ? references.filter(isNamed) : [];
  const controller = all.find((reference) => reference.controller === true);
  if (controller !== undefined) return isKnown(controller) ? controller : undefined;
  return all.findLast(isKnown);
}

function isNamed(value: unknown): value is OwnerReference {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, name } = value as { kind?: unknown; name?: unknown };
  return typeof kind === 'string' && typeof name === 'string' && name !== '';
}

/** True for a known kind in its own group; a reference without an apiVersion counts as the right group. */
function isKnown({ kind, apiVersion }: OwnerReference): boolean {
  const group = groups.get(kind);
  return group !== undefined && (!apiVersion || apiVersion.startsWith(`${group}/`));
}

/** A Deployment names its ReplicaSets after itself and the hash; others (rollouts, bare ReplicaSets) have no such label. */
function ownerOfReplicaSet(name: string, hash: unknown): Owner | undefined {
  if (typeof hash !== 'string' || hash === '') return undefined;
  const nameLength = name.length - hash.length - 1;
  return nameLength > 0 && name.endsWith(`-${hash}`) ? owner('Deployment', flat(name.slice(0, nameLength))) : undefined;
}

function ownerOfJob(name: string, { labels, creationTimestamp }: ObjectMeta): Owner {
  if (isCronRun(name, creationTimestamp)) return owner('CronJob', flat(name.slice(0, -minuteSuffixLength)));
  const jobSet = labels?.[jobSetName];
  if (typeof jobSet !== 'string' || jobSet === '') return owner('Job', name);
  return owner('JobSet', jobSet, { ...carried(labels, restartAttempt), ...carried(labels, jobSetUid) });
}

/** A date or a serial number of 8 digits is told from a minute by the pod's age, where that is known. */
function isCronRun(name: string, creationTimestamp: string | null | undefined): boolean {
  if (name.length <= minuteSuffixLength || !minuteSuffix.test(name.slice(-minuteSuffixLength))) return false;
  const createdMs = Date.parse(creationTimestamp ?? '');
  if (Number.isNaN(createdMs) || createdMs < 0) return true; // Year 1 is how the server writes an empty time.
  const stampedMs = Number(name.slice(1 - minuteSuffixLength)) * minuteMs;
  return Math.abs(stampedMs - createdMs) <= stampedWithinMs;
}

function carried(labels: ObjectMeta['labels'], key: string): Record<string, string> {
  const value = labels?.[key];
  return typeof value === 'string' ? { [key]: value } : {};
}

function owner(kind: OwnerKind, name: string, more: Readonly<Record<string, string>> = {}): Owner {
  return { kind, name, labels: { [kindLabel]: kind, [nameLabel]: name, ...more } };
}

/** A slice keeps the text it was cut from in memory; this copy does not. */
function flat(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
