import { map, type Observable } from 'rxjs';
import type { Ask } from './ask.ts';
import type { Finding } from './finding.ts';

/** Half of all, which is a range like any other. Source: KEP-5866. */
const half = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";

/** Whether the server sends a shard its own pods only, where the shard function allows for it. */
export function shardingCheck(namespace: string, ask: Ask): Observable<readonly Finding[]> {
  const path = namespace === '' ? '/api/v1/pods' : `/api/v1/namespaces/${namespace}/pods`;
  const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
  return ask({ path, query: { limit: '1', shardSelector: half }, accept }).pipe(
    map((asked): readonly Finding[] => {
      const { metadata } = (asked.type === 'answer' ? (asked.body ?? {}) : {}) as { readonly metadata?: { readonly shardInfo?: unknown } };
      const about = 'pods by shard';
      if (metadata?.shardInfo !== undefined) return [{ state: 'ok', about, text: 'the server sends each shard its own pods only' }];
      const text = 'the server sends every shard all pods';
      const advice = 'Nothing is wrong: the shard picks its own. From Kubernetes 1.36 on the feature gate of KEP-5866 saves the traffic.';
      return [{ state: 'note', about, text, advice }];
    }),
  );
}
