import { concat, from, NEVER, type Observable, of } from 'rxjs';
import type { Frame, KubeTransport } from '../../../src/ports.ts';
import { watchFrames } from '../../../src/transports/watchFrames.ts';
import type { GeneratedPod } from './eventLines.ts';

/** Serves one streaming list of pods, then nothing; one watch of events whose chunks come from outside. */
export function memoryTransport(chunks: Observable<Uint8Array>, pods: readonly GeneratedPod[]): KubeTransport {
  const opened = of<Frame>({ type: 'opened', status: 200 });
  return {
    get: () =>
      of({ type: 'answer', status: 200, body: Buffer.from('{"kind":"EventList","metadata":{"resourceVersion":"999999"},"items":[]}') }),
    stream: ({ stream }) =>
      stream === 'pods'
        ? concat(opened, from(podLines(pods)).pipe(watchFrames()), NEVER)
        : concat(opened, chunks.pipe(watchFrames()), NEVER),
    send: () => NEVER,
  };
}

function* podLines(pods: readonly GeneratedPod[]): Generator<Buffer> {
  for (const pod of pods) yield Buffer.from(`${JSON.stringify({ type: 'ADDED', object: podObject(pod) })}\n`);
  yield Buffer.from(
    `${JSON.stringify({
      type: 'BOOKMARK',
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { resourceVersion: '999999', annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    })}\n`,
  );
}

export function podObject({ uid, namespace, name, deployment }: GeneratedPod): unknown {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: '4711',
      creationTimestamp: '2026-05-04T09:00:00Z',
      labels: { app: deployment, 'pod-template-hash': '7c9d8f6b5' },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${deployment}-7c9d8f6b5`, uid: `${uid.slice(0, 30)}000000`, controller: true },
      ],
    },
  };
}
