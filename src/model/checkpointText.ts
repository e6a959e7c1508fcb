import { PipelineError } from '../errors.ts';
import { type Checkpoint, checkpointFormat, type Generation, type Position } from './checkpoint.ts';

/** A checkpoint as one line of JSON. */
export function checkpointText(checkpoint: Checkpoint): string {
  return JSON.stringify(checkpoint);
}

/**
 * Reads a checkpoint back. `from` names the place, for messages.
 * Throws PipelineError CHECKPOINT_INVALID for another format and for anything that is no checkpoint.
 */
export function readCheckpoint(text: string, from: string): Checkpoint {
  const value = parsed(text);
  if (!isFields(value)) throw invalid(from, 'it is not JSON of a checkpoint');
  const { format } = value;
  if (typeof format === 'number' && format > checkpointFormat) {
    throw invalid(from, `it has format ${format}, which a newer version wrote; this one reads format ${checkpointFormat}`);
  }
  if (format !== checkpointFormat) throw invalid(from, `its format must be ${checkpointFormat} (got ${JSON.stringify(format) ?? 'none'})`);
  if (!isCheckpoint(value)) throw invalid(from, 'a field is missing or has another type');
  return value;
}

function invalid(from: string, why: string): PipelineError {
  const ways = 'use the version that wrote it, or give up the position with --checkpoint-reset';
  return new PipelineError('CHECKPOINT_INVALID', `the checkpoint in ${from} cannot be read: ${why}; ${ways}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Refused by the caller, with the place.
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCheckpoint(value: Fields): value is Fields & Checkpoint {
  const { positions, shard, selectors, sink, inherited } = value;
  return (
    isRecordOf(positions, isPosition) &&
    isFields(shard) &&
    typeof shard['index'] === 'number' &&
    isMap(shard) &&
    isFields(selectors) &&
    typeof selectors['label'] === 'string' &&
    typeof selectors['field'] === 'string' &&
    typeof sink === 'string' &&
    (inherited === undefined || (Array.isArray(inherited) && inherited.every(isGeneration)))
  );
}

function isGeneration(value: unknown): value is Generation {
  return isFields(value) && isMap(value) && isRecordOf(value['positions'], isVector);
}

function isMap(value: Fields): boolean {
  return typeof value['total'] === 'number' && typeof value['function'] === 'string';
}

function isVector(value: unknown): boolean {
  return Array.isArray(value) && value.every((position) => position === null || isPosition(position));
}

function isPosition(value: unknown): value is Position {
  return isFields(value) && typeof value['at'] === 'string' && typeof value['incarnation'] === 'number';
}

function isRecordOf(value: unknown, holds: (field: unknown) => boolean): boolean {
  return isFields(value) && Object.values(value).every(holds);
}
