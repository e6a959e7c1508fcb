import type { Checkpoint, Generation, Position, Positions } from './checkpoint.ts';
import { stillAhead } from './inherited.ts';
import { compareVersions, isDecimal } from './resourceVersion.ts';
import type { Shard } from './shard.ts';

type Vector = readonly (Position | null)[];

/**
 * Everything that checkpoints of any shard maps claim, one generation per map. Each position says of the keys of its
 * shard that all up to it has been delivered; that stays true whoever works on them later. So claims
 * of the same shard are one claim, the furthest, and none is ever out of date.
 */
export function claimsOf(checkpoints: readonly Checkpoint[]): readonly Generation[] {
  const all = checkpoints.flatMap((checkpoint) => [claimOf(checkpoint), ...(checkpoint.inherited ?? [])]);
  const byMap = new Map<string, Generation>();
  for (const generation of all) {
    const key = mapKey(generation);
    const known = byMap.get(key);
    byMap.set(key, known === undefined ? generation : { ...known, positions: mergedScopes(known, generation) });
  }
  return [...byMap.values()];
}

/** A start, and what others have delivered beyond it. */
export interface Inheritance {
  readonly positions: Positions;
  readonly inherited: readonly Generation[];
}

/**
 * Where a shard may start, by the claims of all maps: the furthest place up to which all its keys have been delivered.
 * That is its own claim, or the least claim of a map of which every shard has one, whichever is further; else
 * `earliest`. Undefined if nobody has ever chosen a start.
 */
export function inheritance(shard: Required<Shard>, claims: readonly Generation[]): Inheritance | undefined {
  const scopes = [...new Set(claims.flatMap(({ positions }) => Object.keys(positions)))];
  if (scopes.length === 0) return undefined;
  const positions = Object.fromEntries(scopes.map((scope) => [scope, startIn(scope, shard, claims)]));
  const others = claims.filter((generation) => mapKey(generation) !== mapKey(shard));
  return { positions, inherited: stillAhead(others, positions) };
}

function startIn(scope: string, shard: Required<Shard>, claims: readonly Generation[]): Position {
  const vectors = claims.map((generation) => ({ generation, vector: generation.positions[scope] ?? [] }));
  // Versions of different incarnations of the store have no order: what was claimed of an older one is void.
  const incarnation = Math.max(0, ...vectors.flatMap(({ vector }) => vector.map((position) => position?.incarnation ?? 0)));
  const starts = vectors.flatMap(({ generation, vector }) => {
    const real = vector.map((position) => versionOf(position, incarnation));
    const own = mapKey(generation) === mapKey(shard) ? real[shard.index] : undefined;
    return [own, leastOf(real, generation.total)].filter((version) => version !== undefined);
  });
  const furthest = starts.reduce<string | undefined>(
    (best, each) => (best === undefined || compareVersions(each, best) > 0 ? each : best),
    undefined,
  );
  return { at: furthest ?? 'earliest', incarnation };
}

/** The least of all shards' versions, if each of them has one. */
function leastOf(versions: readonly (string | undefined)[], total: number): string | undefined {
  if (versions.length < total) return undefined;
  return versions.reduce((least, each) =>
    least === undefined || each === undefined ? undefined : compareVersions(each, least) < 0 ? each : least,
  );
}

function versionOf(position: Position | null, incarnation: number): string | undefined {
  return position !== null && position.incarnation === incarnation && isDecimal(position.at) ? position.at : undefined;
}

function claimOf({ shard, positions }: Checkpoint): Generation {
  const { index, total, function: shardFunction } = shard;
  const vectorOf = (position: Position): Vector => Array.from({ length: total }, (_, at) => (at === index ? position : null));
  const byScope = Object.entries(positions).map(([scope, position]) => [scope, vectorOf(position)]);
  return { total, function: shardFunction, positions: Object.fromEntries(byScope) };
}

function mergedScopes(a: Generation, b: Generation): Record<string, Vector> {
  const scopes = new Set([...Object.keys(a.positions), ...Object.keys(b.positions)]);
  return Object.fromEntries([...scopes].map((scope) => [scope, mergedVectors(a.positions[scope] ?? [], b.positions[scope] ?? [])]));
}

function mergedVectors(a: Vector, b: Vector): Vector {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => further(a[index] ?? null, b[index] ?? null));
}

function further(a: Position | null, b: Position | null): Position | null {
  if (a === null || b === null) return a ?? b;
  if (a.incarnation !== b.incarnation) return a.incarnation > b.incarnation ? a : b;
  if (!isDecimal(a.at) || !isDecimal(b.at)) return isDecimal(a.at) ? a : b;
  return compareVersions(a.at, b.at) >= 0 ? a : b;
}

function mapKey({ total, function: shardFunction }: Pick<Generation, 'total' | 'function'>): string {
  return `${total} ${shardFunction}`;
}
