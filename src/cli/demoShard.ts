import { concat, concatMap, defer, ignoreElements, mergeAll, type Observable, ReplaySubject, Subject, startWith, tap, timer } from 'rxjs';
import type { Shard } from '../model/shard.ts';
import { type PipelinePorts, pipeline } from '../pipeline.ts';
import type { KubeTransport, Sink } from '../ports.ts';
import { liveRuntime } from '../runtime.ts';
import type { Counts } from '../telemetry/counts.ts';
import { type Metrics, metrics } from '../telemetry/metrics.ts';
import type { Signal } from '../telemetry/signals.ts';
import { leaseStore } from '../transports/leaseStore.ts';

export interface DemoShardPorts {
  /** Makes the transport of each run. */
  readonly transport: () => KubeTransport;
  readonly sink: Sink;
  readonly log: (signal: Signal) => void;
  /** Makes somebody who watches the shard, given its totals. Absent: nobody does. */
  readonly watch?: (counts: Readonly<Counts>) => DemoWatcher;
}

/** Hears every signal of a shard, and gets in between its ports. */
export interface DemoWatcher {
  observe(signal: Signal, nowMs: number): void;
  watched(ports: PipelinePorts): PipelinePorts;
}

/** One shard of the demo: pipelines that deliver for it one after the other, each from the checkpoint of the one before. */
export interface DemoShard {
  readonly shard: Shard;
  /** Added up over all its runs. */
  readonly metrics: Metrics;
  /** Runs until it is stopped for good; errors are the pipelines'. */
  readonly runs: Observable<never>;
  /** The version that it would resume from. */
  position(): string;
  /** Lets it drain, and starts it anew after so many milliseconds. */
  restart(afterMs: number): void;
  /** Starts a second process, which waits for the lease, and stops the first after so many milliseconds. */
  handOver(afterMs: number): void;
  stop(): void;
}

/** What a pod of the shard would be. */
interface Process {
  readonly run: Observable<never>;
  readonly stops: Subject<void>;
  /** Completes at its end. */
  readonly ended: Subject<never>;
  /** That it waits for the lease, as long as there is nothing to see but its wait. */
  waiting: Signal | undefined;
}

/** Time between two saves of the position, and between two looks at a lease that another holds: short, because the demo is. */
const saveMs = 250;
const lookMs = 1_000;

export function demoShard(shard: Shard, version: string, { transport, sink, log, watch }: DemoShardPorts): DemoShard {
  const counted = metrics({ version, shard, processMetrics: false }, Date.now);
  const watcher = watch?.(counted.counts);
  const tell = (signal: Signal): void => {
    const nowMs = Date.now();
    counted.observe(signal, nowMs);
    watcher?.observe(signal, nowMs);
    log(signal);
  };
  const processes = new Set<Process>();
  let position = 'earliest';
  let started = 0;

  const process = (): Process => {
    const holder = `demo-${shard.index}-${'abcdefgh'.charAt(started++)}`;
    const runtime = liveRuntime((signal) => {
      if (signal.type === 'shardWaiting' && made !== leader) made.waiting = signal;
      else tell(signal);
    });
    const run = defer(() => {
      const api = transport();
      const store = leaseStore({ app: 'demo', namespace: 'default', holder, lookMs }, api, runtime);
      const ports = { transport: api, sink, store };
      return pipeline({ shard, saveMs }, watcher?.watched(ports) ?? ports, made.stops, runtime);
    }).pipe(
      tap({
        next: ({ positions }) => {
          position = positions['']?.at ?? position;
        },
        complete: () => made.ended.complete(),
      }),
      ignoreElements(),
    );
    const made: Process = { run, stops: new ReplaySubject(1), ended: new Subject(), waiting: undefined };
    processes.add(made);
    return made;
  };
  let leader = process();
  const lives = new Subject<Observable<never>>();

  /** Whoever is next is the shard from now on. */
  const follow = (next: Process): void => {
    const last = leader;
    leader = next;
    if (next.waiting !== undefined) tell(next.waiting);
    last.stops.next();
  };
  return {
    shard,
    metrics: counted,
    runs: lives.pipe(startWith(leader.run), mergeAll()),
    position: () => position,
    restart(afterMs) {
      const next = process();
      lives.next(concat(leader.ended, timer(afterMs).pipe(concatMap(() => next.run))));
      follow(next);
    },
    handOver(afterMs) {
      const next = process();
      lives.next(next.run);
      lives.next(
        timer(afterMs).pipe(
          tap(() => follow(next)),
          ignoreElements(),
        ),
      );
    },
    stop() {
      lives.complete();
      for (const { stops } of processes) stops.next();
    },
  };
}
