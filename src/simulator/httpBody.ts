import type { ServerResponse } from 'node:http';
import type { Feed } from './feed.ts';

/** Longest time that a timer of Node can wait. */
const timerMsMax = 2_147_483_647;
const chunkBytesMax = 65_536;

/**
 * Sends a simulated body over a real connection: chunk by chunk as it comes, waiting while the
 * reader's side is full, until the body ends, breaks, or the reader goes away.
 */
export function httpBody(body: Feed, response: ServerResponse, now: () => number): void {
  let timer: NodeJS.Timeout | undefined;
  let full = false;
  let pumping = false;
  let over = false;
  let leaving = 0; // Writes that have not left this process.
  let breaking = false;

  const stop = (): void => {
    over = true;
    clearTimeout(timer);
    body.cancel();
  };
  const finish = (how: 'close' | 'reset'): void => {
    stop();
    if (how === 'close') response.end();
    else {
      breaking = true;
      breakOff();
    }
  };
  // Everything before the cut leaves first, so it is where it was asked for.
  const breakOff = (): void => {
    if (breaking && leaving === 0) setImmediate(() => response.socket?.destroy());
  };
  const left = (): void => {
    leaving -= 1;
    breakOff();
  };
  const pump = (): void => {
    if (over || full || pumping) return;
    clearTimeout(timer);
    pumping = true;
    for (;;) {
      const taken = body.take(chunkBytesMax);
      if (taken.type === 'end') {
        finish(taken.how);
        break;
      }
      if (taken.type === 'nothing') {
        const due = body.dueAt();
        if (due !== undefined) timer = setTimeout(pump, Math.min(timerMsMax, Math.max(1, Math.ceil(due - now()))));
        break;
      }
      leaving += 1;
      full = !response.write(taken.bytes, left);
      if (full) break;
    }
    pumping = false;
  };

  response.on('drain', () => {
    full = false;
    pump();
  });
  response.on('close', stop);
  response.on('error', stop); // A reader that left between two events; `close` follows.
  body.onReady(pump);
  pump();
}
