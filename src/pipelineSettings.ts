import type { Shard } from './model/shard.ts';

/** What one shard does. Every field has a flag of the same meaning; see docs/flags.md. */
export interface PipelineSettings {
  readonly shard: Shard;
  /** Namespaces to read, each with its own watches; the empty name is all in one. Default all. */
  readonly namespaces?: readonly string[];
  /** Pods of these get no owner labels. Default kube-system and gke-connect. */
  readonly systemNamespaces?: readonly string[];
  /** Label selector on the Events' own labels, applied by the server. Default none. */
  readonly labelSelector?: string;
  /** Field selector on Events, applied by the server. Default none. */
  readonly fieldSelector?: string;
  /** How long the API server keeps an Event after its last write, its `--event-ttl`, in milliseconds. Default an hour. */
  readonly eventTtlMs?: number;
  /** Where to begin when the store holds nothing. Default earliest. */
  readonly startFrom?: 'earliest' | 'now';
  /** Items in a page of a list; 0 asks for all at once. Default 1000. */
  readonly pageItems?: number;
  /** Lists as streams: true, false, or absent to go by the server's version. */
  readonly streamingLists?: boolean;
  /** False: pods are not read and no entry has owner labels. Default true. */
  readonly ownerLabels?: boolean;
  /** How long an occurrence waits for its pod to be seen, in milliseconds. Default 1000. */
  readonly ownerWaitMs?: number;
  /** After this long events are read although pods are not synced, in milliseconds. Default 60,000. */
  readonly podSyncTimeoutMs?: number;
  /** How an entry names what it is about. Default k8s. */
  readonly resourceModel?: 'k8s' | 'legacy';
  /** First an entry that says that exporting began, and what may be missing. It has no place in the checkpoint. Default false. */
  readonly announceStart?: boolean;
  /** Unacknowledged occurrences at which reading pauses. Default 5000. */
  readonly inFlightMax?: number;
  /** Unacknowledged bytes at which reading pauses. Default 32 MiB. */
  readonly inFlightBytesMax?: number;
  /** Entries in a batch. Default 100. */
  readonly batchItemsMax?: number;
  /** Bytes in a batch, as received. Default 5,000,000. */
  readonly batchBytesMax?: number;
  /** How long a batch waits to fill, in milliseconds; 0 sends each entry at once. Default 0. */
  readonly flushMs?: number;
  /** Batches under way at once; 1 keeps the order of lines. Default 1. */
  readonly batchesMax?: number;
  /** How long a stop waits for acknowledgements, in milliseconds. Default 20,000. */
  readonly drainTimeoutMs?: number;
  /** Least time between two saves of the checkpoint, in milliseconds. Default 2000. */
  readonly saveMs?: number;
}

type Optional = 'labelSelector' | 'fieldSelector' | 'streamingLists' | 'eventTtlMs';

/** The same with every default filled in. */
export type FullPipelineSettings = Required<Omit<PipelineSettings, Optional>> & Pick<PipelineSettings, Optional>;

export function withDefaults(settings: PipelineSettings): FullPipelineSettings {
  return {
    namespaces: [''],
    systemNamespaces: ['kube-system', 'gke-connect'],
    startFrom: 'earliest',
    pageItems: 1_000,
    ownerLabels: true,
    ownerWaitMs: 1_000,
    podSyncTimeoutMs: 60_000,
    resourceModel: 'k8s',
    announceStart: false,
    inFlightMax: 5_000,
    inFlightBytesMax: 32 * 1024 * 1024,
    batchItemsMax: 100,
    batchBytesMax: 5_000_000,
    flushMs: 0,
    batchesMax: 1,
    drainTimeoutMs: 20_000,
    saveMs: 2_000,
    ...settings,
  };
}
