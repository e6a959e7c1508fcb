import { concatMap, endWith, ignoreElements, map, type Observable, of, takeWhile, throwError } from 'rxjs';
import { PipelineError } from '../errors.ts';
import { type FiledCheckpoint, filedPrefix, isFiled, readFiled } from '../model/filedCheckpoint.ts';
import type { OpenFile } from '../transports/disk.ts';
import { type FileLine, fileLines, lastPlaceOf, lineAt } from '../transports/fileLines.ts';

/** An entry as its line tells it. */
export interface StoredEntry {
  /** First byte of its line. */
  readonly from: number;
  readonly insertId: string;
  readonly resourceVersion: string;
  readonly namespace: string;
  readonly isGap: boolean;
}

/** What the end of a file of entries says. */
export interface FileTail {
  /** Its last whole checkpoint. Absent: there is none, or the whole file was asked for. */
  readonly filed?: FiledCheckpoint;
  /** Bytes that are good. What comes after them was cut short, by a crash or a power cut, and never confirmed. */
  readonly length: number;
}

export interface FileTailSettings {
  readonly path: string;
  /** True: entries are read from the beginning on, whatever the checkpoint says, and what cannot be read is passed over. */
  readonly whole: boolean;
}

/** The line of a checkpoint, and where it begins. */
interface Mark {
  readonly from: number;
  readonly text: string;
}

/** A first line that was cut short is no longer than this. */
const firstLineBytesMax = 64 * 1024;

/**
 * Reads the end of a file of entries: finds its last checkpoint, tells `known` each entry that the checkpoint may not
 * be past, and emits where the good part ends. Changes nothing.
 *
 * A checkpoint line stands there only when all before it had survived a power cut. So a line that is no
 * JSON is a cut tail after the last checkpoint, and a damaged file before it. A power cut may leave
 * holes of zeros with whole lines behind them: the good part ends at the first bad line.
 * Errors: CHECKPOINT_INVALID for a file that is not ours, is damaged, or has a checkpoint of another format.
 */
export function fileTail(
  file: OpenFile,
  size: number,
  settings: FileTailSettings,
  known: (entry: StoredEntry) => void,
): Observable<FileTail> {
  if (size === 0) return of({ length: 0 });
  return file.read(0, Math.min(size, firstLineBytesMax)).pipe(
    concatMap((head) => {
      if (isTornFirstLine(head, size)) return of({ length: 0 });
      if (!head.toString('latin1').startsWith(filedPrefix)) return throwError(() => notOurs(settings));
      return lastMark(file, size, size).pipe(concatMap((mark) => goodPart(mark, file, size, settings, known)));
    }),
  );
}

/** Nothing is ever written behind a first line before that has survived a power cut. */
function isTornFirstLine(head: Buffer, size: number): boolean {
  const lf = head.indexOf('\n');
  if (size > head.length || (lf !== -1 && lf < size - 1)) return false;
  const text = head.toString('utf8', 0, lf === -1 ? size : lf).replace(/\0+$/, '');
  return (text.startsWith(filedPrefix) || filedPrefix.startsWith(text)) && (lf === -1 || !isFiled(text));
}

/** The last checkpoint line before `before` that is whole. */
function lastMark(file: OpenFile, before: number, size: number): Observable<Mark | undefined> {
  return lastPlaceOf(file, `\n${filedPrefix}`, before).pipe(
    concatMap((lf) => {
      const from = lf + 1; // -1: the file begins with one.
      return lineAt(file, from, size).pipe(
        concatMap((text) => {
          if (text !== undefined && isFiled(text)) return of({ from, text });
          return lf === -1 ? of(undefined) : lastMark(file, lf, size);
        }),
      );
    }),
  );
}

function goodPart(
  mark: Mark | undefined,
  file: OpenFile,
  size: number,
  settings: FileTailSettings,
  known: (entry: StoredEntry) => void,
): Observable<FileTail> {
  const { path, whole } = settings;
  if (mark === undefined && !whole) return throwError(() => damaged(settings, 0));
  const filed = mark === undefined || whole ? undefined : readFiled(mark.text, path);
  const confirmed = mark?.from ?? size;
  const since = filed?.since ?? 0;
  let length = since;
  if (since > confirmed) return throwError(() => damaged(settings, confirmed));
  return fileLines(file, since, size).pipe(
    takeWhile((line) => {
      const entry = entryIn(line);
      if (entry !== undefined) known(entry);
      else if (line.from > confirmed) return false;
      else if (!whole && !isFiled(line.bytes.toString('utf8'))) throw damaged(settings, line.from);
      length = line.from + line.bytes.length + 1;
      return true;
    }),
    ignoreElements(),
    endWith(undefined),
    map(() => ({ length, ...(filed === undefined ? {} : { filed }) })),
  );
}

function entryIn({ from, bytes }: FileLine): StoredEntry | undefined {
  const fields = fieldsOf(bytes.toString('utf8'));
  const { insertId, resourceVersion, eventNamespace: namespace, action } = fields;
  if (typeof insertId !== 'string' || typeof resourceVersion !== 'string' || typeof namespace !== 'string') return undefined;
  return { from, insertId, resourceVersion, namespace, isGap: action === 'GAP' };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {}; // A bad line, told by whoever knows where it stands.
  }
}

function notOurs({ path }: FileTailSettings): PipelineError {
  return new PipelineError(
    'CHECKPOINT_INVALID',
    `${path} was not written by kube-sluice, it does not begin with a checkpoint: choose another file`,
  );
}

function damaged({ path }: FileTailSettings, from: number): PipelineError {
  const why = `the line at byte ${from} had been confirmed and cannot be read any more`;
  return new PipelineError(
    'CHECKPOINT_INVALID',
    `${path} is damaged: ${why}; look after the disk, then go on with --checkpoint-reset or another file`,
  );
}
