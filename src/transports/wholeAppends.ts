import { catchError, concat, concatMap, defer, EMPTY, type Observable, tap, throwError } from 'rxjs';
import { messageOf, PipelineError } from '../errors.ts';
import type { OpenFile } from './disk.ts';

/** The end of a file to which one process writes, one call after the other. */
export interface WholeAppends {
  /** Bytes that are good. */
  length(): number;
  /** Writes all of it; an error of the system means none of it. */
  append(bytes: Uint8Array): Observable<never>;
  /** Completes when everything written so far survives a power cut. */
  sync(): Observable<never>;
  /** Errors with SINK_FAILED if somebody else has written to the file or cut it. */
  confirm(): Observable<never>;
}

/**
 * Appends that are there as a whole or not at all: what a failed one has left behind is cut off, at once or
 * before the next.
 *
 * State: the good length. Time: none. Errors: the system's, after which the call may be made again; SINK_FAILED when a
 * sync fails, because the system then forgets what it could not write, and a second sync would say that all is well.
 */
export function wholeAppends(file: OpenFile, path: string, goodLength: number): WholeAppends {
  let length = goodLength;
  let isUnsynced = true; // Of what an earlier process wrote, too, nobody knows it.
  let isDamaged = false;

  const mended = (): Observable<never> =>
    defer(() => (isDamaged ? file.truncate(length) : EMPTY)).pipe(
      tap({
        complete: () => {
          isDamaged = false;
        },
      }),
    );
  return {
    length: () => length,
    append: (bytes) => {
      const appended = file.append(bytes).pipe(
        tap({
          complete: () => {
            length += bytes.length;
            isUnsynced = true;
          },
        }),
        catchError((error: unknown) => {
          isDamaged = true;
          const failed = throwError(() => error);
          return concat(mended(), failed).pipe(catchError(() => failed));
        }),
      );
      return concat(mended(), appended);
    },
    sync: () =>
      defer(() => (isUnsynced ? file.sync() : EMPTY)).pipe(
        catchError((error: unknown) => throwError(() => failed(path, `what was written may be lost: ${messageOf(error)}`, error))),
        tap({
          complete: () => {
            isUnsynced = false;
          },
        }),
      ),
    confirm: () =>
      concat(
        mended(),
        defer(() => file.size()).pipe(
          concatMap((size) => {
            const why = `it has ${size} bytes where ${length} were written; somebody else has changed it`;
            return size === length ? EMPTY : throwError(() => failed(path, why));
          }),
        ),
      ),
  };
}

function failed(path: string, why: string, cause?: unknown): PipelineError {
  return new PipelineError('SINK_FAILED', `${path}: ${why}`, { cause });
}
