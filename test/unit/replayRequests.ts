import { of } from 'rxjs';
import type { Answer, Exhausted, Frame, KubeRequest } from '../../src/ports.ts';
import type { RecordedFrame } from '../../src/transports/recording.ts';
import { json, type Replayed } from './replaying.ts';

export type Query = Readonly<Record<string, string>>;

export const watch: Query = { watch: 'true' };
export const bracket: Query = { watch: 'true', sendInitialEvents: 'true' };

export function requestOf(query: Query, path: string): KubeRequest {
  return { stream: path.endsWith('/pods') ? 'pods' : 'events', path, query, accept: 'application/json' };
}

/** What a request is told, short: lines by their `n`, answers by status and body. */
export function asking({ transport }: Replayed, how: 'get' | 'stream', query: Query, path = '/api/v1/events', paused = of(false)) {
  const told: unknown[] = [];
  const answers = how === 'get' ? transport.get(requestOf(query, path)) : transport.stream(requestOf(query, path), paused);
  const subscription = answers.subscribe({
    next: (frame: Frame | Answer | Exhausted) => told.push(short(frame)),
    error: (error: { code?: string; message?: string }) => told.push(`${error.code}: ${error.message}`),
    complete: () => told.push('end'),
  });
  return { told, leave: () => subscription.unsubscribe() };
}

function short(frame: Frame): unknown {
  if (frame.type === 'line') return JSON.parse(Buffer.from(frame.bytes).toString());
  if (frame.type === 'answer') return [frame.status, JSON.parse(Buffer.from(frame.body).toString())];
  return frame.type === 'opened' ? 'opened' : frame;
}

export function added(version: number): RecordedFrame {
  return json('line', line(version));
}

export function line(version: number) {
  return { type: 'ADDED', object: { kind: 'Event', metadata: { name: `e${version}`, resourceVersion: String(version) } } };
}

export function bracketEnd(version: number) {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  return { type: 'BOOKMARK', object: { kind: 'Event', apiVersion: 'v1', metadata: { resourceVersion: String(version), annotations } } };
}

export function list(version: number, items: readonly unknown[] = [], token?: string) {
  return { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: String(version), ...(token ? { continue: token } : {}) }, items };
}

export const status = (code: number, reason: string, message: string) => [
  code,
  { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
];
export const expired = status(410, 'Expired', 'the recording lists here');

export const podPath = '/api/v1/namespaces/shop/pods/web-0';

export function pod(type: string, more: object = {}) {
  return json('line', {
    type,
    object: { metadata: { name: 'web-0', namespace: 'shop', uid: 'u1', resourceVersion: '5', managedFields: [{}], ...more } },
  });
}

export const podRead = (more: object = {}) => [
  200,
  {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { name: 'web-0', namespace: 'shop', uid: 'u1', resourceVersion: '5', ...more },
  },
];
