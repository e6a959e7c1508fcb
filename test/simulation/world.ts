import type { Shard } from '../../src/model/shard.ts';
import type { Runtime } from '../../src/runtime.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { type BusyCluster, busyCluster, type Core, core, seededRandom } from '../../src/testing.ts';
import { type Life, life } from './life.ts';
import { type ModelSink, modelSink } from './modelSink.ts';
import type { Scenario, ShardMap } from './scenario.ts';
import { replace } from './unsettle.ts';

/** A simulated server, a cluster that writes to it, a sink, and the containers that export. */
export interface World {
  readonly server: Core;
  readonly cluster: BusyCluster;
  readonly sink: ModelSink;
  readonly runtime: Runtime;
  readonly scenario: Scenario;
  /** Every container that ever ran, in order. */
  readonly lives: readonly Life[];
  /** Broken promises that only a look at the time shows. */
  readonly witnessed: string[];
  /** One line per thing that happened, for a seed that fails. */
  readonly story: readonly string[];
  tell(text: string): void;
  /** Starts a container for a shard. A pod keeps its uid when only its container starts again. */
  run(shard: Shard, podUid?: string): Life;
  /** A container that ended by itself is started again. */
  restart(life: Pick<Life, 'shard' | 'name' | 'podUid'>): void;
  running(): readonly Life[];
  /** The map that is wanted now. */
  map(): ShardMap;
  nextMap(): ShardMap;
  later(afterMs: number, work: () => void): void;
  advanceTo(ms: number): void;
}

/** A real date, so that times of entries are not those of 1970. */
export const epochMs = Date.UTC(2026, 4, 4, 10);

export function world(scenario: Scenario): World {
  const clock = virtualClock(epochMs);
  const random = seededRandom(scenario.seed ^ 0x5eed);
  const story: string[] = [];
  const lives: Life[] = [];
  let at = 0;
  const runtime: Runtime = { scheduler: clock.scheduler, random, signal: () => undefined };
  const server = core({ resourceVersion: scenario.startVersion, compactEveryMs: 300_000 }, { now: clock.now, random });
  const made: World = {
    server,
    cluster: busyCluster(server, { pods: 24, stories: 5 }, random),
    sink: modelSink(scenario.sink, runtime),
    runtime,
    scenario,
    lives,
    witnessed: [],
    story,
    tell(text) {
      story.push(`${((clock.now() - epochMs) / 1000).toFixed(3).padStart(9)} s  ${text}`);
    },
    run(shard, podUid = `pod-${lives.length}`) {
      const started = life(shard, podUid, made);
      lives.push(started);
      return started;
    },
    restart: (one) => made.later(10_000, () => replace(one, one.podUid, made)),
    map: () => scenario.maps[at % scenario.maps.length] as ShardMap,
    nextMap() {
      at += 1;
      return made.map();
    },
    running: () => lives.filter((one) => one.end() === undefined),
    later: (afterMs, work) => void clock.scheduler.schedule(work, afterMs),
    advanceTo: (ms) => clock.advanceTo(epochMs + ms),
  };
  return made;
}
