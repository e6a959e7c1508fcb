import type { Counts, ReaderCounts, Tally } from './counts.ts';

/** One sample: its labels, and its value. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A metric that is read from the totals when it is asked for. */
export interface CountedMetric {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  /** Label names, none if absent. Never the name of an object. */
  readonly labels?: readonly string[];
  readonly read: (counts: Readonly<Counts>, nowMs: number) => number | readonly Sample[];
}

/** Names that dashboards of the Go exporter use, without our prefix. */
const goMetrics = {
  stackdriver_sink_received_entry_count: {
    type: 'counter',
    help: 'Events on their way to the sink: of this shard, and not seen before.',
    read: ({ received, filtered, repeated }) => Math.max(received - filtered - repeated, 0),
  },
  stackdriver_sink_successfully_sent_entry_count: {
    type: 'counter',
    help: 'Entries that the sink has stored.',
    read: ({ stored }) => stored,
  },
  stackdriver_sink_request_count: {
    type: 'counter',
    help: "Requests that the sink's service has answered, by code. The local sink sends none.",
    labels: ['code'],
    read: ({ requests }) => byWord('code', requests),
  },
  podlabel_cache_ops_count: {
    type: 'counter',
    help: 'Operations on the cache of pods: add, evict, queryhit, querymiss.',
    labels: ['operation'],
    read: ({ podCacheOperations }) => byWord('operation', podCacheOperations),
  },
  sharding_filtered_events_count: {
    type: 'counter',
    help: 'Events that other shards own.',
    read: ({ filtered }) => filtered,
  },
} as const satisfies Record<string, CountedMetric>;

const occurrenceMetrics = {
  kube_sluice_received_total: {
    type: 'counter',
    help: 'Event revisions read. Equals stored + refused + filtered + repeated + in flight.',
    read: ({ received }) => received,
  },
  kube_sluice_received_bytes_total: {
    type: 'counter',
    help: 'The same in bytes on the wire.',
    read: ({ receivedBytes }) => receivedBytes,
  },
  kube_sluice_stored_total: { type: 'counter', help: 'Event revisions that the sink has stored.', read: ({ stored }) => stored },
  kube_sluice_refused_total: {
    type: 'counter',
    help: 'Event revisions that can never be stored: undecodable, or refused by the sink for good.',
    read: ({ refused }) => refused,
  },
  kube_sluice_filtered_total: { type: 'counter', help: 'Event revisions that other shards own.', read: ({ filtered }) => filtered },
  kube_sluice_repeated_total: {
    type: 'counter',
    help: 'Event revisions that had been read before, for example in an earlier list.',
    read: ({ repeated }) => repeated,
  },
  kube_sluice_in_flight: {
    type: 'gauge',
    help: 'Event revisions that the sink has not answered for yet.',
    read: ({ inFlight }) => inFlight,
  },
  kube_sluice_in_flight_bytes: { type: 'gauge', help: 'The same in bytes on the wire.', read: ({ inFlightBytes }) => inFlightBytes },
  kube_sluice_gaps_total: {
    type: 'counter',
    help: 'Gap records: intervals of which some revisions may not have been readable.',
    labels: ['cause'],
    read: ({ gaps }) => byWord('cause', gaps),
  },
  kube_sluice_checkpoints_saved_total: {
    type: 'counter',
    help: 'Checkpoints saved. The first is where a fresh start begins.',
    read: ({ checkpointsSaved }) => checkpointsSaved,
  },
  kube_sluice_checkpoint_lag_seconds: {
    type: 'gauge',
    help: 'Seconds for which the position has been ahead of the saved checkpoint; 0 if it is not, or if none is kept.',
    read: ({ keepsCheckpoint, savingSince, unsavedSince }, nowMs) =>
      keepsCheckpoint ? secondsSince(savingSince ?? unsavedSince, nowMs) : 0,
  },
  kube_sluice_shard_waiting_seconds: {
    type: 'gauge',
    help: 'How long this container has been waiting for its shard, ready but not sending; 0 if it is not.',
    read: ({ waitingSince }, nowMs) => secondsSince(waitingSince, nowMs),
  },
  kube_sluice_claim_retries_total: {
    type: 'counter',
    help: "Requests about the shard's lease that had to be made again because no answer told what became of them.",
    read: ({ claimRetries }) => claimRetries,
  },
  kube_sluice_unacknowledged_seconds: {
    type: 'gauge',
    help: 'Seconds for which the position has stood still although something is in flight; 0 if nothing is.',
    read: ({ inFlightSince, positionMovedAt }, nowMs) =>
      inFlightSince === undefined ? 0 : secondsSince(Math.max(inFlightSince, positionMovedAt ?? 0), nowMs),
  },
} as const satisfies Record<string, CountedMetric>;

