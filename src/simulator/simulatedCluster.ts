import { setImmediate } from 'node:timers/promises'; // tidy-allow ambient: what the user's own code waits for is real
import type { KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import type { Signal } from '../telemetry/signals.ts';
import { type BusyClusterSettings, busyCluster } from './busyCluster.ts';
import { type Core, core } from './core.ts';
import { seededRandom } from './seededRandom.ts';
import { virtualClock } from './virtualClock.ts';
import { virtualTransport } from './virtualTransport.ts';

/** Which cluster, and how much goes on. */
export interface SimulatedClusterSettings extends BusyClusterSettings {
  /** Equal seeds and equal settings give equal clusters. Default 1. */
  readonly seed?: number;
  /** When it begins, RFC 3339. Default 2026-05-04T10:00:00Z. */
  readonly startsAt?: string;
  /** Time between two small pieces of activity, in milliseconds; 0: nothing happens but what you write. Default 1,000. */
  readonly stepMs?: number;
}

/** A cluster in this process and in virtual time, and all that a pipeline needs to read it. */
export interface SimulatedCluster {
  /** Its API server: write objects, cut connections, announce faults. */
  readonly server: Core;
  readonly transport: KubeTransport;
  /** Clock and timers of the cluster, seeded chance, and `signals`. */
  readonly runtime: Runtime;
  /** What was signalled so far, in order. */
  readonly signals: readonly Signal[];
  /** Another way to the same server, for a second pipeline. */
  connect(): KubeTransport;
  /** Lets so many milliseconds of virtual time pass. Between two timers, what your own code awaits gets its turn. */
  live(ms: number): Promise<void>;
  /** Lets time pass like `live`, and nothing happens but what you write: for everything on its way to arrive. */
  rest(ms: number): Promise<void>;
}

/**
 * Makes a cluster that tells its stories (rollouts, crash loops, jobs, a node that is drained) whenever it is let live.
 * Hours take milliseconds, and each run is like the one before.
 *
 * State: all that was ever written. Time: moves in `live` and `rest` only. Errors: none of its own.
 */
export function simulatedCluster(settings: SimulatedClusterSettings = {}): SimulatedCluster {
  const { seed = 1, startsAt = '2026-05-04T10:00:00Z', stepMs = 1_000, ...busy } = settings;
  const clock = virtualClock(Date.parse(startsAt));
  const signals: Signal[] = [];
  const runtime: Runtime = { scheduler: clock.scheduler, random: seededRandom(seed), signal: (signal) => void signals.push(signal) };
  // Chance of its own for each, so that the story does not depend on who reads it.
  const server = core({ resourceVersion: '1000' }, { now: clock.now, random: seededRandom(seed + 1) });
  const cluster = stepMs > 0 ? busyCluster(server, busy, seededRandom(seed + 2)) : undefined;
  let stepAt = cluster === undefined ? Number.POSITIVE_INFINITY : clock.now() + stepMs;
  const connect = (): KubeTransport => virtualTransport(server, {}, runtime);
  const pass = async (ms: number, lively: boolean): Promise<void> => {
    for (const until = clock.now() + ms; clock.now() < until; ) {
      const next = Math.min(clock.next() ?? until, lively ? stepAt : until, until);
      clock.advanceTo(Math.max(next, clock.now()));
      for (; clock.now() >= stepAt; stepAt += stepMs) if (lively) cluster?.step();
      await setImmediate(); // tidy-allow ambient: as said above
    }
  };
  return {
    server,
    transport: connect(),
    runtime,
    signals,
    connect,
    live: (ms) => pass(ms, true),
    rest: (ms) => pass(ms, false),
  };
}
