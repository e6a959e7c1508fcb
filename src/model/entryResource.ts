import type { EntryResource } from './entry.ts';
import type { Involved } from './occurrence.ts';

/** `k8s`: one resource type per kind of object. `legacy`: `gke_cluster` for everything, as before 2020. */
export type ResourceModel = 'k8s' | 'legacy';

/** What attribution needs of an occurrence. */
interface About {
  /** The Event's own namespace, empty if it has none. */
  readonly namespace: string;
  readonly involved: Involved;
}

/** The monitored resource that an entry is filed under. */
export function entryResource(about: About, model: ResourceModel): EntryResource {
  if (model === 'legacy') return { type: 'gke_cluster', labels: {} };
  const { kind, namespace, name } = about.involved;
  if (isAboutOwnPod(about)) return { type: 'k8s_pod', labels: { namespace_name: namespace, pod_name: name } };
  if (kind === 'Node') return { type: 'k8s_node', labels: { node_name: name } };
  return clusterResource(model);
}

/** The resource of what is about no object in particular. */
export function clusterResource(model: ResourceModel): EntryResource {
  return { type: model === 'legacy' ? 'gke_cluster' : 'k8s_cluster', labels: {} };
}

/**
 * True if the event is about a pod of its own namespace. Others may name any pod they like, so they
 * are neither filed under it nor given its labels: a tenant must not plant lines on another's pod.
 */
export function isAboutOwnPod({ namespace, involved }: About): boolean {
  return involved.kind === 'Pod' && namespace !== '' && namespace === involved.namespace;
}
