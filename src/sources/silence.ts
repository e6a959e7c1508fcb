import { Observable, Subject, type Subscription, timer } from 'rxjs';
import type { Runtime } from '../runtime.ts';

/** A clock that runs while nothing is heard. */
export interface Silence {
  /** Emits once when the limit has passed without a sound. */
  readonly passed: Observable<void>;
  /** Something was heard: the clock starts over. */
  heard(): void;
  /** Sets another limit, in milliseconds, and starts over. */
  limit(limitMs: number): void;
}

/**
 * Tells when nothing has been heard for `limitMs`. The clock stands still while `paused` is true:
 * who does not listen cannot complain of silence.
 *
 * State: the time of the last sound. Time: one timer, armed again for the rest when it fires
 * early, so that a sound costs nothing.
 */
export function silence(limitMs: number, paused: Observable<boolean>, runtime: Runtime): Silence {
  const { scheduler } = runtime;
  const limitChanged = new Subject<void>();
  let limit = limitMs;
  let heardAt = scheduler.now();
  const passed = new Observable<void>((subscriber) => {
    let armed: Subscription | undefined;
    const arm = (): void => {
      armed?.unsubscribe();
      armed = timer(Math.max(heardAt + limit - scheduler.now(), 0), scheduler).subscribe(() => {
        if (scheduler.now() - heardAt < limit) return arm();
        subscriber.next();
        subscriber.complete();
      });
    };
    heardAt = scheduler.now();
    arm();
    subscriber.add(() => armed?.unsubscribe());
    subscriber.add(limitChanged.subscribe(arm));
    subscriber.add(
      paused.subscribe((still) => {
        if (still) return armed?.unsubscribe();
        heardAt = scheduler.now();
        arm();
      }),
    );
  });
  return {
    passed,
    heard: () => {
      heardAt = scheduler.now();
    },
    limit: (next) => {
      limit = next;
      heardAt = scheduler.now();
      limitChanged.next();
    },
  };
}
