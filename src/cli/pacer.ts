import { setTimeout } from 'node:timers/promises';

export interface PacerSettings {
  /** How many recorded seconds pass in one; Infinity does not wait. */
  readonly speed: number;
  /** Longest wait from one recorded moment to the next, in milliseconds of real time. Default without limit. */
  readonly pauseMaxMs?: number;
}

/** Ties recorded time to real time. */
export interface Pacer {
  /** What was recorded next happens at `toMs`; it is `fromMs` now. Both in recorded time. */
  plan(fromMs: number, toMs: number): void;
  /** Resolves when recorded time may move to `atMs`, or when it is stopped. */
  until(atMs: number): Promise<void>;
  /** Milliseconds of real time that lie before the moment planned last, if nothing held things up. */
  plannedMs(): number;
}

/**
 * Paces a replay by `speed`; a pause longer than `pauseMaxMs` is squeezed into it, with everything that happens meanwhile.
 * What comes late does not delay what follows.
 */
export function pacer({ speed, pauseMaxMs = Number.POSITIVE_INFINITY }: PacerSettings, startMs: number, stop: AbortSignal): Pacer {
  const beganAt = Date.now();
  let from = { recorded: startMs, real: 0 };
  let to = from;

  /** When a recorded moment is due, after the beginning: between the two known moments in proportion, later by the speed. */
  const dueMs = (atMs: number): number => {
    if (atMs >= to.recorded) return to.real + (atMs - to.recorded) / speed;
    return from.real + ((to.real - from.real) * (atMs - from.recorded)) / (to.recorded - from.recorded);
  };

  return {
    plan(fromMs, toMs) {
      from = { recorded: fromMs, real: dueMs(fromMs) };
      to = { recorded: toMs, real: from.real + Math.min((toMs - fromMs) / speed, pauseMaxMs) };
    },
    async until(atMs) {
      const waitMs = beganAt + dueMs(atMs) - Date.now();
      if (waitMs > 0 && !stop.aborted) await setTimeout(waitMs, undefined, { signal: stop }).catch(() => undefined);
    },
    plannedMs: () => to.real,
  };
}
