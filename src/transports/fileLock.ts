import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { PipelineError } from '../errors.ts';
import { isRunning, type ProcessIdentity, thisProcess } from './processIdentity.ts';

/** A file that is ours alone. */
export interface FileLock {
  /** Throws SHARD_HELD if somebody has taken the lock away. */
  confirm(): void;
  /** Gives the file up. */
  release(): void;
}

/** More rounds than this and something is wrong with the folder. */
const roundsMax = 100;

/**
 * Takes a file for this process alone: `PATH.lock` beside it names host, process and its start.
 *
 * State: the lock file. Time: none; it never waits. A lock of a process that runs no more is taken over.
 * Errors: SHARD_HELD if another process has the file, or one of another host, about which nothing can be known
 * from here; the system's own if the lock cannot be written.
 * Whoever is killed at any point here leaves a lock that the next one can take over.
 */
export function fileLock(path: string, self: ProcessIdentity = thisProcess()): FileLock {
  const lockPath = `${path}.lock`;
  const text = `${JSON.stringify(self)}\n`;
  take(lockPath, path, self, text);
  return {
    confirm() {
      const found = textOf(lockPath);
      if (found === text) return;
      const now = found === undefined ? 'was removed' : `is ${namedIn(holderOf(found))} now`;
      throw new PipelineError('SHARD_HELD', `the lock ${lockPath} ${now}, so ${path} is not ours any more`);
    },
    release() {
      if (textOf(lockPath) === text) unlinkSync(lockPath);
    },
  };
}

function take(lockPath: string, path: string, self: ProcessIdentity, text: string): void {
  for (let round = 0; round < roundsMax; round++) {
    if (madeWhole(lockPath, self, text)) return;
    const found = textOf(lockPath);
    if (found === undefined) continue; // Given up just now.
    const holder = holderOf(found);
    if (holder === undefined || holder.host !== self.host || isRunning(holder, self)) throw held(path, lockPath, holder, self);
    // Several may see the same dead holder, and the slowest must not throw out the quickest. So who takes over from
    // this holder needs a lock for that, named after it, and looks again once it has that.
    const markPath = `${lockPath}.${idOf(holder)}`;
    take(markPath, path, self, text);
    const isStill = textOf(lockPath) === found;
    if (isStill) {
      const fresh = freshPath(lockPath, self);
      writeFileSync(fresh, text);
      renameSync(fresh, lockPath);
    }
    unlinkSync(markPath);
    if (isStill) return;
  }
  throw new PipelineError('SHARD_HELD', `the lock ${lockPath} changes hands all the time`);
}

/** Makes the lock with its text in it, or nothing at all; false if there is one. */
function madeWhole(lockPath: string, self: ProcessIdentity, text: string): boolean {
  const fresh = freshPath(lockPath, self);
  writeFileSync(fresh, text);
  try {
    linkSync(fresh, lockPath);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    // A file system without hard links: between the making and the text a kill would leave an empty lock.
    if (isCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS')) return madeExclusively(lockPath, text);
    throw error;
  } finally {
    unlinkSync(fresh);
  }
}

function madeExclusively(lockPath: string, text: string): boolean {
  try {
    writeFileSync(lockPath, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function held(path: string, lockPath: string, holder: ProcessIdentity | undefined, self: ProcessIdentity): PipelineError {
  const wayOut = `if that process is gone for good, remove ${lockPath}`;
  const why =
    holder === undefined
      ? `${lockPath} does not say by whom; if no process uses the file, remove the lock`
      : holder.host === self.host
        ? `it is ${namedIn(holder)}`
        : `it is ${namedIn(holder)}, of which nothing can be known here; ${wayOut}`;
  return new PipelineError('SHARD_HELD', `${path} is in use: ${why}`);
}

function namedIn(holder: ProcessIdentity | undefined): string {
  return holder === undefined ? 'held by somebody' : `held by process ${holder.pid} of host ${holder.host}`;
}

function idOf({ pid, started }: ProcessIdentity): string {
  return `${pid}-${started}`;
}

function freshPath(lockPath: string, self: ProcessIdentity): string {
  return `${lockPath}.${idOf(self)}.new`;
}

/** Undefined for what no lock of ours says. The start becomes part of a file's name. */
function holderOf(text: string): ProcessIdentity | undefined {
  try {
    const { host, boot, pid, started } = JSON.parse(text) as Record<keyof ProcessIdentity, unknown>;
    if (typeof host !== 'string' || typeof boot !== 'string' || typeof pid !== 'number') return undefined;
    return typeof started === 'string' && /^[0-9.]+$/.test(started) ? { host, boot, pid, started } : undefined;
  } catch {
    return undefined; // Told as a lock that names nobody.
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(String((error as NodeJS.ErrnoException).code));
}
