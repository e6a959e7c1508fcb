import { type SchedulerLike, VirtualTimeScheduler } from 'rxjs';

/** Time that moves only when it is told to. */
export interface VirtualClock {
  readonly scheduler: SchedulerLike;
  /** Milliseconds since 1970. */
  now(): number;
  /** When the next timer is due. Absent: there is none. */
  next(): number | undefined;
  /** Runs the timers that are due until `atMs`, which is not in the past, and stands there. */
  advanceTo(atMs: number): void;
}

export function virtualClock(startMs: number): VirtualClock {
  const scheduler = new VirtualTimeScheduler();
  scheduler.frame = startMs;
  return {
    scheduler,
    now: () => scheduler.frame,
    next: () => scheduler.actions[0]?.delay,
    advanceTo(atMs) {
      scheduler.maxFrames = atMs;
      scheduler.flush();
      scheduler.frame = atMs;
    },
  };
}
