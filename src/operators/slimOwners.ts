import { filter, map, type OperatorFunction, pipe } from 'rxjs';
import type { Change, ObjectChange } from '../model/change.ts';
import type { PodMetadata } from '../model/kube.ts';
import type { OwnerChange, SlimPod } from '../model/owner.ts';
import { readerName } from '../model/readerName.ts';
import { owns, type Shard } from '../model/shard.ts';
import { slimPod } from '../model/slimPod.ts';
import type { Runtime } from '../runtime.ts';

/** Which pods are kept. */
export interface SlimOwnersSettings {
  /** Namespace that the reader of these pods reads; empty for all. */
  readonly scope: string;
  readonly shard: Shard;
  /** Namespaces whose pods get no labels and are not kept. */
  readonly systemNamespaces: readonly string[];
  /** True if the server was asked to leave out other shards' pods: one that comes all the same is told. Default false. */
  readonly serverShards?: boolean;
}

/**
 * Reduces pods to what labels need, and leaves out those that no event of this shard can be about.
 *
 *     in   -s-p-q-r-d-m-t-|    s lists, d ends the list; q is another shard's, r is in kube-system; m is a bookmark
 *     out  -s-p-----d---t-|    t removes p
 *
 * State: none. Time: none. Order: kept. Errors: passed on; a pod that cannot be decoded is told as skipped, nothing more.
 * A mirror pod has two identities, its UID and the config hash by which the kubelet names the static pod. It
 * is kept by the shard of each, because events come under both.
 */
export function slimOwners(settings: SlimOwnersSettings, runtime: Runtime): OperatorFunction<Change<PodMetadata>, OwnerChange> {
  const { scope } = settings;
  return pipe(
    map((change): OwnerChange | undefined => {
      switch (change.type) {
        case 'relistStarted':
        case 'relistDone':
          return { type: change.type, scope };
        case 'bookmark':
          return undefined;
        default: {
          const pod = ownPod(change, settings, runtime);
          if (pod === undefined) return undefined;
          return change.type === 'deleted' ? { type: 'podRemoved', scope, uid: pod.uid } : { type: 'pod', scope, pod };
        }
      }
    }),
    filter((change) => change !== undefined),
  );
}

function ownPod({ body }: ObjectChange, settings: SlimOwnersSettings, runtime: Runtime): SlimPod | undefined {
  const pod = decoded(body, settings, runtime);
  if (pod === undefined || settings.systemNamespaces.includes(pod.namespace)) return undefined;
  const ownsUid = owns(settings.shard, pod.uid);
  if (!ownsUid && settings.serverShards === true) runtime.signal({ type: 'foreignPod' });
  return ownsUid || (pod.mirror !== undefined && owns(settings.shard, pod.mirror)) ? pod : undefined;
}

function decoded(body: ObjectChange['body'], { scope }: SlimOwnersSettings, runtime: Runtime): SlimPod | undefined {
  try {
    return slimPod(body.read());
  } catch {
    runtime.signal({ type: 'frameSkipped', source: readerName('pods', scope), cause: 'undecodable', bytes: body.bytes });
    return undefined;
  }
}
