export { type AssertDeepEqual, type MarbleHelpers, marbleKit } from './marbleKit.ts';
export { type BusyCluster, type BusyClusterSettings, busyCluster } from './simulator/busyCluster.ts';
export { type Core, type CoreSettings, core, type SeenRequest } from './simulator/core.ts';
export type { ExpiredForm, Fault, Faults, FaultTarget } from './simulator/faults.ts';
export { type HttpFace, type HttpFaceSettings, httpFace } from './simulator/httpFace.ts';
export type { Ambient, GivenObject, PlainObject } from './simulator/object.ts';
export { seededRandom } from './simulator/seededRandom.ts';
export type { Write } from './simulator/store.ts';
export { type VirtualTransportSettings, virtualTransport } from './simulator/virtualTransport.ts';
