export { type ReplayFixtureSettings, replayFixture } from './replayFixture.ts';
export type { RawBodies } from './transports/rawBodies.ts';
export { type MemorySink, memory } from './sinks/memory.ts';
export { memoryStore, noStore } from './transports/memoryStore.ts';
export { type AssertDeepEqual, type MarbleHelpers, marbleKit } from './marbleKit.ts';
export { type BusyCluster, type BusyClusterSettings, busyCluster } from './simulator/busyCluster.ts';
export {
  type CloudLoggingModel,
  type CloudLoggingSettings,
  cloudLoggingModel,
  type LogReply,
  type LogRequest,
  type SeenLogRequest,
} from './simulator/cloudLoggingModel.ts';
export { type Core, type CoreSettings, core, type SeenRequest } from './simulator/core.ts';
export { type FakeCloudLogging, type FakeCloudLoggingSettings, fakeCloudLogging } from './simulator/fakeCloudLogging.ts';
export { type FakeMetadata, type FakeMetadataSettings, fakeMetadata, type MetadataMode } from './simulator/fakeMetadata.ts';
export type { ExpiredForm, Fault, Faults, FaultTarget } from './simulator/faults.ts';
export { type HttpFace, type HttpFaceSettings, httpFace } from './simulator/httpFace.ts';
export type { LoggingAnswer, LoggingFault, LoggingFaults } from './simulator/loggingFaults.ts';
export type { StoredLogEntry } from './simulator/logStore.ts';
export type { LogEntry, LogResource, LogWrite } from './simulator/logWrite.ts';
export type { Ambient, GivenObject, PlainObject } from './simulator/object.ts';
export { seededRandom } from './simulator/seededRandom.ts';
export { type SimulatedCluster, type SimulatedClusterSettings, simulatedCluster } from './simulator/simulatedCluster.ts';
export type { Write } from './simulator/store.ts';
export { type VirtualClock, virtualClock } from './simulator/virtualClock.ts';
export { type VirtualLogWriterSettings, virtualLogWriter } from './simulator/virtualLogWriter.ts';
export { type VirtualTransportSettings, virtualTransport } from './simulator/virtualTransport.ts';
