import { concatMap, defer, find, map, Observable, of, repeat } from 'rxjs';
import type { OpenFile } from './disk.ts';

/** A whole line of a file, without its LF. */
export interface FileLine {
  /** Its first byte. */
  readonly from: number;
  /** May be a view of a block: decode them at once. */
  readonly bytes: Buffer;
}

const blockBytes = 64 * 1024;
const lineFeed = 10;

/** Longer than any event can be: such a line is no line. */
const lineBytesMax = 64 * 1024 * 1024;

/**
 * Emits the whole lines between two places of a file, reading it block by block. What comes after the last LF is not told.
 *
 * State: a block and an unfinished line, at most 64 MiB; after a longer one nothing more is told.
 */
export function fileLines(file: OpenFile, from: number, end: number): Observable<FileLine> {
  return new Observable((subscriber) => {
    let rest: Buffer[] = [];
    let restBytes = 0;
    let lineFrom = from;
    let at = from;

    const tell = (block: Buffer): void => {
      let start = 0;
      for (let lf = block.indexOf(lineFeed); lf !== -1 && !subscriber.closed; lf = block.indexOf(lineFeed, start)) {
        const last = block.subarray(start, lf);
        subscriber.next({ from: lineFrom, bytes: rest.length === 0 ? last : Buffer.concat([...rest, last]) });
        start = lf + 1;
        lineFrom = at + start;
        [rest, restBytes] = [[], 0];
      }
      rest.push(block.subarray(start));
      restBytes += block.length - start;
      at += block.length;
    };
    subscriber.add(
      defer(() => file.read(at, Math.min(blockBytes, end - at)))
        .pipe(
          map((block) => {
            tell(block);
            return block.length === 0 || at >= end || restBytes > lineBytesMax;
          }),
          repeat(),
          find((isLast) => isLast),
        )
        .subscribe({ error: (error: unknown) => subscriber.error(error), complete: () => subscriber.complete() }),
    );
  });
}

/** Emits the line that begins at a place, or undefined if no LF ends it before `end`. Then completes. */
export function lineAt(file: OpenFile, from: number, end: number, bytes = blockBytes): Observable<string | undefined> {
  const wanted = Math.min(bytes, end - from);
  return file.read(from, wanted).pipe(
    concatMap((block) => {
      const lf = block.indexOf(lineFeed);
      if (lf !== -1) return of(block.toString('utf8', 0, lf));
      return block.length < wanted || wanted < bytes || bytes >= lineBytesMax ? of(undefined) : lineAt(file, from, end, bytes * 4);
    }),
  );
}

/** Emits where the last `pattern` begins that lies before `end`, or -1, reading backwards block by block. Then completes. */
export function lastPlaceOf(file: OpenFile, pattern: string, end: number): Observable<number> {
  let from = end;
  return defer(() => {
    // So far into the block before that a pattern across the border is seen.
    const before = Math.min(end, from + pattern.length - 1);
    from = Math.max(0, from - blockBytes);
    return file.read(from, before - from);
  }).pipe(
    map((block) => block.lastIndexOf(pattern)),
    map((place) => (place !== -1 ? from + place : from === 0 ? -1 : undefined)),
    repeat(),
    find((place) => place !== undefined),
    map((place) => place ?? -1),
  );
}
