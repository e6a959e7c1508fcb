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
