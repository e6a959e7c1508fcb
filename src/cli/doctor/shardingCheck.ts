import { map, type Observable } from 'rxjs';
import { corePath } from '../../model/corePath.ts';
import type { Shard } from '../../model/shard.ts';
import { podShardSelector } from '../../model/shardRange.ts';
import { partialPods } from '../../sources/pods.ts';
import type { Ask } from './ask.ts';
import type { Finding } from './finding.ts';

/** Whether the server sends a shard its own pods only, where the shard function allows for it. */
export function shardingCheck(namespace: string, shard: Shard, ask: Ask): Observable<readonly Finding[]> {
  const query = { limit: '1', shardSelector: podShardSelector(shard) };
  return ask({ path: corePath('pods', namespace), query, accept: partialPods.list }).pipe(
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
