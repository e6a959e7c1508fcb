import { catchError, concat, concatMap, defer, EMPTY, type Observable, throwError } from 'rxjs';
import { messageOf, PipelineError } from '../errors.ts';
import type { Entry, Refusal } from '../model/entry.ts';
import type { Runtime } from '../runtime.ts';
import { type Disk, disk, type OpenFile } from '../transports/disk.ts';
import type { FileLock } from '../transports/fileLock.ts';
import { inTurn } from '../transports/inTurn.ts';
import { untilWritten } from '../transports/untilWritten.ts';
import { type WholeAppends, wholeAppends } from '../transports/wholeAppends.ts';
import { type EntryLineSettings, entryLine } from './entryLine.ts';

/** Which file, and what its lines say. */
export interface RefusedFileSettings extends Pick<EntryLineSettings, 'cluster'> {
  readonly path: string;
  /** Default the file system of this machine. */
  readonly disk?: Disk;
}

/** Where entries go that no try will ever store. Order of calls: `open`, `keep` as often as needed, `close`. */
export interface RefusedFile {
  /** Errors with CONFIG_INVALID for a place that cannot be used. */
  open(): Observable<never>;
  /** Completes when the refusals are there and survive a power cut. */
  keep(refusals: readonly Refusal[]): Observable<never>;
  close(): Observable<never>;
}

/**
 * Appends refusals as JSON lines: `refused` says why, the rest is the line of the file sink. It is the only place where such
 * an entry is left, so it is there before the position moves past it. A crash right then can repeat a line.
 *
 * State: none. Time: that of untilWritten, while there is no room: what waits for it is not acknowledged.
 * Errors: SINK_FAILED when a sync fails. Of an Event that cannot be read only its version, and its uid if it had one, are known.
 */
export function refusedFile({ path, cluster, disk: on = disk() }: RefusedFileSettings, runtime: Runtime): RefusedFile {
  const lineOf = entryLine(cluster === undefined ? {} : { cluster });
  const inOrder = inTurn();
  let lock: FileLock | undefined;
  let file: OpenFile | undefined;
  let end: WholeAppends | undefined;

  const opened = (openFile: OpenFile): Observable<never> => {
    file = openFile;
    return openFile.size().pipe(
      concatMap((size) => {
        const appends = wholeAppends(openFile, path, size);
        end = appends;
        return endsInLine(openFile, size).pipe(concatMap((whole) => (whole ? EMPTY : appends.append(Buffer.from('\n')))));
      }),
    );
  };
  return {
    open: () =>
      inOrder(() => {
        lock = on.lock(path);
        return on.open(path).pipe(concatMap(opened));
      }).pipe(catchError((error: unknown) => throwError(() => unusable(path, error)))),
    keep: (refusals) =>
      inOrder(() => {
        if (end === undefined) throw new PipelineError('SINK_FAILED', `${path} is written to without being open`);
        return concat(end.append(Buffer.from(refusals.map((refusal) => `${lineOfRefusal(refusal, lineOf)}\n`).join(''))), end.sync());
      }).pipe(untilWritten(`the refused entries in ${path}`, runtime)),
    close: () =>
      inOrder(() => {
        const [leaving, closing] = [lock, file];
        [lock, file, end] = [undefined, undefined, undefined];
        leaving?.release();
        return closing?.close() ?? EMPTY;
      }),
  };
}

/** Half a line, left by a kill, stays what it is: it may be somebody else's. */
function endsInLine(file: OpenFile, size: number): Observable<boolean> {
  return defer(() => file.read(Math.max(0, size - 1), 1)).pipe(concatMap((last) => [size === 0 || last.toString() === '\n']));
}

function lineOfRefusal({ outgoing, reason }: Refusal, lineOf: (entry: Entry) => string): string {
  const why = JSON.stringify({ refused: reason });
  try {
    if (outgoing.type === 'entry') return `${why.slice(0, -1)},${lineOf(outgoing).slice(1)}`;
  } catch {
    // That it is no JSON is the reason then, and what follows is all that can be said.
  }
  return JSON.stringify({ refused: reason, eventUID: outgoing.uid, resourceVersion: outgoing.resourceVersion });
}

function unusable(path: string, error: unknown): PipelineError {
  return new PipelineError('CONFIG_INVALID', `the file of refused entries ${path} cannot be used: ${messageOf(error)}`, { cause: error });
}
