// A pipeline with an operator of one's own in it. Only two reasons are delivered, and the position moves past the others.
import { pipeline } from 'kube-sluice';
import { memory, memoryStore, simulatedCluster } from 'kube-sluice/testing';
import { NEVER } from 'rxjs';
import { keepReasons } from './keepReasons.ts';

const { transport, runtime, server, live, rest } = simulatedCluster({ pods: 30 });
const sink = memory();
const ownStage = keepReasons(['ScalingReplicaSet', 'SuccessfulDelete'], runtime);
const checkpoints = pipeline({ shard: { index: 0, total: 1 } }, { transport, sink, store: memoryStore(), ownStage }, NEVER, runtime);

let at: string | undefined;
checkpoints.subscribe(({ positions }) => {
  at = positions['']?.at;
});
await live(45_000);
for (const { payload } of sink.entries) console.log(payload['reason'], payload['message']);
const newest = server.writes.findLast(({ kind }) => kind === 'Event')?.resourceVersion;
await rest(5_000);
console.log(Number(at) >= Number(newest) ? 'the position has passed everything' : `the position stands at ${at}`);
