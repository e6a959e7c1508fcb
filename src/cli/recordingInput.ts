import { accessSync, constants, statSync } from 'node:fs';
import type { Settings } from '../config/options.ts';
import { messageOf } from '../errors.ts';
import type { FileFault } from '../transports/numberedLines.ts';
import { rawBodies } from '../transports/rawBodies.ts';
import { type Recording, recordedFrames } from '../transports/recordedFrames.ts';

/** The files that a recording comes from, as flags name them; empty if they are not given. */
export type RecordingFiles = Pick<Settings, 'events' | 'pods'>;

/** What is wrong with the files that `command` is to read: a recording, or raw bodies of watches. */
export function recordingFaults(command: string, { events, pods }: RecordingFiles, file: string | undefined): readonly string[] {
  const named = [file, events, pods].filter((path) => path !== undefined && path !== '');
  return [
    ...(file !== undefined && events !== '' ? [`${command} takes a recording or --events, not both (got ${file} and ${events})`] : []),
    ...(pods !== '' && events === '' ? [`--pods goes with --events (got only ${pods})`] : []),
    ...named.flatMap((path) => (path === undefined ? [] : unreadableFaults(path))),
    ...[events, pods]
      .filter((path) => path !== '' && isPipe(path))
      .map((path) => `raw bodies are read twice, so they must be files (got ${path})`),
  ];
}

/** Opens them; `read` is told how many of their bytes were read so far. */
export function openRecording(
  { events, pods }: RecordingFiles,
  file: string | undefined,
  tell: (fault: FileFault) => void,
  read?: (bytes: number) => void,
): Promise<Recording> {
  return file === undefined ? rawBodies({ events, ...(pods === '' ? {} : { pods }) }, tell, read) : recordedFrames(file, tell, read);
}

/** The size of the files together, or 0 if it is not known. */
export function recordingBytes({ events, pods }: RecordingFiles, file: string | undefined): number {
  const paths = file === undefined ? [pods, events] : [file];
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Why a path cannot be read; nothing if it can. */
export function unreadableFaults(path: string): readonly string[] {
  try {
    accessSync(path, constants.R_OK);
    return [];
  } catch (error) {
    return [`${path} cannot be read: ${messageOf(error)}`];
  }
}

function isPipe(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile();
}
