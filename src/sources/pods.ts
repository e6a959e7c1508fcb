import { map, type Observable } from 'rxjs';
import { PipelineError } from '../errors.ts';
import type { Change } from '../model/change.ts';
import { corePath } from '../model/corePath.ts';
import type { PodMetadata } from '../model/kube.ts';
import { readerName } from '../model/readerName.ts';
import type { Shard } from '../model/shard.ts';
import { isServerSharded, podShardSelector } from '../model/shardRange.ts';
import type { KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { listWatch } from './listWatch.ts';

/** Which pods to read, and how their list comes. */
export interface PodsSettings {
  /** Namespace to read; empty for all, which needs a ClusterRole. */
  readonly namespace: string;
  /** Items in a page; 0 asks for all at once. Default 1000. */
  readonly pageItems?: number;
  /** Streaming lists: true, false, or absent to go by the server's version (1.32 or newer). */
  readonly streamingLists?: boolean;
  /**
   * Whose pods are wanted. With several shards of `fnv1a64-range` the server is asked to leave out the others'; whether it does is
   * its affair, so who reads the pods checks. Absent: all.
   */
  readonly shard?: Shard;
}

/** What to accept of pods: metadata only. */
export const partialPods = {
  one: partial('PartialObjectMetadata'),
  list: partial('PartialObjectMetadataList'),
} as const;

/** Watches pods as metadata only: names, labels and owner references, never a spec or status. */
export function pods(
  { namespace, pageItems, streamingLists, shard }: PodsSettings,
  transport: KubeTransport,
  runtime: Runtime,
): Observable<Change<PodMetadata>> {
  return listWatch(
    {
      // Named one by one: callers hand in more than this, and where events start is nothing to pods.
      ...(pageItems === undefined ? {} : { pageItems }),
      ...(streamingLists === undefined ? {} : { streamingLists }),
      source: readerName('pods', namespace),
      stream: 'pods',
      path: corePath('pods', namespace),
      kinds: ['PartialObjectMetadata', 'Pod'],
      ...(shard !== undefined && isServerSharded(shard) ? { query: { shardSelector: podShardSelector(shard) } } : {}),
      acceptList: partialPods.list,
      acceptWatch: partialPods.one,
    },
    transport,
    runtime,
  );
}

/**
 * Asks for one pod's metadata by name: emits it, or undefined if there is none, and completes.
 * Errors with PipelineError CONNECTION_FAILED when the question was not answered.
 */
export function lookUpPod(namespace: string, name: string, transport: KubeTransport): Observable<PodMetadata | undefined> {
  return transport
    .get({
      stream: 'pods',
      path: `${corePath('pods', namespace)}/${encodeURIComponent(name)}`,
      accept: partialPods.one,
      query: {},
    })
    .pipe(
      map((answer) => {
        if (answer.type === 'exhausted' || answer.status === 404) return undefined;
        if (answer.status !== 200)
          throw new PipelineError('CONNECTION_FAILED', `pods: asking for one pod was answered with HTTP ${answer.status}`);
        return JSON.parse(Buffer.from(answer.body).toString('utf8')) as PodMetadata;
      }),
    );
}

function partial(kind: string): string {
  return `application/json;as=${kind};g=meta.k8s.io;v=v1`;
}
