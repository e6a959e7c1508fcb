import type { Involved } from './occurrence.ts';
import type { SlimPod } from './owner.ts';
import { podColumns } from './podColumns.ts';
import { none } from './rowTable.ts';
import { timedSet } from './timedSet.ts';

/** How long a removed pod is remembered, and how many. */
export interface PodIndexSettings {
  /** How long a removed pod is still found, in milliseconds. Infinity: to the end. Default 5 minutes. */
  readonly lingerMs?: number;
  /** How many removed pods are still found; the oldest leave first. Default 10,000. */
  readonly lingeringMax?: number;
}

/**
 * The pods that are known, and for a while those that were: found by UID, or by namespace and name.
 * Time is told by the caller, in milliseconds.
 */
export interface PodIndex {
  /** Pods found, removed ones included. */
  pods(): number;
  /** Owner records that they share. */
  owners(): number;
  /** True if the pod was not known before. A removed pod that is put again is there again. */
  put(pod: SlimPod): boolean;
  /** The pod lingers from now on. Nothing happens if it is not known. */
  remove(uid: string, nowMs: number): void;
  /** A list of this namespace begins (the empty name is all); what is known serves on. */
  relistStarted(scope: string): void;
  /** What the list did not hold lingers from now on. */
  relistDone(scope: string, nowMs: number): void;
  /** Forgets what has lingered long enough, and returns how many. */
  evict(nowMs: number): number;
  /** The pod this is about, see `isAbout`; undefined if it is not known. */
  find(involved: Involved): SlimPod | undefined;
}

export function podIndex(settings: PodIndexSettings = {}): PodIndex {
  const { lingerMs = 300_000, lingeringMax = 10_000 } = settings;
  const columns = podColumns();
  const lingering = timedSet<number>({ keepMs: lingerMs, keptMax: lingeringMax });
  /** Lists under way, by scope: 1 for each row that is still to be seen. Newer rows lie beyond the end. */
  const unseen = new Map<string, Uint8Array>();

  const linger = (row: number, nowMs: number): void => {
    if (!lingering.has(row)) lingering.add(row, nowMs);
  };
  /** Also a row that is free now is no longer to be seen. */
  const sawRow = (row: number): void => {
    for (const rows of unseen.values()) rows[row] = 0;
  };

  return {
    pods: columns.pods,
    owners: columns.owners,
    put(pod) {
      const before = columns.pods();
      const row = columns.put(pod);
      lingering.delete(row);
      sawRow(row);
      return columns.pods() > before;
    },
    remove(uid, nowMs) {
      const row = columns.byUid(uid);
      if (row !== none) linger(row, nowMs);
    },
    relistStarted(scope) {
      const rows = new Uint8Array(columns.rows());
      for (let row = 0; row < rows.length; row++) {
        const pod = columns.at(row);
        if (pod !== undefined && (scope === '' || pod.namespace === scope)) rows[row] = 1;
      }
      unseen.set(scope, rows);
    },
    relistDone(scope, nowMs) {
      unseen.get(scope)?.forEach((isUnseen, row) => {
        if (isUnseen === 1) linger(row, nowMs);
      });
      unseen.delete(scope);
    },
    evict(nowMs) {
      const leaving = lingering.takeLeaving(nowMs);
      for (const row of leaving) {
        columns.free(row);
        sawRow(row);
      }
      return leaving.length;
    },
    find(involved) {
      const { uid, namespace, name } = involved;
      const byUid = columns.at(uid === '' ? none : columns.byUid(uid));
      if (byUid !== undefined && isAbout(byUid, involved)) return byUid;
      const byName = columns.at(columns.byName(namespace, name));
      return byName !== undefined && isAbout(byName, involved) ? byName : undefined;
    },
  };
}

/**
 * True if this is the pod that is meant: the one with the UID, or the one of the name if no UID is given or the
 * UID is a static pod's. The namespace must fit in any case: a UID seen elsewhere gives nobody another's labels.
 */
export function isAbout(pod: SlimPod, involved: Involved): boolean {
  if (pod.namespace !== involved.namespace) return false;
  if (involved.uid !== '' && pod.uid === involved.uid) return true;
  return pod.name === involved.name && (involved.uid === '' || pod.mirror === involved.uid);
}
