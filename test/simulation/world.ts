import { ignoreElements, Observable, Subject, type Subscription } from 'rxjs';
import { virtualClock } from '../../src/cli/virtualClock.ts';
import { messageOf } from '../../src/errors.ts';
import type { Checkpoint } from '../../src/model/checkpoint.ts';
import type { Shard } from '../../src/model/shard.ts';
import { pipeline } from '../../src/pipeline.ts';
import type { CheckpointStore } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { count } from '../../src/telemetry/count.ts';
import { type Counts, noCounts } from '../../src/telemetry/counts.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { type BusyCluster, busyCluster, type Core, core, seededRandom, virtualTransport } from '../../src/testing.ts';
import { memoryStore } from '../../src/transports/memoryStore.ts';
import { type ModelSink, modelSink } from './modelSink.ts';
import type { Scenario } from './scenario.ts';

/** A container's life for one shard: it comes, goes in order or by a crash, and comes again. */
export interface Process {
  readonly shard: Shard;
  readonly starts: readonly number[];
  readonly checkpoints: readonly SavedCheckpoint[];
  /** What was signalled since the last start. */
  readonly counts: () => Readonly<Counts>;
  readonly inFlightMost: number;
  readonly failures: readonly string[];
  start(): void;
  crash(): void;
  stop(): void;
}

export interface SavedCheckpoint {
  readonly atMs: number;
  readonly checkpoint: Checkpoint;
  /** How many writes the server had seen by then. */
  readonly writes: number;
}

export interface World {
  readonly server: Core;
  readonly cluster: BusyCluster;
  readonly sink: ModelSink;
  readonly processes: readonly Process[];
  readonly runtime: Runtime;
  /** One line per thing that happened, for a seed that fails. */
  readonly story: string[];
  tell(text: string): void;
  advanceTo(ms: number): void;
}

/** A real date, so that times of entries are not those of 1970. */
export const epochMs = Date.UTC(2026, 4, 4, 10);

export function world(scenario: Scenario): World {
  const clock = virtualClock(epochMs);
  const random = seededRandom(scenario.seed ^ 0x5eed);
  const story: string[] = [];
  const tell = (text: string): void => {
    story.push(`${((clock.now() - epochMs) / 1000).toFixed(3).padStart(9)} s  ${text}`);
  };
  const runtime: Runtime = { scheduler: clock.scheduler, random, signal: () => undefined };
  const server = core({ resourceVersion: '90', compactEveryMs: 300_000 }, { now: clock.now, random });
  const cluster = busyCluster(server, { pods: 24, stories: 5 }, random);
  const sink = modelSink(runtime);
  const parts = { server, sink, runtime, tell };
  return {
    ...parts,
    cluster,
    processes: scenario.shards.map((shard) => process(shard, scenario, parts)),
    story,
    advanceTo: (ms) => clock.advanceTo(epochMs + ms),
  };
}

type Parts = Pick<World, 'server' | 'sink' | 'runtime' | 'tell'>;

function process(shard: Shard, scenario: Scenario, { server, sink, runtime, tell }: Parts): Process {
  const name = `shard ${shard.index}/${shard.total}`;
  const starts: number[] = [];
  const checkpoints: SavedCheckpoint[] = [];
  let counts = noCounts();
  const failures: string[] = [];
  let inFlightMost = 0;
  let running: Subscription | undefined;
  let stopping = new Subject<void>();

  const durable = memoryStore();
  const store: CheckpointStore = {
    ...durable,
    save: (checkpoint) =>
      slowly(runtime, () => {
        checkpoints.push({ atMs: runtime.scheduler.now(), checkpoint, writes: server.writes.length });
        durable.save(checkpoint).subscribe();
      }),
  };
  const signal = (told: Signal): void => {
    count(counts, told, runtime.scheduler.now());
    if (told.type === 'inFlight') inFlightMost = Math.max(inFlightMost, told.occurrences);
    const text = stateChange(told);
    if (text !== undefined) tell(`${name}: ${text}`);
  };
  return {
    shard,
    starts,
    checkpoints,
    counts: () => counts,
    failures,
    get inFlightMost() {
      return inFlightMost;
    },
    start() {
      if (running?.closed === false) return;
      tell(`${name} starts`);
      starts.push(runtime.scheduler.now() - epochMs);
      stopping = new Subject();
      counts = noCounts();
      const own: Runtime = { ...runtime, signal };
      const ports = { transport: virtualTransport(server, {}, own), sink: sink.forShard(name), store };
      running = pipeline({ ...scenario, shard, flushMs: 500, batchItemsMax: 20 }, ports, stopping, own)
        .pipe(ignoreElements())
        .subscribe({
          error: (error: unknown) => failures.push(messageOf(error)),
          complete: () => tell(`${name} has stopped in order`),
        });
    },
    crash() {
      tell(`${name} crashes`);
      running?.unsubscribe();
    },
    stop() {
      tell(`${name} is asked to stop`);
      stopping.next();
    },
  };
}

/** A write that takes its time: what has been sent is done even if its sender is gone by then. */
function slowly(runtime: Runtime, write: () => void): Observable<never> {
  return new Observable((subscriber) => {
    runtime.scheduler.schedule(() => {
      write();
      runtime.scheduler.schedule(() => subscriber.complete(), runtime.random() * 50);
    }, runtime.random() * 50);
  });
}

/** Signals that are worth a line in the story. */
function stateChange(signal: Signal): string | undefined {
  switch (signal.type) {
    case 'listStarted':
      return `lists ${signal.source} (${signal.cause}, by ${signal.by})`;
    case 'listFailed':
      return `list of ${signal.source} failed: ${signal.cause} ${signal.status ?? ''} ${signal.message}`;
    case 'watchEnded':
      return `watch of ${signal.source} ended: ${signal.cause} ${signal.status ?? ''}; next from ${signal.resumeFrom} in ${signal.waitMs} ms`;
    case 'gapDeclared':
      return `declares a gap (${signal.gap.cause}) after ${signal.gap.from} up to ${signal.gap.to}`;
    case 'storeRestored':
      return `finds the store restored: ${signal.position} is ahead of ${signal.resourceVersion}`;
    case 'readerPaused':
      return signal.paused ? 'pauses reading' : 'goes on reading';
    case 'warning':
      return `warns: ${signal.text}`;
    default:
      return undefined;
  }
}
