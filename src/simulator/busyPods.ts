import type { About, EventRecorder } from './busyEvents.ts';
import type { Names } from './busyNames.ts';
import type { Core } from './core.ts';
import { type PlainObject, secondsText } from './object.ts';

export interface Node {
  readonly name: string;
  readonly uid: string;
}

/** The object that a pod belongs to, as its ownerReference says it. */
export interface PodOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface PodPlan {
  readonly namespace: string;
  readonly name: string;
  readonly owner?: PodOwner;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly node: Node;
  readonly image: string;
}

/** A pod that was planned, with the uid that the server gave. */
export interface Pod extends PodPlan {
  readonly uid: string;
}

/** What happens to pods: the writes, and the events that go with them. */
export interface PodLife {
  /** Creates it as if it had been there for long: no events. */
  existing(plan: PodPlan): Pod;
  create(plan: PodPlan): Pod;
  /** Scheduled, Pulled, Created, Started, one per step. */
  start(pod: Pod): Generator<undefined, void>;
  /** Killing, then gone. */
  stop(pod: Pod): Generator<undefined, void>;
  /** Finished by itself; stays. */
  finish(pod: Pod): void;
  remove(pod: Pod): void;
  about(pod: Pod, container?: boolean): About;
}

const scheduler = { component: 'default-scheduler' };

export function podLife(core: Core, names: Names, events: EventRecorder): PodLife {
  const read = ({ namespace, name }: Pod): PlainObject | undefined => core.read('Pod', namespace, name);
  const change = (pod: Pod, spec: object, status: object, metadata: object = {}): void => {
    const before = read(pod);
    if (before === undefined) return;
    core.update('Pod', {
      ...before,
      metadata: { ...before.metadata, ...metadata },
      spec: { ...(before['spec'] as object), ...spec },
      status: { ...(before['status'] as object), ...status },
    });
  };
  const add = (plan: PodPlan, spec: object, status: object): Pod => {
    const object = core.create('Pod', {
      metadata: podMetadata(plan, secondsText(core.now())),
      spec: { containers: [{ name: 'main', image: plan.image, imagePullPolicy: 'IfNotPresent' }], restartPolicy: 'Always', ...spec },
      status,
    });
    return { ...plan, uid: object.metadata.uid ?? '' };
  };
  const running = (): object => ({ phase: 'Running', podIP: `10.${names.below(256)}.${names.below(256)}.${names.below(256)}` });
  const about = ({ namespace, name, uid }: Pod, container = false): About => ({
    kind: 'Pod',
    namespace,
    name,
    uid,
    apiVersion: 'v1',
    ...(container ? { fieldPath: 'spec.containers{main}' } : {}),
  });
  const kubelet = ({ node }: Pod): { component: string; host: string } => ({ component: 'kubelet', host: node.name });

  return {
    about,
    existing: (plan) => add(plan, { nodeName: plan.node.name }, running()),
    create: (plan) => add(plan, {}, { phase: 'Pending' }),
    *start(pod) {
      change(pod, { nodeName: pod.node.name }, {});
      const message = `Successfully assigned ${pod.namespace}/${pod.name} to ${pod.node.name}`;
      events.note(about(pod), scheduler, { reason: 'Scheduled', message, action: 'Binding' });
      yield;
      events.tell(about(pod, true), kubelet(pod), {
        reason: 'Pulled',
        message: `Container image "${pod.image}" already present on machine`,
      });
      yield;
      events.tell(about(pod, true), kubelet(pod), { reason: 'Created', message: 'Created container: main' });
      events.tell(about(pod, true), kubelet(pod), { reason: 'Started', message: 'Started container main' });
      change(pod, {}, running());
    },
    *stop(pod) {
      if (read(pod) === undefined) return;
      change(pod, {}, {}, { deletionTimestamp: secondsText(core.now() + 30_000), deletionGracePeriodSeconds: 30 });
      events.tell(about(pod, true), kubelet(pod), { reason: 'Killing', message: 'Stopping container main' });
      yield;
      if (read(pod) !== undefined) core.remove('Pod', pod.namespace, pod.name);
    },
    finish: (pod) => change(pod, {}, { phase: 'Succeeded' }),
    remove(pod) {
      if (read(pod) !== undefined) core.remove('Pod', pod.namespace, pod.name);
    },
  };
}

function podMetadata({ namespace, name, labels, annotations, owner }: PodPlan, time: string): PlainObject['metadata'] {
  return {
    name,
    generateName: name.slice(0, -5),
    namespace,
    generation: 1,
    labels,
    ...(annotations === undefined ? {} : { annotations }),
    ...(owner === undefined ? {} : { ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] }),
    managedFields: [
      {
        manager: 'kube-controller-manager',
        operation: 'Update',
        apiVersion: 'v1',
        time,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:generateName': {}, 'f:labels': {}, 'f:ownerReferences': {} }, 'f:spec': { 'f:containers': {} } },
      },
    ],
  };
}
