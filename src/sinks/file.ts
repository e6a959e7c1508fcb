import { catchError, concat, concatMap, defer, EMPTY, endWith, finalize, map, NEVER, type Observable, of, throwError } from 'rxjs';
import { messageOf, PipelineError } from '../errors.ts';
import type { Checkpoint, CheckpointMeaning, Positions } from '../model/checkpoint.ts';
import type { Entry } from '../model/entry.ts';
import { filedText } from '../model/filedCheckpoint.ts';
import type { CheckpointStore, Sink, SinkResult } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { type Disk, disk, type OpenFile } from '../transports/disk.ts';
import type { FileLock } from '../transports/fileLock.ts';
import { inTurn } from '../transports/inTurn.ts';
import { untilWritten } from '../transports/untilWritten.ts';
import { type EntryLineSettings, entryLine } from './entryLine.ts';
import { type ResumedFile, resumeFile } from './resumeFile.ts';

/** Which file, and what its lines say. */
export interface FileSettings extends Pick<EntryLineSettings, 'cluster'> {
  readonly path: string;
  /** URL of the API server: versions of another mean nothing here. Default empty. */
  readonly server?: string;
  /** True: the position in the file is given up; what stands in the file is still not written again. Default false. */
  readonly reset?: boolean;
  /** Entries of an earlier life that are remembered until the position is past them. Default 1,000,000. */
  readonly knownMax?: number;
  /** Default the file system of this machine. */
  readonly disk?: Disk;
}

/** A sink that is its own checkpoint store. It has to be held before it is written to. */
export type FileSink = Sink & CheckpointStore;

/** The open file, while it is ours. */
interface Held extends Omit<ResumedFile, 'stored'> {
  readonly lock: FileLock;
  /** Those of the last checkpoint line. */
  positions: Positions;
}

/**
 * Appends entries to a file as JSON lines, and checkpoints as lines between them. Each revision stands in it once,
 * whatever is killed when: the file itself says what it has.
 *
 * State: the keys that an earlier life had written beyond its position, at most `knownMax`; where the entries that the
 * position is not past begin, a few bytes per 16 KiB. Time: that of untilWritten, while a checkpoint cannot be written.
 * Order: that of the calls. A batch is written as a whole or not at all, and acknowledged when the system has it, which
 * survives the end of the process. A checkpoint line is written when all before it survives a power cut, and is
 * saved when it does so itself.
 * Errors: entries that could not be written are answered `retry`; an entry that is no JSON is refused. SHARD_HELD at once
 * if another process has the file; CHECKPOINT_INVALID if its position means something else, or it is not ours;
 * CONFIG_INVALID for a place that cannot be used; SINK_FAILED if somebody else changes the file, or a sync fails.
 */
export function file(settings: FileSettings, runtime: Runtime): FileSink {
  const { path, server = '', disk: on = disk() } = settings;
  const resuming = { path, server, reset: settings.reset ?? false, knownMax: settings.knownMax ?? 1_000_000 };
  const lineOf = entryLine(settings);
  const inOrder = inTurn();
  let lock: FileLock | undefined;
  let openFile: OpenFile | undefined;
  let held: Held | undefined;

  const mine = (): Held => {
    if (held === undefined) throw new PipelineError('SINK_FAILED', `${path} is written to without being held`);
    return held;
  };
  const open = (meaning: CheckpointMeaning): Observable<Checkpoint | undefined> => {
    const ours = on.lock(path);
    lock = ours;
    return on.open(path).pipe(
      concatMap((opened) => {
        openFile = opened;
        return resumeFile(opened, meaning, resuming, runtime);
      }),
      map(({ stored, ...resumed }) => {
        held = { ...resumed, lock: ours, positions: stored?.positions ?? {} };
        return stored;
      }),
    );
  };
  const close = (): Observable<never> =>
    inOrder(() => {
      const [leaving, closing] = [lock, openFile];
      [lock, openFile, held] = [undefined, undefined, undefined];
      leaving?.release();
      return closing?.close() ?? EMPTY;
    }).pipe(
      catchError((error: unknown) => {
        runtime.signal({ type: 'warning', text: `${path} was not closed in order: ${messageOf(error)}` });
        return EMPTY;
      }),
    );

  return {
    identity: 'file', // Not the path: the file that is at hand says itself what it has, and may be moved.
    hold: (meaning) =>
      concat(inOrder(() => open(meaning)).pipe(catchError((error: unknown) => throwError(() => unusable(path, error)))), NEVER).pipe(
        finalize(() => close().subscribe()),
      ),
    write: (batch) => inOrder(() => write(batch, mine(), lineOf)),
    save: (checkpoint) => inOrder(() => save(checkpoint, mine(), server)).pipe(untilWritten(`a checkpoint in ${path}`, runtime)),
    release: () =>
      concat(
        inOrder(() => held?.end.sync() ?? EMPTY),
        close(),
      ),
  };
}

function write(batch: readonly Entry[], held: Held, lineOf: (entry: Entry) => string): Observable<readonly SinkResult[]> {
  const { end, known, covered } = held;
  const lines: string[] = [];
  const written: Entry[] = [];
  const results = batch.map((entry): SinkResult => {
    if (known.has(entry.insertId)) return { type: 'stored' };
    try {
      lines.push(`${lineOf(entry)}\n`);
    } catch {
      return { type: 'refused', reason: 'unencodable' };
    }
    written.push(entry);
    return { type: 'stored' };
  });
  if (written.length === 0) return of(results);
  const from = end.length();
  const remember = defer(() => {
    for (const entry of written) covered.add(from, namespaceOf(entry), entry.resourceVersion);
    return EMPTY;
  });
  return concat(end.append(Buffer.from(lines.join(''))), remember).pipe(
    endWith(results),
    catchError((error: unknown) => {
      if (error instanceof PipelineError) return throwError(() => error);
      const retry: SinkResult = { type: 'retry', reason: `the file cannot be written: ${codeOf(error)}` };
      const isWritten = new Set(written);
      return of(results.map((result, at) => (isWritten.has(batch[at] as Entry) ? retry : result)));
    }),
  );
}

function save(checkpoint: Checkpoint, held: Held, server: string): Observable<never> {
  const { lock, end, covered, known, knownEnd } = held;
  lock.confirm();
  return concat(
    end.confirm(),
    end.sync(),
    defer(() => {
      // Of the checkpoint before: whoever keeps another store beside this file may still resume from that.
      const since = covered.since(held.positions, end.length());
      if (since >= knownEnd) known.clear();
      return end.append(Buffer.from(`${filedText({ checkpoint, server, since })}\n`));
    }),
    end.sync(),
    defer(() => {
      held.positions = checkpoint.positions;
      return EMPTY;
    }),
  );
}

/** Undefined for a gap record, which does not say whose it is. */
function namespaceOf({ action, payload }: Entry): string | undefined {
  if (action === 'GAP') return undefined;
  const { namespace } = (payload['metadata'] ?? {}) as { readonly namespace?: unknown };
  return typeof namespace === 'string' ? namespace : '';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? messageOf(error));
}

function unusable(path: string, error: unknown): unknown {
  if (error instanceof PipelineError) return error;
  return new PipelineError('CONFIG_INVALID', `the file ${path} cannot be used: ${messageOf(error)}`, { cause: error });
}
