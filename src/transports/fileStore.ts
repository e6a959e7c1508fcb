import { catchError, concat, EMPTY, finalize, map, NEVER, type Observable, throwError } from 'rxjs';
import { messageOf, PipelineError } from '../errors.ts';
import { type Checkpoint, type CheckpointMeaning, checkMeaning } from '../model/checkpoint.ts';
import { filedText, readFiled } from '../model/filedCheckpoint.ts';
import type { CheckpointStore } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { type Disk, disk } from './disk.ts';
import type { FileLock } from './fileLock.ts';
import { inTurn } from './inTurn.ts';
import { untilWritten } from './untilWritten.ts';

/** Which file, and whose position. */
export interface FileStoreSettings {
  readonly path: string;
  /** URL of the API server: versions of another mean nothing here. */
  readonly server: string;
  /** True: what is stored is given up, the shard starts as if for the first time. Default false. */
  readonly reset?: boolean;
  /** Default the file system of this machine. */
  readonly disk?: Disk;
}

/**
 * Keeps the checkpoint of a shard in a file of its own, for one process at a time.
 *
 * State: the lock. Time: that of untilWritten, while the file cannot be written. A save replaces the file as a whole, so
 * that after a crash or a power cut it is the old one or the new one.
 * Errors: SHARD_HELD at once if another process has the file, and as soon as the lock is found taken away;
 * CHECKPOINT_INVALID for a file that was cut, is no checkpoint, or is one of another format, meaning or server;
 * CONFIG_INVALID for a place that cannot be used.
 */
export function fileStore({ path, server, reset = false, disk: on = disk() }: FileStoreSettings, runtime: Runtime): CheckpointStore {
  const inOrder = inTurn();
  let lock: FileLock | undefined;

  const stored = (bytes: Buffer | undefined, meaning: CheckpointMeaning): Checkpoint | undefined => {
    if (bytes === undefined) return undefined;
    if (reset) {
      runtime.signal({ type: 'warning', text: resetText(path) });
      return undefined;
    }
    const text = bytes.toString('utf8');
    const filed = text.endsWith('\n') ? readFiled(text.slice(0, -1), path) : undefined;
    if (filed === undefined) throw new PipelineError('CHECKPOINT_INVALID', noCheckpointText(path));
    checkMeaning(filed.checkpoint, meaning, { server: [filed.server, server] });
    return filed.checkpoint;
  };
  const unlock = (): Observable<never> =>
    inOrder(() => {
      lock?.release();
      lock = undefined;
      return EMPTY;
    }).pipe(
      catchError((error: unknown) => {
        runtime.signal({ type: 'warning', text: `the lock of ${path} is left behind: ${messageOf(error)}` });
        return EMPTY;
      }),
    );

  return {
    hold: (meaning) =>
      concat(
        inOrder(() => {
          lock = on.lock(path);
          return on.read(path).pipe(map((bytes) => stored(bytes, meaning)));
        }).pipe(catchError((error: unknown) => throwError(() => unusable(path, error)))),
        NEVER,
      ).pipe(finalize(() => unlock().subscribe())),
    save: (checkpoint) =>
      inOrder(() => {
        if (lock === undefined) throw new PipelineError('SHARD_HELD', `${path} is saved to without being held`);
        lock.confirm();
        return on.replace(path, Buffer.from(`${filedText({ checkpoint, server })}\n`));
      }).pipe(untilWritten(`the checkpoint in ${path}`, runtime)),
    release: unlock,
  };
}

/** The setting stays when the process is started again. */
function resetText(path: string): string {
  return `--checkpoint-reset: the position in ${path} is given up, now and at every start with this flag`;
}

function noCheckpointText(path: string): string {
  return `${path} holds no whole checkpoint; use another file, or give up the position with --checkpoint-reset`;
}

function unusable(path: string, error: unknown): unknown {
  if (error instanceof PipelineError) return error;
  return new PipelineError('CONFIG_INVALID', `the checkpoint file ${path} cannot be used: ${messageOf(error)}`, { cause: error });
}
