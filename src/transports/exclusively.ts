import { Observable } from 'rxjs';

/**
 * Makes a gate: works that are subscribed to through it run one after the other, in the order of their subscriptions.
 *
 * State: those that wait; whoever uses the gate bounds them. Time: none. Errors: passed on, the next one runs.
 * Unsubscribing gives a work up, or takes it out of the queue, and lets the next one run: for requests, whose
 * outcome may be unknown anyway.
 */
export function exclusively(): <T>(work: Observable<T>) => Observable<T> {
  const waiting: (() => void)[] = [];
  let running = false;
  const next = (): void => {
    const start = waiting.shift();
    running = start !== undefined;
    start?.();
  };
  return (work) =>
    new Observable((subscriber) => {
      const start = (): void => {
        subscriber.add(work.subscribe(subscriber));
      };
      subscriber.add(() => {
        const place = waiting.indexOf(start);
        if (place >= 0) waiting.splice(place, 1);
        else next();
      });
      if (running) {
        waiting.push(start);
      } else {
        running = true;
        start();
      }
    });
}
