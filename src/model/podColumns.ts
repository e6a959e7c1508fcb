import { internTable } from './internTable.ts';
import type { Owner, SlimPod } from './owner.ts';
import { none, rowTable } from './rowTable.ts';
import { fnv1a32 } from './shard.ts';

/**
 * Pods by row number. One column per field and no object per pod: at 200,000 pods that is the
 * difference between 180 and 275 bytes a pod. Rows are used again, so a number means nothing
 * after `free`.
 */
export interface PodColumns {
  /** Pods kept. */
  pods(): number;
  /** Owner records that they share. */
  owners(): number;
  /** Every row in use is below this. */
  rows(): number;
  /** Undefined if the row is not in use. */
  at(row: number): SlimPod | undefined;
  /** Row of this UID, or `none`. */
  byUid(uid: string): number;
  /** Row of the pod last put under this name, or `none`. */
  byName(namespace: string, name: string): number;
  /** Adds the pod or replaces what is known of it, and returns its row. */
  put(pod: SlimPod): number;
  /** Forgets the pod; its name only if no other pod has taken it. */
  free(row: number): void;
}

export function podColumns(): PodColumns {
  const uids: string[] = [];
  const namespaces: string[] = [];
  const names: string[] = [];
  const owners: (Owner | undefined)[] = [];
  /** Few pods are mirror pods. */
  const mirrors = new Map<number, string>();
  const freeRows: number[] = [];

  const sharedOwners = internTable((key) => JSON.parse(key) as Owner);
  const sharedNamespaces = internTable((key) => key);
  const uidTable = rowTable((row) => fnv1a32(uids[row] ?? ''));
  const nameTable = rowTable((row) => nameHash(namespaces[row] ?? '', names[row] ?? ''));

  const byUid = (uid: string): number => {
    let row = uidTable.first(fnv1a32(uid));
    while (row !== none && uids[row] !== uid) row = uidTable.next(row);
    return row;
  };
  const byName = (namespace: string, name: string): number => {
    let row = nameTable.first(nameHash(namespace, name));
    while (row !== none && (names[row] !== name || namespaces[row] !== namespace)) row = nameTable.next(row);
    return row;
  };
  const giveBackOwner = (row: number): void => {
    const owner = owners[row];
    if (owner !== undefined) sharedOwners.giveBack(JSON.stringify(owner));
  };
  const setMirror = (row: number, mirror: string | undefined): void => {
    if (mirror === undefined) mirrors.delete(row);
    else mirrors.set(row, mirror);
  };
  const add = ({ uid, namespace, name }: SlimPod): number => {
    const row = freeRows.pop() ?? uids.length;
    uids[row] = uid;
    namespaces[row] = sharedNamespaces.take(namespace);
    names[row] = name;
    uidTable.add(row);
    return row;
  };
  /** Also after a change that came late, the pod that was put last has the name. */
  const takeName = (row: number, { namespace, name }: SlimPod): void => {
    const holder = byName(namespace, name);
    if (holder === row) return;
    if (holder !== none) nameTable.remove(holder);
    nameTable.add(row);
  };
  const free = (row: number): void => {
    const [namespace, name] = [namespaces[row], names[row]];
    if (!uids[row] || namespace === undefined || name === undefined) return;
    nameTable.remove(row);
    uidTable.remove(row);
    sharedNamespaces.giveBack(namespace);
    giveBackOwner(row);
    setMirror(row, undefined);
    [uids[row], namespaces[row], names[row], owners[row]] = ['', '', '', undefined];
    freeRows.push(row);
  };

  return {
    pods: () => uids.length - freeRows.length,
    owners: sharedOwners.size,
    rows: () => uids.length,
    at(row) {
      const [uid, namespace, name, owner, mirror] = [uids[row], namespaces[row], names[row], owners[row], mirrors.get(row)];
      if (!uid || namespace === undefined || name === undefined) return undefined;
      return { uid, namespace, name, ...(mirror === undefined ? {} : { mirror }), ...(owner === undefined ? {} : { owner }) };
    },
    byUid,
    byName,
    put(pod) {
      const known = byUid(pod.uid);
      const isRenamed = known !== none && (names[known] !== pod.name || namespaces[known] !== pod.namespace);
      if (isRenamed) free(known);
      const row = known === none || isRenamed ? add(pod) : known;
      // Taken before the old one is given back, so that an owner that stays the same stays the same record.
      const owner = pod.owner === undefined ? undefined : sharedOwners.take(JSON.stringify(pod.owner));
      giveBackOwner(row);
      owners[row] = owner;
      setMirror(row, pod.mirror);
      takeName(row, pod);
      return row;
    },
    free,
  };
}

function nameHash(namespace: string, name: string): number {
  return fnv1a32(`${namespace}/${name}`);
}
