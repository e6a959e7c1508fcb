import type { Names } from './busyNames.ts';
import type { Node, Pod, PodLife, PodOwner, PodPlan } from './busyPods.ts';
import { uuid } from './object.ts';

/** A workload that keeps a number of pods. */
export interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly replicas: number;
  readonly pods: Pod[];
}

/** One whose pods belong to a ReplicaSet that each rollout replaces. */
export interface Deployment extends Workload {
  /** A rollout is going on. */
  rolling: boolean;
  replicaSet: { readonly owner: PodOwner; readonly hash: string };
}

export interface Workloads {
  readonly nodes: readonly Node[];
  readonly deployments: readonly Deployment[];
  readonly daemonSets: readonly Workload[];
  readonly statefulSets: readonly Workload[];
  /** Static pods; the kubelet's events name them by their config hash. */
  readonly staticPods: readonly Pod[];
}

const deploymentShares = [
  ['shop', 'web', 9],
  ['shop', 'cart', 6],
  ['shop', 'checkout', 5],
  ['shop', 'search', 7],
  ['payments', 'ledger', 4],
  ['payments', 'fraud-scoring', 3],
  ['observability', 'collector', 3],
  ['edge', 'api-gateway', 5],
] as const;

const daemonSetNames = [
  ['observability', 'log-agent'],
  ['kube-system', 'kube-proxy'],
] as const;

const statefulSetSizes = [
  ['data', 'postgres', 3],
  ['data', 'kafka', 5],
] as const;

const staticNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
const controlNodes = 3;

/** Everything that runs before the first step: about `podsTotal` pods on as many nodes as they need. */
export function workloads(podsTotal: number, life: PodLife, names: Names, random: () => number): Workloads {
  const workers = Math.max(3, Math.round(podsTotal / 25));
  const nodeNamed = (name: string): Node => ({ name, uid: uuid(random) });
  const pool = names.hex(8);
  const control = Array.from({ length: controlNodes }, (_, at) => nodeNamed(`control-${at + 1}`));
  const nodes = Array.from({ length: workers }, () => nodeNamed(`worker-${pool}-${names.suffix(4)}`));
  const fixed = workers * daemonSetNames.length + controlNodes * staticNames.length + 8;
  const shares = deploymentShares.reduce((sum, [, , share]) => sum + share, 0);
  const each = Math.max(0, podsTotal - fixed) / shares;

  return {
    nodes,
    deployments: deploymentShares.map(([namespace, name, share]) => {
      const deployment = newDeployment(namespace, name, Math.max(2, Math.round(share * each)), names, random);
      for (let at = 0; at < deployment.replicas; at++)
        deployment.pods.push(life.existing(replicaPlan(deployment, names.pick(nodes), names)));
      return deployment;
    }),
    daemonSets: daemonSetNames.map(([namespace, name]) => {
      const workload: Workload = { namespace, name, uid: uuid(random), replicas: nodes.length, pods: [] };
      workload.pods.push(...nodes.map((node) => life.existing(daemonPlan(workload, node, names))));
      return workload;
    }),
    statefulSets: statefulSetSizes.map(([namespace, name, replicas]) => {
      const workload: Workload = { namespace, name, uid: uuid(random), replicas, pods: [] };
      for (let at = 0; at < replicas; at++) workload.pods.push(life.existing(ordinalPlan(workload, at, names.pick(nodes))));
      return workload;
    }),
    staticPods: control.flatMap((node) => staticNames.map((name) => life.existing(staticPlan(name, node, names)))),
  };
}

function newDeployment(namespace: string, name: string, replicas: number, names: Names, random: () => number): Deployment {
  return { namespace, name, uid: uuid(random), replicas, pods: [], rolling: false, replicaSet: newReplicaSet(name, names, random) };
}

export function newReplicaSet(deployment: string, names: Names, random: () => number): Deployment['replicaSet'] {
  const hash = names.suffix(names.pick([8, 9, 10]));
  return { hash, owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${deployment}-${hash}`, uid: uuid(random) } };
}

export function replicaPlan({ namespace, name, replicaSet }: Deployment, node: Node, names: Names): PodPlan {
  return {
    namespace,
    name: `${replicaSet.owner.name}-${names.suffix(5)}`,
    owner: replicaSet.owner,
    labels: { app: name, 'pod-template-hash': replicaSet.hash },
    node,
    image: `registry.example/${name}:${replicaSet.hash.slice(0, 4)}`,
  };
}

export function daemonPlan({ namespace, name, uid }: Workload, node: Node, names: Names): PodPlan {
  return {
    namespace,
    name: `${name}-${names.suffix(5)}`,
    owner: { apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid },
    labels: { app: name, 'controller-revision-hash': 'c8f6b8d4', 'pod-template-generation': '3' },
    node,
    image: `registry.example/${name}:3.2`,
  };
}

export function ordinalPlan({ namespace, name, uid }: Workload, ordinal: number, node: Node): PodPlan {
  return {
    namespace,
    name: `${name}-${ordinal}`,
    owner: { apiVersion: 'apps/v1', kind: 'StatefulSet', name, uid },
    labels: { app: name, 'apps.kubernetes.io/pod-index': String(ordinal), 'statefulset.kubernetes.io/pod-name': `${name}-${ordinal}` },
    node,
    image: `registry.example/${name}:16.4`,
  };
}

function staticPlan(name: string, node: Node, names: Names): PodPlan {
  const hash = names.hex(32);
  return {
    namespace: 'kube-system',
    name: `${name}-${node.name}`,
    owner: { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid },
    labels: { component: name, tier: 'control-plane' },
    annotations: { 'kubernetes.io/config.hash': hash, 'kubernetes.io/config.mirror': hash, 'kubernetes.io/config.source': 'file' },
    node,
    image: `registry.example/${name}:v1.36.2`,
  };
}
