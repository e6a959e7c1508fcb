import type { Generation, Position, Positions } from './checkpoint.ts';
import { isAtOrBefore, type ResourceVersion } from './resourceVersion.ts';
import { shardIndex } from './shard.ts';

/**
 * True if a revision had been delivered before this shard map: the shard that owned its key under an
 * earlier map had come that far.
 */
export function isInherited(
  generations: readonly Generation[],
  scope: string,
  key: string,
  resourceVersion: ResourceVersion,
  incarnation: number,
): boolean {
  return generations.some((generation) => {
    const position = generation.positions[scope]?.[shardIndex(key, generation.total, generation.function)];
    return isReal(position, incarnation) && isAtOrBefore(resourceVersion, position.at);
  });
}

/** The generations that still say something: those with a shard that was ahead of our position. */
export function stillAhead(generations: readonly Generation[], positions: Positions): readonly Generation[] {
  return generations.filter(({ positions: byScope }) =>
    Object.entries(byScope).some(([scope, vector]) => {
      const own = positions[scope];
      return own !== undefined && vector.some((position) => isReal(position, own.incarnation) && !isPassed(position.at, own));
    }),
  );
}

/** Versions of another incarnation of the store say nothing about this one. */
function isReal(position: Position | null | undefined, incarnation: number): position is Position {
  return position !== null && position !== undefined && position.at !== 'earliest' && position.incarnation === incarnation;
}

function isPassed(version: ResourceVersion, own: Position): boolean {
  return own.at !== 'earliest' && isAtOrBefore(version, own.at);
}
