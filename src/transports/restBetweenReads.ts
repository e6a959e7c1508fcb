import type { SchedulerLike } from 'rxjs';

/** How reads are put together while much comes. */
export interface Coalescing {
  /** How long the process rests between reads, in milliseconds. */
  readonly restMs: number;
  readonly scheduler: SchedulerLike;
  /** Stops the whole process for so long: what arrives meanwhile lies in the kernel and wakes nobody. */
  readonly rest: (ms: number) => void;
}

/**
 * When `restMs` brought so much there is no rest: a process that is behind, or that a list is streamed to, works on. Half of what an
 * HTTP/2 stream may hold unread here, so that no server ever waits for a process that rests.
 */
const restlessBytes = 128 * 1024;

/**
 * Lets the process rest between reads while much comes, for being woken costs more than a line. Told of each read and its bytes.
 *
 * What comes later than `restMs` after the last read or rest came alone and is no reason to rest, so it is never held up. When reads have
 * come for `restMs`, rests included, the process rests once this turn of the event loop is over, after what its batches have to send.
 * State: one for all bodies of a process, because the rest is everybody's. Time: `restMs` at a time.
 */
export function restBetweenReads({ restMs, scheduler, rest }: Coalescing): (bytes: number) => void {
  let busySince = Number.NEGATIVE_INFINITY;
  let activeAt = busySince;
  let bytes = 0;
  let planned = false;

  const decide = (): void => {
    const isLittle = bytes < restlessBytes;
    [planned, bytes, busySince] = [false, 0, scheduler.now()];
    if (isLittle) rest(restMs);
    activeAt = scheduler.now();
  };
  return (readBytes) => {
    const now = scheduler.now();
    const isAlone = now < activeAt || now - activeAt > restMs; // Before it: the clock was set back.
    activeAt = now;
    if (isAlone && !planned) [busySince, bytes] = [now, 0];
    bytes += readBytes;
    if (planned || now - busySince < restMs) return;
    planned = true;
    scheduler.schedule(decide, 0);
  };
}
