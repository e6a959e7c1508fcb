import type { Readable } from 'node:stream';
import { Observable } from 'rxjs';

/**
 * Reads a body by pulling: while `paused` is true no chunk is asked for, the body's own small buffer
 * fills, and flow control stops the server. Chunks that lie ready come as one.
 *
 *     paused  t-----f---      true at first
 *     out     ------a-b-|
 *
 * State: none beside the body's buffer. Time: none. Order: kept. Errors: those of the body, at once, also while paused.
 * `onRead` hears the bytes of each read once they are handed on.
 * Completes at the body's clean end. Unsubscribing stops reading; ending the request is the caller's.
 */
export function bodyChunks(body: Readable, paused: Observable<boolean>, onRead?: (bytes: number) => void): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    let held = false;
    let pulling = false;

    const pull = (): void => {
      // A reader that pauses and goes on inside next() would call in here a second time.
      if (pulling) return;
      pulling = true;
      let bytes = 0;
      for (let chunk = next(); chunk !== null; chunk = next()) {
        bytes += chunk.length;
        subscriber.next(chunk);
      }
      pulling = false;
      if (bytes > 0) onRead?.(bytes);
    };
    const next = (): Uint8Array | null => (held || subscriber.closed ? null : (body.read() as Uint8Array | null));

    body.on('readable', pull);
    body.on('end', () => subscriber.complete());
    // Stays on for good: an abort after the end of interest must not become an uncaught error.
    body.on('error', (error) => subscriber.error(error));
    body.on('close', () => subscriber.error(new Error('the connection was closed')));
    subscriber.add(
      paused.subscribe((value) => {
        held = value;
        if (!held) pull();
      }),
    );
    return () => body.off('readable', pull);
  });
}
