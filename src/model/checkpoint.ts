import { PipelineError } from '../errors.ts';
import type { ResourceVersion } from './resourceVersion.ts';
import type { Shard, ShardFunction } from './shard.ts';

/** Safe to resume from: everything up to here has ended. `earliest`: what the server still holds. */
export interface Position {
  readonly at: ResourceVersion | 'earliest';
  /** Rises when the API server's store went back in time: versions of two incarnations have no order. */
  readonly incarnation: number;
}

/** Where each namespace's reader stands; the empty name is all namespaces in one stream. */
export type Positions = Readonly<Record<string, Position>>;

/** What a store keeps. Another format or another meaning is refused, never guessed. */
export interface Checkpoint {
  readonly format: 1;
  readonly positions: Positions;
  readonly shard: Required<Shard>;
  /** Label and field selector sent to the server; empty if none. */
  readonly selectors: { readonly label: string; readonly field: string };
  /** Names the sink and its target; a position is a claim about what this sink has. */
  readonly sink: string;
  /** What earlier shard maps had delivered, while that is ahead of the positions. Absent: nothing. */
  readonly inherited?: readonly Generation[];
}

/** How far the shards of an earlier map had come when this one took over. */
export interface Generation {
  readonly total: number;
  readonly function: ShardFunction;
  /** By namespace read, then by index of the shard; null for one that had not begun. */
  readonly positions: Readonly<Record<string, readonly (Position | null)[]>>;
}

/** What a checkpoint must agree on with the settings before its positions mean anything. */
export type CheckpointMeaning = Omit<Checkpoint, 'format' | 'positions' | 'inherited'>;

export const checkpointFormat = 1;

/** Where to start when nothing is stored. */
export function earliest(scopes: readonly string[]): Positions {
  return Object.fromEntries(scopes.map((scope) => [scope, { at: 'earliest', incarnation: 0 }]));
}

/**
 * Makes sure that a stored checkpoint means what the settings mean; `more` names what else has to agree, as stored and now.
 * Throws PipelineError CHECKPOINT_INVALID naming every difference and the way out.
 */
export function checkMeaning(
  stored: Checkpoint,
  meaning: CheckpointMeaning,
  more: Readonly<Record<string, readonly [stored: unknown, now: unknown]>> = {},
): void {
  const differences = [
    difference('format', stored.format, checkpointFormat),
    difference('shard', stored.shard, meaning.shard),
    difference('selectors', stored.selectors, meaning.selectors),
    difference('sink', stored.sink, meaning.sink),
    ...Object.entries(more).map(([name, [was, is]]) => difference(name, was, is)),
  ].filter((text) => text !== undefined);
  if (differences.length === 0) return;
  throw new PipelineError(
    'CHECKPOINT_INVALID',
    `the stored checkpoint belongs to other settings (${differences.join('; ')}); go back to them, or give up the position with --checkpoint-reset`,
  );
}

function difference(name: string, stored: unknown, wanted: unknown): string | undefined {
  const [was, is] = [canonical(stored), canonical(wanted)];
  return was === is ? undefined : `${name}: stored ${was}, now ${is}`;
}

/** JSON with sorted keys, so that equal settings are equal text. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${key} ${canonical(field)}`).join(', ')}}`;
}
