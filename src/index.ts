// Readers.
export { type EventsSettings, events } from './sources/events.ts';
export { lookUpPod, type PodsSettings, pods } from './sources/pods.ts';
export { listWatch } from './sources/listWatch.ts';
export type { ListWatchSettings } from './sources/readerSettings.ts';

// Operators, in the order in which an event meets them.
export { toOccurrences } from './operators/toOccurrences.ts';
export { keepShard } from './operators/keepShard.ts';
export { type SkipInheritedSettings, skipInherited } from './operators/skipInherited.ts';
export { type DropSeenSettings, dropSeen } from './operators/dropSeen.ts';
export { type DeclareGapsSettings, declareGaps } from './operators/declareGaps.ts';
export { type TrackCheckpointSettings, trackCheckpoint } from './operators/trackCheckpoint.ts';
export { type SlimOwnersSettings, slimOwners } from './operators/slimOwners.ts';
export { type JoinLabelsSettings, joinLabels } from './operators/joinLabels.ts';
export { type ToEntriesSettings, toEntries } from './operators/toEntries.ts';
export { type BatchSettings, batch } from './operators/batch.ts';
export { type RetryWithBackoffSettings, retryWithBackoff } from './operators/retryWithBackoff.ts';
export { type EmitToSettings, emitTo } from './operators/emitTo.ts';
export { type SaveCheckpointSettings, saveCheckpoint } from './operators/saveCheckpoint.ts';

// The wiring of all of them.
export { type PipelinePorts, pipeline } from './pipeline.ts';
export type { PipelineSettings } from './pipelineSettings.ts';

// Sinks, stores and ways to an API server.
export { textWriter } from './sinks/textWriter.ts';
export { type LocalSettings, local } from './sinks/local.ts';
export { type CloudLoggingSettings, cloudLogging } from './sinks/cloudLogging.ts';
export type { LogCluster } from './sinks/encodeLogEntry.ts';
export { type FileSettings, type FileSink, file } from './sinks/file.ts';
export { type RefusedFile, type RefusedFileSettings, refusedFile } from './sinks/refusedFile.ts';
export { type MemorySink, memory } from './sinks/memory.ts';
export { memoryStore, noStore } from './transports/memoryStore.ts';
export { type LeaseStoreSettings, leaseStore } from './transports/leaseStore.ts';
export { type FileStoreSettings, fileStore } from './transports/fileStore.ts';
export { pairedStore } from './transports/pairedStore.ts';
export type { Disk, OpenFile } from './transports/disk.ts';
export type { FileLock } from './transports/fileLock.ts';
export { type KubeApiSettings, type KubeConfigSource, kubeApi } from './transports/kubeApi.ts';

export { type CloudLoggingWriterSettings, cloudLoggingWriter } from './transports/cloudLoggingWriter.ts';
export { type GoogleCredentials, type GoogleProject, type GoogleProjectSettings, googleProject } from './transports/googleCredentials.ts';

// What the outside implements.
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
export type { Signal } from './telemetry/signals.ts';
export { type LogTarget, type SignalLog, signalLog } from './telemetry/signalLog.ts';
export type { LogLevel } from './telemetry/logTable.ts';
export { type Metrics, type MetricsSettings, metrics } from './telemetry/metrics.ts';
export type { Counts, ReaderCounts, Tally } from './telemetry/counts.ts';
export { type ErrorCode, errorCodes, PipelineError } from './errors.ts';

// Data.
export type { Body, Bookmark, Change, Gap, ObjectChange, RelistDone, RelistStarted } from './model/change.ts';
export { bookmark } from './model/change.ts';
export type { Checkpoint, CheckpointMeaning, Generation, Position, Positions } from './model/checkpoint.ts';
export type { Ack, Entry, EntryResource, Outgoing, Refusal, Severity, Unreadable } from './model/entry.ts';
export type { EventObject, KubeObject, ObjectMeta, ObjectReference, OwnerReference, PodMetadata } from './model/kube.ts';
export type { Involved, Item, Occurrence } from './model/occurrence.ts';
export type { Owner, OwnerChange, OwnerKind, SlimPod } from './model/owner.ts';
export type { ResourceVersion } from './model/resourceVersion.ts';
export { owns, type Shard, type ShardFunction, shardIndex, shardKey } from './model/shard.ts';
export type { Joined, Scoped, Slotted } from './model/slot.ts';
