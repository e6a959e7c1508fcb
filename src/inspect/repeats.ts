import type { EventObject } from '../model/kube.ts';

/** A count that grew by more than one between two revisions that were read. */
export interface CountJump {
  readonly atMs: number;
  readonly reason: string;
  readonly object: string;
  readonly from: number;
  readonly to: number;
}

export interface Repeats {
  /** Revisions that write an Event again: its count is above one, or it has a series. */
  readonly rewrites: number;
  /** Highest count that was read. */
  readonly countMax: number;
  readonly jumps: number;
  /** Repetitions that no revision of their own told. */
  readonly skipped: number;
  /** The greatest first. */
  readonly greatest: readonly CountJump[];
  /** True when there were too many Events at once to remember all: jumps of those forgotten are not seen. */
  readonly limited: boolean;
}

export interface RepeatCounts {
  add(revision: { readonly uid: string; readonly event: EventObject; readonly atMs: number; readonly object: string }): void;
  repeats(): Repeats;
}

export interface RepeatCountsSettings {
  /** Events whose last count is remembered, at least; those read longest ago are forgotten first. Default 50,000. */
  readonly eventsMax?: number;
  /** Jumps that are kept, the greatest. Default 20. */
  readonly greatestMax?: number;
}

/**
 * Compares each Event's count with the one read before. Clients count in memory and write at a limited rate, so a jump
 * is no loss by itself: it says how many repetitions have no revision of their own.
 */
export function repeatCounts({ eventsMax = 50_000, greatestMax = 20 }: RepeatCountsSettings = {}): RepeatCounts {
  // Two ages, because a map whose oldest is deleted again and again becomes slow.
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let greatest: CountJump[] = [];
  let [rewrites, countMax, jumps, skipped] = [0, 0, 0, 0];
  let limited = false;

  const remember = (uid: string, count: number): void => {
    young.set(uid, count);
    if (young.size <= eventsMax) return;
    limited ||= old.size > 0;
    [young, old] = [new Map(), young];
  };
  const keep = (jump: CountJump): void => {
    const last = greatest.at(-1);
    if (greatest.length === greatestMax && last !== undefined && sizeOf(jump) <= sizeOf(last)) return;
    greatest = [...greatest, jump].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, greatestMax);
  };

  return {
    add({ uid, event, atMs, object }) {
      const count = countOf(event);
      countMax = Math.max(countMax, count);
      if (count > 1) rewrites++;
      const before = young.get(uid) ?? old.get(uid);
      remember(uid, count);
      if (before === undefined || count <= before + 1) return;
      jumps++;
      skipped += count - before - 1;
      keep({ atMs, reason: textOf(event.reason), object, from: before, to: count });
    },
    repeats: () => ({ rewrites, countMax, jumps, skipped, greatest, limited }),
  };
}

/** How often it happened, as the Event says: once if it does not. */
export function countOf({ count, series }: EventObject): number {
  const [single, many] = [numberOf(count), numberOf(series?.count)];
  return Math.max(1, single, many);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function sizeOf({ from, to }: CountJump): number {
  return to - from;
}
