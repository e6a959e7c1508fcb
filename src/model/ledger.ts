import type { Bookmark, Gap, RelistDone, RelistStarted } from './change.ts';
import type { Position } from './checkpoint.ts';
import type { Occurrence } from './occurrence.ts';
import { isBefore, isDecimal, type ResourceVersion } from './resourceVersion.ts';

/** One slot's place in stream order. Closing it is setting `open` to false. */
export interface Mark {
  open: boolean;
  /** The position once this mark and all before it are closed. Absent: it moves nothing. */
  moves?: Position;
}

/** The order of one reader's slots, and the position that follows from the closed ones. */
export interface Ledger {
  readonly scope: string;
  open(item: Occurrence | Gap): Mark;
  control(item: RelistStarted | RelistDone | Bookmark): void;
  /** Forgets closed marks from the front; the position if it moved. */
  settle(): Position | undefined;
}

/**
 * Keeps marks from the oldest open slot on. A bookmark or the end of a list joins the mark before it,
 * so runs of them cost nothing. Inside a list occurrences move nothing: its items come in the server's
 * order. A restored store starts a new incarnation at `earliest`, for versions of the old one have no
 * meaning in it: a crash right then must list anew and not trust a version that the new one outgrows.
 */
export function ledger(scope: string, start: Position): Ledger {
  const marks: Mark[] = [];
  let first = 0;
  let inBracket = false;
  let incarnation = start.incarnation;
  let latest = start.at;
  let reached: Position | undefined;

  /** A position has an order and never goes back: a repeated revision may come as an older bookmark. */
  const moves = (at: ResourceVersion): boolean => {
    if (!isDecimal(at) || (latest !== 'earliest' && isBefore(at, latest))) return false;
    latest = at;
    return true;
  };
  const move = (at: ResourceVersion | 'earliest'): void => {
    const position: Position = { at, incarnation };
    const last = marks.length > first ? marks[marks.length - 1] : undefined;
    if (last === undefined) reached = position;
    else last.moves = position;
  };
  const compact = (): void => {
    if (first < 1024 || first * 2 < marks.length) return;
    marks.splice(0, first);
    first = 0;
  };

  return {
    scope,
    open(item) {
      const moving = item.type === 'occurrence' && !inBracket && moves(item.resourceVersion);
      const mark: Mark = moving ? { open: true, moves: { at: item.resourceVersion, incarnation } } : { open: true };
      marks.push(mark);
      return mark;
    },
    control(item) {
      switch (item.type) {
        case 'relistStarted':
          inBracket = true;
          if (item.cause === 'restored') {
            incarnation += 1;
            latest = 'earliest';
            move('earliest');
          }
          return;
        case 'relistDone':
          inBracket = false;
          if (moves(item.resourceVersion)) move(item.resourceVersion);
          return;
        case 'bookmark':
          if (!inBracket && moves(item.resourceVersion)) move(item.resourceVersion);
          return;
      }
    },
    settle() {
      for (let mark = marks[first]; mark !== undefined && !mark.open; mark = marks[++first]) reached = mark.moves ?? reached;
      if (first === marks.length && first > 0) {
        marks.length = 0;
        first = 0;
      }
      compact();
      const position = reached;
      reached = undefined;
      return position;
    },
  };
}
