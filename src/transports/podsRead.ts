import type { KubeObject, PodMetadata } from '../model/kube.ts';
import { fieldsOf } from './recordedBody.ts';

/** The pods of a replay as read so far, the removed ones included; for lookups by name, and for lists. */
export interface PodsRead {
  /** Takes a watch line. */
  line(body: Uint8Array): void;
  /** Takes a page of a list. */
  page(body: Uint8Array): void;
  byName(namespace: string, name: string): PodMetadata | undefined;
  /** Those that are there; of all namespaces if it is empty. */
  present(namespace: string): readonly PodMetadata[];
}

interface Known {
  readonly pod: PodMetadata;
  readonly removed: boolean;
}

/** State: the newest metadata of each pod, without managedFields, as many as the recording names. */
export function podsRead(): PodsRead {
  const byName = new Map<string, Known>();

  const learn = (object: unknown, removed: boolean): void => {
    const { metadata } = object as Partial<KubeObject>;
    if (typeof metadata?.name !== 'string' || typeof metadata.namespace !== 'string') return;
    const { managedFields: _, ...kept } = metadata;
    const pod: PodMetadata = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: kept };
    byName.set(`${metadata.namespace}/${metadata.name}`, { pod, removed });
  };

  return {
    line(body) {
      const { type, object } = fieldsOf(body);
      if (typeof object !== 'object' || object === null) return;
      if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') learn(object, type === 'DELETED');
    },
    page(body) {
      const { items } = fieldsOf(body);
      if (Array.isArray(items)) for (const item of items) if (typeof item === 'object' && item !== null) learn(item, false);
    },
    byName: (namespace, name) => byName.get(`${namespace}/${name}`)?.pod,
    present: (namespace) =>
      [...byName.values()]
        .filter(({ pod, removed }) => !removed && (namespace === '' || pod.metadata.namespace === namespace))
        .map(({ pod }) => pod),
  };
}
