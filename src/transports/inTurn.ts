import { defer, Observable } from 'rxjs';

/**
 * Makes a queue: works run one after the other, in the order of their subscriptions, each to its end. Who
 * unsubscribes hears no more of it; a work that has not begun by then is left out.
 *
 * State: works that wait; whoever uses the queue bounds them. Time: none. Errors: passed on, the next one runs.
 * For disks: what they have begun cannot be called back, and the next work must find it done.
 */
export function inTurn(): <T>(work: () => Observable<T>) => Observable<T> {
  const waiting: (() => void)[] = [];
  let running = false;
  let starting = false;

  /** A loop, because works that end at once must not nest. */
  const goOn = (): void => {
    if (starting) return;
    starting = true;
    while (!running) {
      const start = waiting.shift();
      if (start === undefined) break;
      start();
    }
    starting = false;
  };
  return (work) =>
    new Observable((subscriber) => {
      const end = (tell: () => void): void => {
        tell();
        running = false;
        goOn();
      };
      waiting.push(() => {
        if (subscriber.closed) return;
        running = true;
        defer(work).subscribe({
          next: (value) => subscriber.next(value),
          error: (error: unknown) => end(() => subscriber.error(error)),
          complete: () => end(() => subscriber.complete()),
        });
      });
      goOn();
    });
}
