import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';

/** Time that moves only when it is told to. */
export interface VirtualClock {
  readonly scheduler: SchedulerLike;
  /** Milliseconds since 1970. */
  now(): number;
  /** When the next timer is due. Absent: there is none. */
  next(): number | undefined;
  /** Runs the timers that are due until `atMs`, which is not in the past, and stands there. */
  advanceTo(atMs: number): void;
}

interface Timer {
  readonly atMs: number;
  /** Timers of one moment run in the order in which they were set. */
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
  isRun: boolean;
}

/** Cancelled timers stay where they are until they are so many, and most. */
const cancelledMax = 1_000;

/**
 * A clock at `startMs`, with timers in a heap. RxJS has a virtual scheduler too, but there a timer that
 * repeats becomes a chain of actions, one inside the other, which overflows the stack in its end.
 */
export function virtualClock(startMs: number): VirtualClock {
  let timers: Timer[] = [];
  let cancelled = 0;
  let nowMs = startMs;
  let order = 0;

  const first = (): Timer | undefined => {
    while (timers[0]?.cancelled === true) {
      takeFirst(timers);
      cancelled--;
    }
    return timers[0];
  };
  // A timer that has run is no longer in the heap.
  const cancel = (timer: Timer | undefined): void => {
    if (timer === undefined || timer.cancelled || timer.isRun) return;
    timer.cancelled = true;
    cancelled++;
    if (cancelled < cancelledMax || cancelled * 2 < timers.length) return;
    // Sorted by time is a heap as well.
    timers = timers.filter((each) => !each.cancelled).sort((a, b) => (isBefore(a, b) ? -1 : 1));
    cancelled = 0;
  };

  const scheduler: SchedulerLike = {
    now: () => nowMs,
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs = 0, state?: T): Subscription {
      let timer: Timer | undefined;
      const action = Object.assign(new Subscription(), {
        schedule(next?: T, ms = 0): Subscription {
          cancel(timer);
          timer = {
            atMs: nowMs + Math.max(ms, 0),
            order: order++,
            run: () => work.call(action as SchedulerAction<T>, next),
            cancelled: false,
            isRun: false,
          };
          put(timers, timer);
          return action;
        },
      });
      action.add(() => cancel(timer));
      return action.schedule(state, delayMs);
    },
  };

  return {
    scheduler,
    now: () => nowMs,
    next: () => first()?.atMs,
    advanceTo(atMs) {
      for (let timer = first(); timer !== undefined && timer.atMs <= atMs; timer = first()) {
        takeFirst(timers);
        timer.isRun = true;
        nowMs = timer.atMs;
        timer.run();
      }
      nowMs = atMs;
    },
  };
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.atMs === b.atMs ? a.order < b.order : a.atMs < b.atMs;
}

function put(heap: Timer[], timer: Timer): void {
  let at = heap.push(timer) - 1;
  for (let up = (at - 1) >> 1; at > 0 && isBefore(timer, heap[up] as Timer); up = (at - 1) >> 1) {
    heap[at] = heap[up] as Timer;
    at = up;
  }
  heap[at] = timer;
}

function takeFirst(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (let down = 1; down < heap.length; down = 2 * at + 1) {
    if (down + 1 < heap.length && isBefore(heap[down + 1] as Timer, heap[down] as Timer)) down++;
    if (!isBefore(heap[down] as Timer, last)) break;
    heap[at] = heap[down] as Timer;
    at = down;
  }
  heap[at] = last;
}
