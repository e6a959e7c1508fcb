import { takeWhile, VirtualTimeScheduler } from 'rxjs';
import type { Shard } from '../../../src/model/shard.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { core } from '../../../src/simulator/core.ts';
import { seededRandom } from '../../../src/simulator/seededRandom.ts';
import { virtualTransport } from '../../../src/simulator/virtualTransport.ts';
import { pods } from '../../../src/sources/pods.ts';
import { generatedPod } from './eventLines.ts';
import { podObject } from './memoryTransport.ts';

/** Bytes that shard 0 of so many receives of a streaming list of pods, where the server divides them and where it does not. */
export function podBytes(count: number, total: number, serverDivides: boolean): number {
  const scheduler = new VirtualTimeScheduler();
  const random = seededRandom(5);
  let bytes = 0;
  const runtime: Runtime = {
    scheduler,
    random,
    signal: (signal) => {
      if (signal.type === 'frameRead') bytes += signal.bytes;
    },
  };
  const server = core({ shardedLists: serverDivides }, { now: () => scheduler.now(), random });
  for (let at = 0; at < count; at++) {
    const pod = generatedPod(at, random);
    const object = podObject(pod) as { readonly metadata: object };
    server.create('Pod', { ...object, metadata: { ...object.metadata, namespace: pod.namespace, name: pod.name } });
  }
  const shard: Shard = { index: 0, total, function: 'fnv1a64-range' };
  pods({ namespace: '', streamingLists: true, shard }, virtualTransport(server, {}, runtime), runtime)
    .pipe(takeWhile(({ type }) => type !== 'relistDone'))
    .subscribe();
  scheduler.flush();
  return bytes;
}
