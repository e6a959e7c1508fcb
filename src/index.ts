// Readers: lists and watches, for ever.
export { type EventsSettings, events } from './sources/events.ts';
export { lookUpPod, type PodsSettings, pods } from './sources/pods.ts';
export { listWatch } from './sources/listWatch.ts';
export type { ListWatchSettings } from './sources/readerSettings.ts';

// Operators: in the order in which an event meets them.
export { toOccurrences } from './operators/toOccurrences.ts';
export { keepShard } from './operators/keepShard.ts';
export { mergeBookmarks } from './operators/mergeBookmarks.ts';
export { type SkipInheritedSettings, skipInherited } from './operators/skipInherited.ts';
export { type DropSeenSettings, dropSeen } from './operators/dropSeen.ts';
export { type DeclareGapsSettings, declareGaps } from './operators/declareGaps.ts';
export { type StopReadingSettings, stopReading } from './operators/stopReading.ts';
export { type TrackCheckpointSettings, trackCheckpoint } from './operators/trackCheckpoint.ts';
export { type SlimOwnersSettings, slimOwners } from './operators/slimOwners.ts';
export type { AskForPodsSettings, LookUpPod } from './operators/askForPods.ts';
export { type JoinLabelsSettings, joinLabels } from './operators/joinLabels.ts';
export { type ToEntriesSettings, toEntries } from './operators/toEntries.ts';
export { type BatchSettings, batch } from './operators/batch.ts';
export { type RetryWithBackoffSettings, retryWithBackoff } from './operators/retryWithBackoff.ts';
export { type EmitToSettings, emitTo } from './operators/emitTo.ts';
export { type SaveCheckpointSettings, saveCheckpoint } from './operators/saveCheckpoint.ts';

// Pipeline: the wiring of all of them.
export { type PipelinePorts, pipeline } from './pipeline.ts';
export type { PipelineSettings } from './pipelineSettings.ts';

// Sinks: and stores, and the way to an API server.
export { textWriter } from './sinks/textWriter.ts';
export type { EntryLineSettings } from './sinks/entryLine.ts';
export { type LocalSettings, local } from './sinks/local.ts';
export { type CloudLoggingSettings, cloudLogging } from './sinks/cloudLogging.ts';
export type { LogCluster } from './sinks/encodeLogEntry.ts';
export { type FileSettings, type FileSink, file } from './sinks/file.ts';
export { type RefusedFile, type RefusedFileSettings, refusedFile } from './sinks/refusedFile.ts';
export { type MemorySink, memory } from './sinks/memory.ts';
export { memoryStore, noStore } from './transports/memoryStore.ts';
export type { LeaseRequestsSettings } from './transports/leaseRequests.ts';
export type { OwnLeaseSettings } from './transports/ownLease.ts';
export { type LeaseStoreSettings, leaseStore } from './transports/leaseStore.ts';
export { type FileStoreSettings, fileStore } from './transports/fileStore.ts';
export { pairedStore } from './transports/pairedStore.ts';
export type { Disk, OpenFile } from './transports/disk.ts';
export type { FileLock } from './transports/fileLock.ts';
export type { Coalescing } from './transports/restBetweenReads.ts';
export { type KubeApiSettings, type KubeConfigSource, kubeApi } from './transports/kubeApi.ts';
export { type CloudLoggingWriterSettings, cloudLoggingWriter } from './transports/cloudLoggingWriter.ts';
export { type GoogleCredentials, type GoogleProject, googleProject } from './transports/googleCredentials.ts';

// Ports: what the outside implements, and what tells of it.
export type {
  Answer,
  AnswerHead,
  CheckpointStore,
  Exhausted,
  Frame,
  KubeRequest,
  KubeTransport,
  KubeWrite,
  LogWriter,
  Sink,
  SinkResult,
} from './ports.ts';
export { liveRuntime, type Runtime } from './runtime.ts';
export type { EndCause, Signal, SourceName } from './telemetry/signals.ts';
export { type LogTarget, type SignalLog, signalLog } from './telemetry/signalLog.ts';
export type { LogLevel } from './telemetry/logTable.ts';
export { type Metrics, type MetricsSettings, metrics } from './telemetry/metrics.ts';
export type { Counts, ReaderCounts, Tally } from './telemetry/counts.ts';
export { type ErrorCode, errorCodes, PipelineError } from './errors.ts';

// Data: what flows, as plain data.
export type { Body, Bookmark, Change, Gap, ObjectChange, RelistCause, RelistDone, RelistStarted } from './model/change.ts';
export { bookmark } from './model/change.ts';
export type { Checkpoint, CheckpointMeaning, Generation, Position, Positions } from './model/checkpoint.ts';
export type { Ack, Entry, EntryResource, Outgoing, Refusal, Severity, Unreadable } from './model/entry.ts';
export type { EventObject, KubeObject, ObjectMeta, ObjectReference, OwnerReference, PodMetadata } from './model/kube.ts';
export type { EventHeader, EventLook } from './model/eventHeader.ts';
export type { Involved } from './model/involved.ts';
export type { Foreign, Item, Occurrence } from './model/occurrence.ts';
export type { Owner, OwnerChange, OwnerKind, SlimPod } from './model/owner.ts';
export type { ResourceModel } from './model/entryResource.ts';
export type { KnownPodsSettings } from './model/knownPods.ts';
export type { PodIndexSettings } from './model/podIndex.ts';
export type { BackoffSettings } from './model/backoff.ts';
export type { ResourceVersion } from './model/resourceVersion.ts';
export { owns, type Shard, type ShardFunction, shardIndex, shardKey } from './model/shard.ts';
export type { Joined, Scoped, Slotted } from './model/slot.ts';
