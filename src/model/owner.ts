/** Workload kinds that an entry's labels can name. */
export type OwnerKind = 'DaemonSet' | 'StatefulSet' | 'Deployment' | 'Job' | 'CronJob' | 'JobSet';

/** The workload behind a pod. Equal owners are one object, shared by all their pods. */
export interface Owner {
  readonly kind: OwnerKind;
  readonly name: string;
  /** The entry labels that name it, ready to use and never changed. */
  readonly labels: Readonly<Record<string, string>>;
}

/** What is kept of a pod. */
export interface SlimPod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** The config hash by which the kubelet's events name a static pod. Absent: not a mirror pod. */
  readonly mirror?: string;
  /** Absent: the pod is known and has no workload that labels name. */
  readonly owner?: Owner;
}

/** A pod stream after slimming. `scope` is the namespace the reader reads, empty for all. */
export type OwnerChange =
  | { readonly type: 'relistStarted'; readonly scope: string }
  | { readonly type: 'relistDone'; readonly scope: string }
  | { readonly type: 'pod'; readonly scope: string; readonly pod: SlimPod }
  | { readonly type: 'podRemoved'; readonly scope: string; readonly uid: string };
