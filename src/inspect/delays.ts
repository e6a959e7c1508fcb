/** How many delays lie in [fromMs, toMs). */
export interface DelayBucket {
  readonly fromMs: number;
  readonly toMs: number;
  readonly count: number;
}

export interface Delays {
  /** Events with a delay: those that came by watch, with a time in them that is not ahead of the receipt. */
  readonly measured: number;
  /** Events whose own time was ahead of the receipt: clocks differ. */
  readonly ahead: number;
  /** Quantiles in milliseconds, right to a fifth. Absent: nothing was measured. */
  readonly p50Ms?: number;
  readonly p90Ms?: number;
  readonly p99Ms?: number;
  readonly maxMs?: number;
  /** From the first that holds anything to the last, without holes. */
  readonly buckets: readonly DelayBucket[];
}

export interface DelayCounts {
  add(delayMs: number): void;
  delays(): Delays;
}

/** Four buckets to a doubling. */
const perDoubling = 4;
/** Up to 2^34 ms, half a year; what took longer counts there. */
const bucketsMax = 34 * perDoubling + 1;

/** Counts delays in buckets that grow with them. The first is below 1 ms. */
export function delayCounts(): DelayCounts {
  const counts = new Array<number>(bucketsMax + 1).fill(0);
  let [measured, ahead, maxMs] = [0, 0, 0];

  const quantile = (share: number): number => {
    let left = Math.ceil(measured * share);
    const index = counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return index === bucketsMax ? maxMs : Math.min(boundMs(index + 1), maxMs);
  };

  return {
    add(delayMs) {
      if (delayMs < 0) {
        ahead++;
        return;
      }
      measured++;
      maxMs = Math.max(maxMs, delayMs);
      const index = indexOf(delayMs);
      counts[index] = (counts[index] ?? 0) + 1;
    },
    delays() {
      const first = counts.findIndex((count) => count > 0);
      const last = counts.findLastIndex((count) => count > 0);
      const buckets = counts
        .slice(first, last + 1)
        .map((count, offset) => ({ fromMs: boundMs(first + offset), toMs: boundMs(first + offset + 1), count }));
      return measured === 0
        ? { measured, ahead, buckets: [] }
        : { measured, ahead, p50Ms: quantile(0.5), p90Ms: quantile(0.9), p99Ms: quantile(0.99), maxMs, buckets };
    },
  };
}

function indexOf(delayMs: number): number {
  return delayMs < 1 ? 0 : Math.min(Math.floor(Math.log2(delayMs) * perDoubling) + 1, bucketsMax);
}

/** The lower bound of a bucket. */
function boundMs(index: number): number {
  return index === 0 ? 0 : 2 ** ((index - 1) / perDoubling);
}
