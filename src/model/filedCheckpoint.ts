import { PipelineError } from '../errors.ts';
import type { Checkpoint } from './checkpoint.ts';
import { checkpointText, readCheckpoint } from './checkpointText.ts';

/** A checkpoint as files hold it: with what its versions belong to. */
export interface FiledCheckpoint {
  readonly checkpoint: Checkpoint;
  /** URL of the API server; empty if it was not told. */
  readonly server: string;
  /** In a file of entries: the positions are past every entry before this byte. Absent elsewhere. */
  readonly since?: number;
}

/** How the line of every filed checkpoint begins, and no line of an entry. */
export const filedPrefix = '{"checkpoint":';

/** One line, without its LF. */
export function filedText({ checkpoint, ...rest }: FiledCheckpoint): string {
  return `${filedPrefix}${checkpointText(checkpoint)},${JSON.stringify(rest).slice(1)}`;
}

/** True for such a line that is whole, whatever it says. Any part of it, or one with holes, is not. */
export function isFiled(line: string): boolean {
  return line.startsWith(filedPrefix) && fieldsOf(line) !== undefined;
}

/** Reads such a line. `from` names the place, for messages. Throws CHECKPOINT_INVALID for one that is not whole, or of another format. */
export function readFiled(line: string, from: string): FiledCheckpoint {
  const { checkpoint, server, since } = fieldsOf(line) ?? {};
  const read = readCheckpoint(JSON.stringify(checkpoint) ?? '', from);
  if (typeof server !== 'string' || !(since === undefined || isPlace(since))) {
    const why = 'it does not say of which server it is, or of which place';
    throw new PipelineError('CHECKPOINT_INVALID', `the checkpoint in ${from} cannot be read: ${why}; give it up with --checkpoint-reset`);
  }
  return { checkpoint: read, server, ...(since === undefined ? {} : { since }) };
}

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined; // Whether that is a fault depends on where the line stands.
  }
}
