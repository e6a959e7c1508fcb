import type { Busy, Story } from './busyContext.ts';
import type { About } from './busyEvents.ts';
import type { Pod, PodOwner } from './busyPods.ts';
import { type Deployment, daemonPlan, newReplicaSet, ordinalPlan, replicaPlan, type Workload } from './busyWorkloads.ts';

/** A Deployment gets a new ReplicaSet; pods are replaced one by one. One rollout of a Deployment at a time. */
export function* rollDeployment(busy: Busy): Story {
  const { events, life, names, workloads } = busy;
  const deployment = names.pick(workloads.deployments);
  if (deployment.rolling) return;
  deployment.rolling = true;
  const old = deployment.replicaSet.owner;
  deployment.replicaSet = newReplicaSet(deployment.name, names, busy.random);
  const next = deployment.replicaSet.owner;
  const leaving = deployment.pods.splice(0);
  const scaled = (verb: string, set: string, from: number, to: number): void => {
    const message = `Scaled ${verb} replica set ${set} from ${from} to ${to}`;
    events.tell(aboutWorkload('Deployment', deployment), { component: 'deployment-controller' }, { reason: 'ScalingReplicaSet', message });
  };
  for (let at = 0; at < deployment.replicas; at++) {
    scaled('up', next.name, at, at + 1);
    const pod = life.create(replicaPlan(deployment, names.pick(workloads.nodes), names));
    deployment.pods.push(pod);
    tellCreated(busy, deployment, next, pod);
    yield* life.start(pod);
    const gone = leaving.pop();
    if (gone === undefined) continue;
    scaled('down', old.name, leaving.length + 1, leaving.length);
    yield* stopOwned(busy, deployment, old, gone);
  }
  for (const gone of leaving) yield* stopOwned(busy, deployment, old, gone);
  deployment.rolling = false;
}

/** A DaemonSet renews its pod on one node. */
export function* renewDaemon(busy: Busy): Story {
  const { life, names, workloads } = busy;
  const workload = names.pick(workloads.daemonSets);
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: workload.name, uid: workload.uid };
  const gone = workload.pods.shift();
  if (gone === undefined) return;
  yield* stopOwned(busy, workload, owner, gone);
  const pod = life.create(daemonPlan(workload, gone.node, names));
  workload.pods.push(pod);
  tellCreated(busy, workload, owner, pod);
  yield* life.start(pod);
}

/** A StatefulSet restarts one pod under the same name: same name, new uid. */
export function* restartOrdinal(busy: Busy): Story {
  const { events, life, names, workloads } = busy;
  const workload = names.pick(workloads.statefulSets);
  const at = names.below(workload.pods.length);
  const gone = workload.pods[at];
  if (gone === undefined || busy.core.read('Pod', gone.namespace, gone.name)?.metadata.uid !== gone.uid) return;
  yield* life.stop(gone);
  // Another story may have restarted it between two steps.
  if (busy.core.read('Pod', gone.namespace, gone.name) !== undefined) return;
  const pod = life.create(ordinalPlan(workload, at, names.pick(workloads.nodes)));
  workload.pods[at] = pod;
  const message = `create Pod ${pod.name} in StatefulSet ${workload.name} successful`;
  events.tell(aboutWorkload('StatefulSet', workload), { component: 'statefulset-controller' }, { reason: 'SuccessfulCreate', message });
  yield* life.start(pod);
}

/** A pod of a Deployment is replaced after it went away by other hands. */
export function* replaceReplica(busy: Busy, deployment: Deployment): Story {
  const { life, names, workloads } = busy;
  const pod = life.create(replicaPlan(deployment, names.pick(workloads.nodes), names));
  deployment.pods.push(pod);
  tellCreated(busy, deployment, deployment.replicaSet.owner, pod);
  yield* life.start(pod);
}

export function aboutWorkload(kind: 'Deployment' | 'StatefulSet', { namespace, name, uid }: Workload): About {
  return { kind, namespace, name, uid, apiVersion: 'apps/v1' };
}

function tellCreated({ events }: Busy, { namespace }: Workload, { kind, name, uid, apiVersion }: PodOwner, pod: Pod): void {
  const by = { component: `${kind.toLowerCase()}-controller` };
  events.tell({ kind, namespace, name, uid, apiVersion }, by, { reason: 'SuccessfulCreate', message: `Created pod: ${pod.name}` });
}

function* stopOwned(busy: Busy, { namespace }: Workload, { kind, name, uid, apiVersion }: PodOwner, pod: Pod): Story {
  const by = { component: `${kind.toLowerCase()}-controller` };
  busy.events.tell({ kind, namespace, name, uid, apiVersion }, by, { reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.name}` });
  yield* busy.life.stop(pod);
}
