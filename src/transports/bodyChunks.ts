import type { Readable } from 'node:stream';
import { Observable, type SchedulerLike, type Subscription } from 'rxjs';

/** How reads are put together. */
export interface Coalescing {
  /** Least time between two reads, in milliseconds, while they bring little. */
  readonly readEveryMs: number;
  readonly scheduler: SchedulerLike;
}

/** A read that brought so much has used what the body keeps well: the next one need not wait to bring as much. */
const fullReadBytes = 32 * 1024;

/**
 * Reads a body by pulling: while `paused` is true no chunk is asked for, the body's own small buffer
 * fills, and flow control stops the server. Chunks that lie ready come as one.
 *
 *     paused  t-----f---      true at first
 *     out     ------a-b-|
 *
 * State: none beside the body's buffer. Order: kept. Errors: those of the body, at once, also while paused.
 * Time: none without `coalescing`. With it, what comes alone leaves at once, and what comes within `readEveryMs` of the
 * last read is read when they have passed: waking the stages costs more than a line. A body that breaks off meanwhile
 * takes what was not read with it, and its reader asks for it again.
 * Completes at the body's clean end. Unsubscribing stops reading; ending the request is the caller's.
 */
export function bodyChunks(body: Readable, paused: Observable<boolean>, coalescing?: Coalescing): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    let held = false;
    let pulling = false;
    let readAt = Number.NEGATIVE_INFINITY;
    let readBytes = 0;
    let waiting: Subscription | undefined;

    const pull = (): void => {
      // A reader that pauses and goes on inside next() would call in here a second time.
      if (pulling) return;
      waiting?.unsubscribe();
      waiting = undefined;
      pulling = true;
      readBytes = 0;
      for (let chunk = next(); chunk !== null; chunk = next()) {
        readBytes += chunk.length;
        if (coalescing !== undefined) readAt = coalescing.scheduler.now();
        subscriber.next(chunk);
      }
      pulling = false;
    };
    const next = (): Uint8Array | null => (held || subscriber.closed ? null : (body.read() as Uint8Array | null));
    const pullInTime = (): void => {
      if (waiting !== undefined) return;
      const waitMs = coalescing === undefined || readBytes >= fullReadBytes ? 0 : waitOf(coalescing, readAt);
      if (coalescing === undefined || waitMs <= 0) pull();
      else waiting = coalescing.scheduler.schedule(pull, waitMs);
    };

    body.on('readable', pullInTime);
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
    return () => {
      waiting?.unsubscribe();
      body.off('readable', pullInTime);
    };
  });
}

/** A clock that is set back must not make anybody wait for longer. */
function waitOf({ readEveryMs, scheduler }: Coalescing, readAt: number): number {
  return Math.min(readAt + readEveryMs - scheduler.now(), readEveryMs);
}
