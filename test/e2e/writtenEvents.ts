import { isDeepStrictEqual } from 'node:util';
import type { Admin, ServerObject } from './admin.ts';
import type { WrittenPod } from './workloads.ts';

/** One write that the server has accepted. */
export interface Revision {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly involved: { readonly kind: string; readonly namespace: string; readonly name: string; readonly uid: string };
  /** As `TYPE/NAME`; undefined: the line is to carry no labels. */
  readonly owner: string | undefined;
}

/** Events of one namespace, and every revision of them. */
export interface WrittenEvents {
  readonly revisions: readonly Revision[];
  /** Writes so many revisions: new events, and further ones of those that exist. */
  write(count: number): Promise<void>;
  /** Paths of the events, to remove them by. */
  paths(): readonly string[];
}

interface Live {
  readonly path: string;
  readonly object: ServerObject;
  readonly owner: string | undefined;
}

const atOnce = 8;

/** Of three writes two are updates. `pods` is what the events tell of, besides nodes and things that are no pods. */
export function writtenEvents(cluster: Admin, namespace: string, pods: readonly WrittenPod[], prefix: string): WrittenEvents {
  const collection = `/api/v1/namespaces/${namespace}/events`;
  const live: Live[] = [];
  const revisions: Revision[] = [];
  let serial = 0;

  const keep = (path: string, object: ServerObject, owner: string | undefined): Live => {
    const { kind = '', namespace: involvedNamespace = '', name = '', uid = '' } = object['involvedObject'] as Partial<Revision['involved']>;
    const { uid: eventUid, resourceVersion } = object.metadata;
    revisions.push({ uid: eventUid, resourceVersion, involved: { kind, namespace: involvedNamespace, name, uid }, owner });
    return { path, object, owner };
  };
  const create = async (): Promise<void> => {
    serial += 1;
    const name = `${prefix}.${serial}`;
    const { involved, owner } = subject(serial, namespace, pods);
    const body = { apiVersion: 'v1', kind: 'Event', metadata: { name, namespace }, involvedObject: involved, ...content(serial, 1) };
    live.push(keep(`${collection}/${name}`, await cluster.create(collection, body), owner));
  };
  const update = async (index: number): Promise<void> => {
    const { path, object, owner } = live[index] as Live;
    const times = (object['series'] as { count: number } | undefined)?.count ?? (object['count'] as number);
    const { eventTime } = object;
    const next = {
      ...object,
      ...content(Number(path.slice(path.lastIndexOf('.') + 1)), times + 1),
      ...(typeof eventTime === 'string' ? { eventTime } : {}),
    };
    if (isDeepStrictEqual(next, object)) throw new Error(`${path} would not change`);
    live[index] = keep(path, await cluster.replace(path, next), owner);
  };
  return {
    revisions,
    async write(count) {
      for (let left = count; left > 0; left -= atOnce) {
        // Each of a group writes another event, so they do not get into each other's way.
        const [wide, first] = [Math.min(atOnce, left), serial * 7];
        const turns = Array.from({ length: wide }, (_, turn) =>
          turn % 3 === 0 || live.length < atOnce ? create() : update((first + turn) % live.length),
        );
        await Promise.all(turns);
      }
    },
    paths: () => live.map(({ path }) => path),
  };
}

function subject(
  serial: number,
  namespace: string,
  pods: readonly WrittenPod[],
): { readonly involved: object; readonly owner: string | undefined } {
  const pod = pods[serial % Math.max(pods.length, 1)];
  // Events of nodes live in the namespace default; taint evictions and the kubelet's own send no UID.
  if (pod === undefined) return { involved: { kind: 'Node', name: `node-${serial % 5}`, uid: '' }, owner: undefined };
  if (serial % 11 === 0) {
    const name = `claim-${serial % 7}`;
    return { involved: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid: '' }, owner: undefined };
  }
  const uid = serial % 5 === 0 ? '' : pod.uid;
  return { involved: { kind: 'Pod', apiVersion: 'v1', namespace, name: pod.name, uid }, owner: pod.owner };
}

/** Every fourth event is written the newer way: eventTime alone, and a series from the second time on. */
function content(serial: number, times: number): object {
  const now = new Date().toISOString();
  const seconds = `${now.slice(0, 19)}Z`;
  const micros = `${now.slice(0, 23)}${String(serial % 1_000).padStart(3, '0')}Z`;
  const told = { reason: 'Tested', type: serial % 3 === 0 ? 'Warning' : 'Normal', message: `for the ${times}. time: "${serial}" <\u2028>` };
  if (serial % 4 !== 0) return { ...told, count: times, firstTimestamp: seconds, lastTimestamp: seconds, source: { component: 'e2e' } };
  return {
    ...told,
    action: 'Testing',
    eventTime: micros,
    reportingComponent: 'kube-sluice.example/e2e',
    reportingInstance: 'e2e-0',
    ...(times === 1 ? {} : { series: { count: times, lastObservedTime: micros } }),
  };
}
