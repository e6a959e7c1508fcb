import { Observable, type Subscription } from 'rxjs';
import type { Runtime } from '../runtime.ts';
import type { Feed } from './feed.ts';

export interface PullSettings {
  readonly body: Feed;
  /** The server's clock; it may stand elsewhere than the scheduler's, but runs as fast. */
  now(): number;
  /** Nothing is taken while the last value is true. */
  readonly paused: Observable<boolean>;
  /** Time from a write to its arrival, asked each time. */
  latencyMs(): number;
  /** Size of the next chunk, asked each time. */
  chunkBytes(): number;
  /** The error of a connection that breaks. */
  reset(): unknown;
}

/**
 * Emits the bytes of a simulated body in virtual time.
 *
 * State: one timer. Time: `latencyMs` after a write, and when the body is due. Order: kept.
 * Errors: a reset errors with `reset()`; what was taken before has been emitted.
 */
export function pull({ body, now, paused, latencyMs, chunkBytes, reset }: PullSettings, runtime: Runtime): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    let held = false;
    let pulling = false;
    let wake: { readonly at: number; readonly timer: Subscription } | undefined;

    const wakeAt = (at: number | undefined): void => {
      if (at === undefined || subscriber.closed || (wake !== undefined && wake.at <= at)) return;
      wake?.timer.unsubscribe();
      wake = { at, timer: runtime.scheduler.schedule(take, Math.max(0, at - now())) };
    };
    const take = (): void => {
      wake = undefined;
      pulling = true;
      while (!held && !subscriber.closed) {
        const taken = body.take(chunkBytes());
        if (taken.type === 'bytes') subscriber.next(taken.bytes);
        else if (taken.type === 'end') {
          if (taken.how === 'close') subscriber.complete();
          else subscriber.error(reset());
        } else {
          // Never at once: a body that has nothing now has nothing before time moves or a write wakes it.
          const due = body.dueAt();
          wakeAt(due === undefined ? undefined : Math.max(due, now() + 1));
          break;
        }
      }
      pulling = false;
    };

    subscriber.add(() => {
      wake?.timer.unsubscribe();
      body.cancel();
    });
    body.onReady(() => {
      // What becomes ready while pulling is found before the pulling stops.
      if (!pulling) wakeAt(now() + latencyMs());
    });
    subscriber.add(
      paused.subscribe((value) => {
        held = value;
        if (!held && !pulling) wakeAt(now());
      }),
    );
    wakeAt(now() + latencyMs());
  });
}
