import { defer, EMPTY, ignoreElements, type Observable, repeat, Subject, tap, timer } from 'rxjs';
import type { Shard } from '../model/shard.ts';
import { pipeline } from '../pipeline.ts';
import type { KubeTransport, Sink } from '../ports.ts';
import { liveRuntime } from '../runtime.ts';
import { type Metrics, metrics } from '../telemetry/metrics.ts';
import type { Signal } from '../telemetry/signals.ts';
import { memoryStore } from '../transports/memoryStore.ts';

export interface DemoShardPorts {
  /** Makes the transport of each run. */
  readonly transport: () => KubeTransport;
  readonly sink: Sink;
  readonly log: (signal: Signal) => void;
}

/** One shard of the demo: a pipeline that can be stopped and started again from its checkpoint. */
export interface DemoShard {
  readonly shard: Shard;
  /** Added up over all its runs. */
  readonly metrics: Metrics;
  /** Runs until it is stopped for good; errors are the pipeline's. */
  readonly runs: Observable<never>;
  /** The version that it would resume from. */
  position(): string;
  /** Lets it drain, and starts it anew after so many milliseconds. */
  restart(afterMs: number): void;
  stop(): void;
}

/** Time between two saves of the position: short, because the demo is. */
const saveMs = 100;

export function demoShard(shard: Shard, version: string, { transport, sink, log }: DemoShardPorts): DemoShard {
  const store = memoryStore();
  const counted = metrics({ version, shard, processMetrics: false }, Date.now);
  const runtime = liveRuntime((signal) => {
    counted.observe(signal, Date.now());
    log(signal);
  });
  const stops = new Subject<void>();
  let position = 'earliest';
  let restartMs: number | undefined;

  const runs = defer(() => pipeline({ shard, saveMs }, { transport: transport(), sink, store }, stops, runtime)).pipe(
    tap(({ positions }) => {
      position = positions['']?.at ?? position;
    }),
    ignoreElements(),
    repeat({
      delay: () => {
        const afterMs = restartMs;
        restartMs = undefined;
        return afterMs === undefined ? EMPTY : timer(afterMs, runtime.scheduler);
      },
    }),
  );
  return {
    shard,
    metrics: counted,
    runs,
    position: () => position,
    restart(afterMs) {
      restartMs = afterMs;
      stops.next();
    },
    stop: () => stops.next(),
  };
}
