import { asyncScheduler, type SchedulerLike } from 'rxjs';
import type { Signal } from './telemetry/signals.ts';

/** Everything ambient that a stage may use: time, chance, and a place to tell what happened. */
export interface Runtime {
  /** Clock (`now`, milliseconds since 1970) and timers. */
  readonly scheduler: SchedulerLike;
  /** Uniform in [0, 1). */
  random(): number;
  /** Tells logs, metrics and probes. Must not throw and must not wait. */
  signal(signal: Signal): void;
}

/** The real clock, real timers and real chance. */
export function liveRuntime(signal: (signal: Signal) => void): Runtime {
  return { scheduler: asyncScheduler, random: Math.random, signal };
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

/** Stops this process for so long, in milliseconds: nothing runs, and nothing that arrives wakes it. */
export function standStill(ms: number): void {
  Atomics.wait(neverWoken, 0, 0, ms);
}
