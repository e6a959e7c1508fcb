import { PipelineError } from '../errors.ts';
import type { ObjectMeta, PodMetadata } from './kube.ts';
import type { SlimPod } from './owner.ts';
import { ownerOf } from './ownerOf.ts';

const mirrorAnnotations = ['kubernetes.io/config.mirror', 'kubernetes.io/config.hash'];

/**
 * Keeps what labels need of a pod as it was received, and nothing that refers to the rest of it.
 * Throws PipelineError UNDECODABLE if the object does not say which pod it is.
 */
export function slimPod(object: unknown): SlimPod {
  const { metadata } = (object ?? {}) as Partial<PodMetadata>;
  const { uid, namespace, name } = metadata ?? {};
  if (metadata === undefined || !isText(uid) || !isText(namespace) || !isText(name)) {
    throw new PipelineError('UNDECODABLE', 'a pod has a uid, a namespace and a name (got an object without one of them)');
  }
  const mirror = mirrorOf(metadata);
  const owner = ownerOf({ metadata });
  return { uid, namespace, name, ...(mirror === undefined ? {} : { mirror }), ...(owner === undefined ? {} : { owner }) };
}

/** A static pod runs under its config's hash; the API server shows its mirror, under another UID, with the hash annotated. */
function mirrorOf({ annotations }: ObjectMeta): string | undefined {
  for (const key of mirrorAnnotations) {
    const hash = annotations?.[key];
    if (isText(hash)) return hash;
  }
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
