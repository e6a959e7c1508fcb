import type { Admin } from './admin.ts';

/** A pod that was created, and the owner that its events are to be labelled with. */
export interface WrittenPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** `TYPE/NAME`; undefined: no labels. */
  readonly owner: string | undefined;
}

interface PodPlan {
  readonly owner?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly references: readonly object[];
}

/**
 * Owners that do not exist, so that no controller acts for them. Where a garbage collector runs it wants to remove
 * the pods; the finalizer keeps them until the end.
 */
const finalizer = 'kube-sluice.example/e2e';

const uid = '00000000-0000-4000-8000-000000000001';
const reference = (apiVersion: string, kind: string, name: string, controller?: boolean): object => ({
  apiVersion,
  kind,
  name,
  uid,
  ...(controller === undefined ? {} : { controller }),
});

function plans(nowMs: number): readonly PodPlan[] {
  const minute = Math.floor(nowMs / 60_000);
  return [
    {
      owner: 'Deployment/web',
      labels: { 'pod-template-hash': '5d4f' },
      references: [reference('apps/v1', 'ReplicaSet', 'web-5d4f', true)],
    },
    { references: [reference('apps/v1', 'ReplicaSet', 'bare', true)] },
    { owner: 'StatefulSet/db', references: [reference('apps/v1', 'StatefulSet', 'db', true)] },
    { owner: 'DaemonSet/agent', references: [reference('apps/v1', 'DaemonSet', 'agent')] },
    { owner: 'Job/import', references: [reference('batch/v1', 'Job', 'import', true)] },
    { owner: 'CronJob/nightly', references: [reference('batch/v1', 'Job', `nightly-${minute}`, true)] },
    {
      owner: 'JobSet/train',
      labels: { 'jobset.sigs.k8s.io/jobset-name': 'train', 'jobset.sigs.k8s.io/restart-attempt': '0' },
      references: [reference('batch/v1', 'Job', 'train-workers-0', true)],
    },
    { references: [reference('example.com/v1', 'StatefulSet', 'foreign', true), reference('apps/v1', 'DaemonSet', 'agent', false)] },
    { references: [] },
  ];
}

/** Creates one pod of each kind of owner, which nobody will ever run. */
export async function createPods(cluster: Admin, namespace: string, nowMs: number): Promise<readonly WrittenPod[]> {
  const written: WrittenPod[] = [];
  for (const [index, { owner, labels = {}, references }] of plans(nowMs).entries()) {
    const name = `pod-${index}`;
    const { metadata } = await cluster.create(`/api/v1/namespaces/${namespace}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, labels, finalizers: [finalizer], ownerReferences: references },
      spec: { schedulerName: 'nobody', automountServiceAccountToken: false, containers: [{ name: 'none', image: 'none.invalid/none' }] },
    });
    written.push({ namespace, name, uid: metadata.uid, owner });
  }
  return written;
}

/** Lets the pods of a namespace go. */
export async function removePods(cluster: Admin, namespace: string): Promise<void> {
  const collection = `/api/v1/namespaces/${namespace}/pods`;
  for (const name of await cluster.names(collection)) {
    const pod = await cluster.get(`${collection}/${name}`);
    const { finalizers: _, ...metadata } = pod.metadata;
    await cluster.replace(`${collection}/${name}`, { ...pod, metadata });
    await cluster.remove(`${collection}/${name}`);
  }
}
