import type { Busy, Story } from './busyContext.ts';
import type { Reporter } from './busyEvents.ts';
import type { Node, Pod } from './busyPods.ts';
import { replaceReplica } from './busyRollouts.ts';

/** A container that keeps crashing: one event whose count grows. */
export function* crashLoop(busy: Busy): Story {
  const { events, life, names } = busy;
  const pod = somePod(busy);
  const message = `Back-off restarting failed container main in pod ${pod.name}_${pod.namespace}(${pod.uid})`;
  let event = events.tell(life.about(pod, true), kubelet(pod.node), { reason: 'BackOff', message, type: 'Warning' });
  for (let times = 3 + names.below(20); times > 0; times--) {
    yield;
    event = events.again(event);
  }
}

/** A probe that fails now and then, told in words that are not all ASCII. */
export function* failingProbe(busy: Busy): Story {
  const { events, life, names } = busy;
  const pod = somePod(busy);
  const message = names.pick([
    'Readiness probe failed: HTTP probe failed with statuscode: 503',
    'Liveness probe failed: Get "http://10.12.0.7:8080/healthz?deep=1&wait=2s": context deadline exceeded',
    'Readiness probe failed: Datenbank nicht erreichbar (Zeitüberschreitung nach 5 s)',
    'Liveness probe failed: データベースに接続できません 🚨',
    'Readiness probe failed: <unknown>\n\tat Café.main(Café.java:12)',
  ]);
  let event = events.tell(life.about(pod, true), kubelet(pod.node), { reason: 'Unhealthy', message, type: 'Warning' });
  for (let times = names.below(8); times > 0; times--) {
    yield;
    event = events.again(event);
  }
}

/** A pod that fits nowhere: the scheduler repeats itself in a series. */
export function* unschedulable(busy: Busy): Story {
  const { events, life, names, workloads } = busy;
  const name = `giant-${names.suffix(5)}`;
  const pod = life.create({
    namespace: 'batch',
    name,
    labels: { app: 'giant' },
    node: names.pick(workloads.nodes),
    image: 'registry.example/giant:1',
  });
  const nodes = workloads.nodes.length;
  const message = `0/${nodes} nodes are available: ${nodes} Insufficient cpu. preemption: 0/${nodes} nodes are available: ${nodes} No preemption victims found for incoming pod.`;
  const told = { reason: 'FailedScheduling', message, type: 'Warning', action: 'Scheduling' } as const;
  let event = events.note(life.about(pod), { component: 'default-scheduler' }, told);
  for (let times = 1 + names.below(6); times > 0; times--) {
    yield;
    event = events.noteAgain(event);
  }
  life.remove(pod);
}

/** A node is drained by a taint: the evictions name pods without their uid, the node's own events come with all kinds of uid. */
export function* drainNode(busy: Busy): Story {
  const { events, life, names, workloads } = busy;
  const node = names.pick(workloads.nodes);
  const by = { component: 'node-controller' };
  events.tell(aboutNode(node), by, { reason: 'NodeNotReady', message: `Node ${node.name} status is now: NodeNotReady` });
  events.tell(aboutNode({ name: node.name, uid: node.name }), kubelet(node), {
    reason: 'NodeNotSchedulable',
    message: `Node ${node.name} status is now: NodeNotSchedulable`,
  });
  yield;
  for (const deployment of workloads.deployments) {
    for (const pod of deployment.pods.filter((candidate) => candidate.node.name === node.name)) {
      const at = deployment.pods.indexOf(pod);
      if (at === -1) continue; // A rollout took it between two steps.
      deployment.pods.splice(at, 1);
      const message = `Marking for deletion Pod ${pod.namespace}/${pod.name}`;
      const about = { kind: 'Pod', namespace: pod.namespace, name: pod.name, apiVersion: 'v1' };
      events.tell(about, { component: 'taint-eviction-controller' }, { reason: 'TaintManagerEviction', message });
      yield* life.stop(pod);
      yield* replaceReplica(busy, deployment);
    }
  }
  events.tell({ kind: 'Node', name: node.name, apiVersion: 'v1' }, kubelet(node), { reason: 'Starting', message: 'Starting kubelet.' });
  events.tell(aboutNode({ name: node.name, uid: '' }), { component: 'kube-proxy', host: node.name }, { reason: 'Starting', message: '' });
  yield;
  events.tell(aboutNode(node), kubelet(node), { reason: 'NodeReady', message: `Node ${node.name} status is now: NodeReady` });
}

/** A control plane pod restarts: the kubelet names it by its config hash, which is no UUID. */
export function* restartStatic(busy: Busy): Story {
  const { events, life, names, workloads } = busy;
  const pod = names.pick(workloads.staticPods);
  const about = { ...life.about(pod, true), uid: pod.annotations?.['kubernetes.io/config.hash'] ?? '' };
  for (const [reason, message] of [
    ['Killing', 'Stopping container main'],
    ['Pulled', `Container image "${pod.image}" already present on machine`],
    ['Created', 'Created container: main'],
    ['Started', 'Started container main'],
  ] as const) {
    events.tell(about, kubelet(pod.node), { reason, message });
    yield;
  }
}

/** Events about things that are neither pods nor nodes, some without a namespace. */
export function* oddments(busy: Busy): Story {
  const { events, names } = busy;
  const claim = `data-postgres-${names.below(3)}`;
  const waiting = {
    reason: 'ExternalProvisioning',
    message: 'Waiting for a volume to be created either by the external provisioner or manually.',
  };
  const about = { kind: 'PersistentVolumeClaim', namespace: 'data', name: claim, uid: names.hex(8), apiVersion: 'v1' };
  const event = events.tell(about, { component: 'persistentvolume-controller' }, waiting);
  yield;
  events.again(event);
  events.tell(
    { kind: 'Namespace', name: 'shop', apiVersion: 'v1' },
    { component: 'quota-controller' },
    { reason: 'QuotaNear', message: '92 % of pods used' },
  );
}

function somePod({ names, workloads }: Busy): Pod {
  const deployment = names.pick(workloads.deployments.filter(({ pods }) => pods.length > 0));
  return names.pick(deployment.pods);
}

function kubelet(node: Node): Reporter {
  return { component: 'kubelet', host: node.name };
}

function aboutNode({ name, uid }: Node): { kind: string; name: string; uid: string; apiVersion: string } {
  return { kind: 'Node', name, uid, apiVersion: 'v1' };
}
