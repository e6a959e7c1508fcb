import { defer, finalize, merge, type Observable } from 'rxjs';

/** Runs the readers of a recording and the player that feeds them; the player ends with them, or when `stop` emits. */
export function playedFor(
  readers: Observable<unknown>,
  stop: Observable<unknown>,
  play: (isOver: () => boolean, stopped: AbortSignal) => Promise<void>,
): Observable<unknown> {
  return defer(() => {
    const aborter = new AbortController();
    let over = false;
    const end = (): void => {
      over = true;
      aborter.abort();
    };
    const stopping = stop.subscribe(() => aborter.abort());
    const playing = defer(() => play(() => over, aborter.signal));
    return merge(readers.pipe(finalize(end)), playing).pipe(finalize(() => stopping.unsubscribe()));
  });
}
