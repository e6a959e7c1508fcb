import type { ResourceVersion } from './resourceVersion.ts';
import type { Shard } from './shard.ts';

/** Safe to resume from: everything up to here has ended. `earliest`: what the server still holds. */
export interface Position {
  readonly at: ResourceVersion | 'earliest';
  /** Rises when the API server's store went back in time: versions of two incarnations have no order. */
  readonly incarnation: number;
}

/** What a store keeps. Another format or another meaning is refused, never guessed. */
export interface Checkpoint {
  readonly format: 1;
  /** By namespace read; the empty name is all namespaces in one stream. */
  readonly positions: Readonly<Record<string, Position>>;
  readonly shard: Shard;
  /** Label and field selector sent to the server; empty if none. */
  readonly selectors: { readonly label: string; readonly field: string };
  /** Names the sink and its target; a position is a claim about what this sink has. */
  readonly sink: string;
}
