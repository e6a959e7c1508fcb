import type { PodMetadata } from '../model/kube.ts';
import type { Answer } from '../ports.ts';

/** Answers that a replay makes up where the recording has none. */

export function answerOf(status: number, value: unknown): Answer {
  return { type: 'answer', status, body: bytesOf(value) };
}

export function statusOf(code: number, reason: string, message: string): Answer {
  return answerOf(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
}

/** The same inside a stream that is open already. */
export function errorLine({ body }: Answer): Uint8Array {
  return Buffer.from(`{"type":"ERROR","object":${Buffer.from(body).toString('utf8')}}`);
}

export function listOf(resourceVersion: string, items: readonly unknown[]): Answer {
  return answerOf(200, { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion }, items });
}

/** The lines of a streaming list: what is there, and the bookmark that ends it. */
export function bracketLines(kind: string, resourceVersion: string, present: readonly PodMetadata[]): readonly Uint8Array[] {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const end = { type: 'BOOKMARK', object: { kind, apiVersion: 'v1', metadata: { resourceVersion, annotations } } };
  return [...present.map((object) => ({ type: 'ADDED', object })), end].map(bytesOf);
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
