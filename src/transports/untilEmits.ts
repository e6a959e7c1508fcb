import { defer, type Observable, repeat, take, timer } from 'rxjs';
import type { Runtime } from '../runtime.ts';

/** Runs a step again and again until it emits, and emits that. `waitMs` is asked after each run that emitted nothing. */
export function untilEmits<T>(step: () => Observable<T>, waitMs: () => number, runtime: Runtime): Observable<T> {
  return defer(step).pipe(repeat({ delay: () => timer(waitMs(), runtime.scheduler) }), take(1));
}
