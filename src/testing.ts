// Specifications and fixtures: tests of one's own code.
export { type AssertDeepEqual, type MarbleHelpers, marbleKit } from './marbleKit.ts';
export { type ReplayFixtureSettings, replayFixture } from './replayFixture.ts';
export type { RawBodies } from './transports/rawBodies.ts';
export { type MemorySink, memory } from './sinks/memory.ts';
export { memoryStore, noStore } from './transports/memoryStore.ts';

// Cluster: a simulated one, whole.
export { type SimulatedCluster, type SimulatedClusterSettings, simulatedCluster } from './simulator/simulatedCluster.ts';
export { type BusyCluster, type BusyClusterSettings, busyCluster } from './simulator/busyCluster.ts';
export { seededRandom } from './simulator/seededRandom.ts';
export { type VirtualClock, virtualClock } from './simulator/virtualClock.ts';

// Server: the simulated API server, and the ways to it.
export { type Core, type CoreSettings, core, type SeenRequest } from './simulator/core.ts';
export type { StoreSettings, Write } from './simulator/store.ts';
export type { ExpiredForm, Fault, Faults, FaultTarget } from './simulator/faults.ts';
export type { Access } from './simulator/access.ts';
export { type VirtualTransportSettings, virtualTransport } from './simulator/virtualTransport.ts';
export { type HttpFace, type HttpFaceSettings, httpFace } from './simulator/httpFace.ts';
export type { RequestKind, SimulatedRequest } from './simulator/route.ts';
export type { AnswerReply, Reply } from './simulator/reply.ts';
export type { Feed, Taken } from './simulator/feed.ts';
export type { KindName } from './simulator/kinds.ts';
export type { StreamsOnRestore } from './simulator/watching.ts';
export type { ChangeType } from './simulator/revision.ts';
export type { Ambient, GivenObject, PlainMeta, PlainObject } from './simulator/object.ts';

// Google: a Cloud Logging service and a metadata server.
export { type FakeCloudLogging, type FakeCloudLoggingSettings, fakeCloudLogging } from './simulator/fakeCloudLogging.ts';
export { type FakeMetadata, type FakeMetadataSettings, fakeMetadata, type MetadataMode } from './simulator/fakeMetadata.ts';
export {
  type CloudLoggingModel,
  type CloudLoggingSettings,
  cloudLoggingModel,
  type LogAnswer,
  type LogReply,
  type LogRequest,
  type SeenLogRequest,
} from './simulator/cloudLoggingModel.ts';
export type { LoggingAnswer, LoggingFault, LoggingFaults } from './simulator/loggingFaults.ts';
export type { LogStore, LogStoreSettings, StoredLogEntry } from './simulator/logStore.ts';
export type { LogEntry, LogResource, LogWrite } from './simulator/logWrite.ts';
export type { RpcFault } from './simulator/logEntryFault.ts';
export type { MetadataModel, MetadataSettings } from './simulator/metadataModel.ts';
export type { HttpLoopback, HttpLoopbackSettings } from './simulator/httpLoopback.ts';
export { type VirtualLogWriterSettings, virtualLogWriter } from './simulator/virtualLogWriter.ts';
