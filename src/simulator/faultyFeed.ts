import type { Fault } from './faults.ts';
import { type Feed, nothing, type Taken } from './feed.ts';
import type { Ambient } from './object.ts';

type BodyFault = Extract<Fault, { type: 'cut' | 'silence' | 'slow' }>;

/** The same body with a fault on its way. */
export function faultyFeed(feed: Feed, fault: BodyFault, ambient: Ambient): Feed {
  switch (fault.type) {
    case 'cut':
      return limited(feed, fault.afterBytes, { type: 'end', how: fault.end });
    case 'silence':
      return limited(feed, fault.afterBytes, nothing);
    case 'slow':
      return slow(feed, fault.chunkBytes, fault.everyMs, ambient);
  }
}

/** Gives `last`, again and again, in place of everything after so many bytes. */
function limited(feed: Feed, bytes: number, last: Taken): Feed {
  let left = bytes;
  return {
    ...feed,
    take(bytesMax) {
      if (left <= 0) {
        feed.cancel();
        return last;
      }
      const taken = feed.take(Math.min(bytesMax, left));
      if (taken.type === 'bytes') left -= taken.bytes.length;
      return taken;
    },
    // Silence never ends by itself; a cut is due at once, and is found by asking.
    dueAt: () => (left > 0 ? feed.dueAt() : undefined),
  };
}

function slow(feed: Feed, chunkBytes: number, everyMs: number, ambient: Ambient): Feed {
  let openAt = ambient.now();
  // Remembered, because a real clock moves on between the question and the next.
  let waits = false;
  return {
    ...feed,
    take(bytesMax) {
      waits = ambient.now() < openAt;
      if (waits) return nothing;
      const taken = feed.take(Math.min(bytesMax, chunkBytes));
      if (taken.type === 'bytes') openAt = ambient.now() + everyMs;
      return taken;
    },
    dueAt: () => (waits ? openAt : feed.dueAt()),
  };
}
