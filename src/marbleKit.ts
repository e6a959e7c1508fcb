import { type RunHelpers, TestScheduler } from 'rxjs/testing';
import type { Runtime } from './runtime.ts';
import type { Signal } from './telemetry/signals.ts';

/** What a marble spec works with: RxJS's own run helpers, and a runtime in virtual time. */
export interface MarbleHelpers extends RunHelpers {
  readonly scheduler: TestScheduler;
  /** Virtual clock and timers (0 is the first frame, one frame is 1 ms), chance that is not, and `signals`. */
  readonly runtime: Runtime;
  /** What was signalled so far, in order. Call `flush()` before comparing it. */
  readonly signals: readonly Signal[];
  /** Sets what `runtime.random()` answers from now on. Range [0, 1), default 0.5. */
  setRandom(value: number): void;
}

/** Throws if the two differ, whole and deep; any assertion library has one. */
export type AssertDeepEqual = (actual: unknown, expected: unknown) => void;

/**
 * Makes a function that runs one marble spec in virtual time. Expectations are checked when the spec
 * returns, or at its own `flush()`; a difference is told by `assertDeepEqual`.
 */
export function marbleKit(assertDeepEqual: AssertDeepEqual): (spec: (helpers: MarbleHelpers) => void) => void {
  return (spec) => {
    const scheduler = new TestScheduler(assertDeepEqual);
    const signals: Signal[] = [];
    let chance = 0.5;
    const runtime: Runtime = {
      scheduler,
      random: () => chance,
      signal: (signal) => signals.push(signal),
    };
    const setRandom = (value: number): void => {
      chance = value;
    };
    scheduler.run((helpers) => spec({ ...helpers, scheduler, runtime, signals, setRandom }));
  };
}
