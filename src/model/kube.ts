/** The parts of Kubernetes objects that kube-sluice reads. Everything else passes through untouched. */

/** metav1.OwnerReference. */
export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

/** metav1.ObjectMeta. */
export interface ObjectMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** RFC 3339, or null where the server writes an empty time. */
  readonly creationTimestamp?: string | null;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly { readonly time?: string }[];
}

/** Any object of the API server. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** A pod as PartialObjectMetadata: nothing below `metadata` is ever read. */
export interface PodMetadata extends KubeObject {
  readonly kind?: 'PartialObjectMetadata' | 'Pod';
}

/** core/v1 ObjectReference. */
export interface ObjectReference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly fieldPath?: string;
}

/** core/v1 Event. Times are RFC 3339 text with up to microseconds; null and absent mean the same. */
export interface EventObject extends KubeObject {
  readonly kind?: 'Event';
  readonly involvedObject?: ObjectReference;
  readonly reason?: string;
  readonly message?: string;
  readonly type?: string;
  readonly count?: number | null;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string | null } | null;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
}

/** metav1.Status, the API server's way of saying no. */
export interface Status {
  readonly kind: 'Status';
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** True for anything that calls itself a Status, wherever it turns up. */
export function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'Status';
}
