/** Counts within a stretch of time. */
export interface TimeBucket {
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly warnings: number;
  /** Of every other type. */
  readonly others: number;
}

export interface Timeline {
  readonly widthMs: number;
  /** In order and without holes. Empty: there was nothing. */
  readonly buckets: readonly TimeBucket[];
  /** Events before and after them, so few and so far away that they would hide the rest. */
  readonly before: number;
  readonly after: number;
}

export interface TimeBuckets {
  add(atMs: number, isWarning: boolean): void;
  /** At most `bucketsMax` buckets over the time in which nearly all events lie. */
  timeline(bucketsMax: number): Timeline;
}

interface Counted {
  warnings: number;
  others: number;
}

type Filled = readonly [index: number, counted: Counted];

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Each is a multiple of the one before, so that buckets can be put together. */
const widths = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400].map((seconds) => seconds * second);

/** So small a share of the events may lie outside at each end. */
const outsideShareMax = 0.001;

/**
 * Counts over time in bounded memory: up to `keptMax` stretches that hold anything, wider ones when there would
 * be more. A few events of another century take a stretch each and change nothing for the rest.
 */
export function timeBuckets(keptMax: number): TimeBuckets {
  let widthMs = second;
  let kept = new Map<number, Counted>();

  return {
    add(atMs, isWarning) {
      const counted = at(kept, Math.floor(atMs / widthMs));
      if (isWarning) counted.warnings++;
      else counted.others++;
      while (kept.size > keptMax) {
        const wider = widerThan(widthMs);
        kept = widened(kept, wider / widthMs);
        widthMs = wider;
      }
    },
    timeline(bucketsMax) {
      const filled = [...kept].sort(([a], [b]) => a - b);
      const [first, last] = shownRange(filled);
      const shown = filled.slice(first, last);
      const [start, end] = [shown[0]?.[0], shown.at(-1)?.[0]];
      const outside = { before: sumOf(filled.slice(0, first)), after: sumOf(filled.slice(last)) };
      if (start === undefined || end === undefined) return { widthMs, buckets: [], ...outside };
      let width = widthMs;
      while (Math.floor((end * widthMs) / width) - Math.floor((start * widthMs) / width) >= bucketsMax) width = widerThan(width);
      return { widthMs: width, buckets: filledUp(widened(new Map(shown), width / widthMs), width), ...outside };
    },
  };
}

function at(kept: Map<number, Counted>, index: number): Counted {
  const found = kept.get(index) ?? { warnings: 0, others: 0 };
  kept.set(index, found);
  return found;
}

function widerThan(widthMs: number): number {
  return widths.find((width) => width > widthMs) ?? widthMs * 2;
}

function widened(kept: ReadonlyMap<number, Counted>, factor: number): Map<number, Counted> {
  const wider = new Map<number, Counted>();
  for (const [index, { warnings, others }] of kept) {
    const counted = at(wider, Math.floor(index / factor));
    counted.warnings += warnings;
    counted.others += others;
  }
  return wider;
}

function filledUp(kept: ReadonlyMap<number, Counted>, widthMs: number): readonly TimeBucket[] {
  const indexes = [...kept.keys()].sort((a, b) => a - b);
  const [first, last] = [indexes[0] ?? 0, indexes.at(-1) ?? -1];
  return Array.from({ length: last - first + 1 }, (_, offset) => {
    const { warnings, others } = kept.get(first + offset) ?? { warnings: 0, others: 0 };
    return { startMs: (first + offset) * widthMs, warnings, others };
  });
}

/**
 * What to show of all: from each end a few may be left out, if what is shown is then less than half as long. Both
 * ends take turns, because what lies far away at one hides what lies far away at the other.
 */
function shownRange(filled: readonly Filled[]): readonly [first: number, last: number] {
  const outsideMax = sumOf(filled) * outsideShareMax;
  let [first, last] = [0, filled.length];
  for (let before = -1; before !== last - first; ) {
    before = last - first;
    first += cut(filled.slice(first, last), outsideMax - sumOf(filled.slice(0, first)));
    last -= cut(filled.slice(first, last).reverse(), outsideMax - sumOf(filled.slice(last)));
  }
  return [first, last];
}

/** How many to leave out at the beginning. */
function cut(filled: readonly Filled[], outsideMax: number): number {
  const spread = (from: number): number => Math.abs((filled.at(-1)?.[0] ?? 0) - (filled[from]?.[0] ?? 0)) + 1;
  let [outside, best] = [0, 0];
  for (let from = 1; from < filled.length; from++) {
    outside += sumOf(filled.slice(from - 1, from));
    if (outside > outsideMax) break;
    if (spread(from) * 2 < spread(best)) best = from;
  }
  return best;
}

function sumOf(buckets: readonly Filled[]): number {
  return buckets.reduce((sum, [, { warnings, others }]) => sum + warnings + others, 0);
}

/** `30 s`, `5 min`, `2 h`, `1 d`. */
export function widthText(widthMs: number): string {
  if (widthMs < minute) return `${widthMs / second} s`;
  if (widthMs < hour) return `${widthMs / minute} min`;
  return widthMs < day ? `${widthMs / hour} h` : `${widthMs / day} d`;
}
