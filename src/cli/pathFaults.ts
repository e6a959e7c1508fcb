import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Settings } from '../config/options.ts';

/** Files that the program writes and that cannot be written here, each with its flag and the reason in plain words. */
export function pathFaults({ sink, filePath, checkpoint, refusedFile }: Settings): readonly string[] {
  return [
    ...(sink === 'file' ? faultsOf('--file-path', filePath) : []),
    ...(checkpoint.startsWith('file:') ? faultsOf('--checkpoint', checkpoint.slice('file:'.length)) : []),
    ...faultsOf('--refused-file', refusedFile),
  ];
}

function faultsOf(flag: string, path: string): readonly string[] {
  if (path === '') return [];
  const reason = reasonAgainst(resolve(path));
  return reason === undefined ? [] : [`${flag} must be a file that can be written, in a folder that exists (got '${path}': ${reason})`];
}

/** The folder has to take files, too: a lock is kept beside each, and checkpoints are renamed into their place. */
function reasonAgainst(path: string): string | undefined {
  const folder = dirname(path);
  const [here, around] = [found(path), found(folder)];
  if (around === undefined) return `there is no folder ${folder}`;
  if (!around.isDirectory()) return `${folder} is no folder`;
  if (here?.isDirectory() === true) return 'it is a folder';
  return (
    denied(folder, constants.W_OK | constants.X_OK) ?? (here === undefined ? undefined : denied(path, constants.R_OK | constants.W_OK))
  );
}

function found(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined; // Told as missing: what cannot be looked at cannot be written either.
  }
}

function denied(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EROFS' ? `${path} is on a read-only file system` : `user ${process.getuid?.() ?? ''} may not write to ${path}`;
  }
}
