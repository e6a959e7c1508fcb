import { readFileSync } from 'node:fs';
import { headerLine } from '../../../src/transports/recording.ts';
import { recordingHeader } from '../../unit/recordingHeader.ts';

export interface RecordingLinesSettings {
  readonly events: number;
  readonly pods: number;
  readonly eventsPerSecond: number;
}

interface WatchEvent {
  readonly object: { readonly metadata: Readonly<Record<string, unknown>>; readonly involvedObject?: Readonly<Record<string, unknown>> };
}

const folder = new URL('../../fixtures/apiserver-1.36.2/', import.meta.url);
const startsAt = Date.parse('2026-11-30T10:00:00Z');
const podsPerOwner = 10;
/** Ends the initial lines of a streaming list. */
const listEnd =
  '{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9000000","annotations":{"k8s.io/initial-events-end":"true"}}}}';

/**
 * The lines of a recording: first pods by a watch, then events by a watch at an even rate. Each is like one of a real
 * server, under another name. One event in four writes an Event again.
 */
export function* recordingLines({ events, pods, eventsPerSecond }: RecordingLinesSettings): Generator<string> {
  yield headerLine(recordingHeader(startsAt));
  yield* opening('pods', 1);
  const [podTemplate] = templates('pods.json.stream').filter(({ object }) => JSON.stringify(object).includes('"kind":"ReplicaSet"'));
  if (podTemplate === undefined) throw new Error('no pod of a ReplicaSet is recorded');
  for (let at = 0; at < pods; at++) yield line('pods', 1, startsAt, podText(podTemplate, at));
  yield line('pods', 1, startsAt, listEnd);
  yield* opening('events', 2);
  const eventTemplates = templates('events.json.stream').filter(({ object }) => object.involvedObject?.['kind'] === 'Pod');
  for (let at = 0; at < events; at++) {
    const template = eventTemplates[at % eventTemplates.length];
    if (template === undefined) throw new Error('no Event about a pod is recorded');
    yield line('events', 2, startsAt + Math.floor((at * 1_000) / eventsPerSecond), eventText(template, at, pods, eventsPerSecond));
  }
}

function templates(file: string): readonly WatchEvent[] {
  return readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((text) => text.startsWith('{"type":"ADDED"'))
    .map((text) => JSON.parse(text) as WatchEvent);
}

function* opening(stream: string, request: number): Generator<string> {
  const query = { watch: 'true', ...(stream === 'pods' ? { sendInitialEvents: 'true' } : {}) };
  yield JSON.stringify({ at: startsAt, stream, request, kind: 'request', how: 'stream', path: `/api/v1/${stream}`, query });
  yield JSON.stringify({ at: startsAt, stream, request, kind: 'opened', status: 200 });
}

function line(stream: string, request: number, at: number, body: string): string {
  return `{"at":${at},"stream":"${stream}","request":${request},"kind":"line","body":${body}}`;
}

function podNames(at: number): { readonly name: string; readonly namespace: string; readonly uid: string } {
  const owner = `web-${Math.floor(at / podsPerOwner)}-5d9c7b8f64`;
  return { name: `${owner}-${at.toString(36).padStart(5, '0')}`, namespace: `team-${at % 40}`, uid: uidOf('a', at) };
}

function uidOf(prefix: string, at: number): string {
  const digits = ((at * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0');
  return `${digits}-${prefix}000-4000-8000-${at.toString(16).padStart(12, '0')}`;
}

function podText({ object }: WatchEvent, at: number): string {
  const owner = `web-${Math.floor(at / podsPerOwner)}-5d9c7b8f64`;
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: uidOf('c', at), controller: true }];
  const labels = { app: 'web', 'pod-template-hash': '5d9c7b8f64' };
  const metadata = { ...object.metadata, ...podNames(at), labels, ownerReferences, resourceVersion: String(100_000 + at) };
  return JSON.stringify({ type: 'ADDED', object: { ...object, metadata } });
}

function eventText({ object }: WatchEvent, at: number, pods: number, eventsPerSecond: number): string {
  const isAgain = at % 4 === 3;
  const identity = isAgain ? at - 1 : at;
  const pod = podNames((identity * 7_919) % pods);
  const time = new Date(startsAt + Math.floor(at / eventsPerSecond) * 1_000).toISOString().replace('.000Z', 'Z');
  const metadata = {
    ...object.metadata,
    name: `${pod.name}.${identity.toString(16)}`,
    namespace: pod.namespace,
    uid: uidOf('e', identity),
    resourceVersion: String(10_000_000 + at),
    creationTimestamp: time,
  };
  const involvedObject = { ...object.involvedObject, ...pod };
  const times = { firstTimestamp: time, lastTimestamp: time, eventTime: null, count: isAgain ? 2 : 1 };
  return JSON.stringify({ type: isAgain ? 'MODIFIED' : 'ADDED', object: { ...object, ...times, metadata, involvedObject } });
}