const readerMetrics = {
  kube_sluice_watch_open: {
    type: 'gauge',
    help: '1 while the reader has an open watch.',
    labels: ['source'],
    read: ofReaders(({ watchOpen }) => Number(watchOpen)),
  },
  kube_sluice_watch_silence_seconds: {
    type: 'gauge',
    help: 'Seconds since the last byte of a watch. Quiet minutes are normal for events.',
    labels: ['source'],
    read: (counts, nowMs) => ofReaders(({ lastByteAt }) => secondsSince(lastByteAt, nowMs))(counts),
  },
  kube_sluice_watch_lines_total: {
    type: 'counter',
    help: 'Lines read from watches, bookmarks and deletions included.',
    labels: ['source'],
    read: ofReaders(({ lines }) => lines),
  },
  kube_sluice_watch_bytes_total: {
    type: 'counter',
    help: 'Bytes of these lines.',
    labels: ['source'],
    read: ofReaders(({ bytes }) => bytes),
  },
  kube_sluice_watches_opened_total: {
    type: 'counter',
    help: 'Watches that the API server has answered.',
    labels: ['source'],
    read: ofReaders(({ watchesOpened }) => watchesOpened),
  },
  kube_sluice_watches_ended_total: {
    type: 'counter',
    help: 'Watches that ended, by cause: closed and expired are normal.',
    labels: ['source', 'cause'],
    read: ofReadersByWord('cause', ({ watchesEnded }) => watchesEnded),
  },
  kube_sluice_relists_total: {
    type: 'counter',
    help: 'Lists begun, by cause: start, expired (the position was compacted), restored (the store went back in time).',
    labels: ['source', 'cause'],
    read: ofReadersByWord('cause', ({ lists }) => lists),
  },
  kube_sluice_list_failures_total: {
    type: 'counter',
    help: 'Lists that failed.',
    labels: ['source'],
    read: ofReaders(({ listFailures }) => listFailures),
  },
  kube_sluice_list_failures_in_a_row: {
    type: 'gauge',
    help: 'Lists that failed since the last that succeeded. From 5 on the container is not ready.',
    labels: ['source'],
    read: ofReaders(({ listFailuresInRow }) => listFailuresInRow),
  },
  kube_sluice_frames_skipped_total: {
    type: 'counter',
    help: 'Lines that were no readable watch event: oversized, torn by a cut connection (they come again), foreign or undecodable.',
    labels: ['source', 'cause'],
    read: ofReadersByWord('cause', ({ skipped }) => skipped),
  },
  kube_sluice_stores_restored_total: {
    type: 'counter',
    help: 'Times that the API server was found to have gone back in time.',
    read: ({ storesRestored }) => storesRestored,
  },
  kube_sluice_reader_paused: {
    type: 'gauge',
    help: '1 while the events reader waits for the sink.',
    read: ({ pausedSince }) => Number(pausedSince !== undefined),
  },
  kube_sluice_reader_paused_seconds_total: {
    type: 'counter',
    help: 'Seconds for which the events reader has waited for the sink.',
    read: ({ pausedMs, pausedSince }, nowMs) => pausedMs / 1000 + secondsSince(pausedSince, nowMs),
  },
} as const satisfies Record<string, CountedMetric>;

const podMetrics = {
  kube_sluice_pods_synced: { type: 'gauge', help: '1 once the pods are known.', read: ({ podsSynced }) => Number(podsSynced) },
  kube_sluice_cached_pods: { type: 'gauge', help: 'Pods in the cache, lingering ones included.', read: ({ pods }) => pods },
  kube_sluice_cached_owners: { type: 'gauge', help: 'Workloads that these pods belong to.', read: ({ owners }) => owners },
  kube_sluice_foreign_pods_total: {
    type: 'counter',
    help: 'Pods of other shards that the API server sent although it was asked for those of this shard only.',
    read: ({ foreignPods }) => foreignPods,
  },
  kube_sluice_owner_lookups_total: {
    type: 'counter',
    help: 'Pods asked for by name, because an event came before its pod.',
    labels: ['found'],
    read: ({ ownersAsked }) => byWord('found', ownersAsked),
  },
  kube_sluice_owner_misses_total: {
    type: 'counter',
    help: 'Events that went without labels because too many were waiting, too many lookups were queued, or a lookup failed.',
    labels: ['cause'],
    read: ({ ownersMissed }) => byWord('cause', ownersMissed),
  },
} as const satisfies Record<string, CountedMetric>;

const sinkMetrics = {
  kube_sluice_sink_batches_total: { type: 'counter', help: 'Batches that the sink has answered.', read: ({ batches }) => batches },
  kube_sluice_sink_retried_entries_total: {
    type: 'counter',
    help: 'Entries that the sink asked to send again.',
    read: ({ entriesRetried }) => entriesRetried,
  },
  kube_sluice_sink_retries_total: { type: 'counter', help: 'Waits before a batch was sent again.', read: ({ sinkWaits }) => sinkWaits },
} as const satisfies Record<string, CountedMetric>;

/** Everything that is read from the totals, in the order of the documentation. */
export const countedMetrics: Readonly<Record<string, CountedMetric>> = {
  ...goMetrics,
  ...occurrenceMetrics,
  ...readerMetrics,
  ...podMetrics,
  ...sinkMetrics,
};

function byWord(label: string, tally: Tally): readonly Sample[] {
  return Object.entries(tally).map(([word, value]) => [{ [label]: word }, value]);
}

function ofReaders(value: (reader: ReaderCounts) => number): (counts: Readonly<Counts>) => readonly Sample[] {
  return ({ readers }) => [...readers].map(([source, reader]) => [{ source }, value(reader)]);
}

function ofReadersByWord(label: string, tally: (reader: ReaderCounts) => Tally): (counts: Readonly<Counts>) => readonly Sample[] {
  return ({ readers }) =>
    [...readers].flatMap(([source, reader]) =>
      Object.entries(tally(reader)).map(([word, value]): Sample => [{ source, [label]: word }, value]),
    );
}

function secondsSince(sinceMs: number | undefined, nowMs: number): number {
  return sinceMs === undefined ? 0 : Math.max(nowMs - sinceMs, 0) / 1000;
}
