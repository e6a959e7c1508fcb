import type { Positions } from './checkpoint.ts';
import { isAtOrBefore, isDecimal, type ResourceVersion } from './resourceVersion.ts';

/** Which entries of a file may come again: those that no position is past. */
export interface Coverage {
  /** An entry of a namespace stands at byte `from` or after it; without one all readers count. Calls come in the order of the file. */
  add(from: number, namespace: string | undefined, version: ResourceVersion): void;
  /** The place before which the positions are past everything; `end` if they are past all. Forgets what lies before it. */
  since(positions: Positions, end: number): number;
}

/** Entries that are looked at as one. */
interface Stretch {
  readonly from: number;
  /** By namespace. */
  readonly newest: Map<string | undefined, ResourceVersion>;
}

const stretchBytes = 16 * 1024;

/**
 * Remembers what was written since the positions, in stretches of 16 KiB with the newest version of each.
 * Entries are not stored in the order of their versions: one may wait for its pod while later ones pass, and a list
 * moves no position before its end. So a position alone does not say where in the file it stands.
 *
 * State: one stretch per 16 KiB that is not covered.
 */
export function coverage(): Coverage {
  const stretches: Stretch[] = [];
  return {
    add(from, namespace, version) {
      let last = stretches.at(-1);
      if (last === undefined || from - last.from >= stretchBytes) {
        last = { from, newest: new Map() };
        stretches.push(last);
      }
      const newest = last.newest.get(namespace);
      // A version without an order stays: no position is ever past it.
      if (newest === undefined || (isDecimal(newest) && !isAtOrBefore(version, newest))) last.newest.set(namespace, version);
    },
    since(positions, end) {
      const covered = stretches.findIndex((stretch) => !isCovered(stretch, positions));
      stretches.splice(0, covered === -1 ? stretches.length : covered);
      return stretches[0]?.from ?? end;
    },
  };
}

function isCovered({ newest }: Stretch, positions: Positions): boolean {
  return [...newest].every(([namespace, version]) => {
    // The empty scope reads all namespaces.
    const scopes = namespace === undefined ? Object.values(positions) : [positions[''] ?? positions[namespace]];
    return scopes.length > 0 && scopes.every((position) => isPast(position?.at, version));
  });
}

function isPast(at: string | undefined, version: ResourceVersion): boolean {
  return at !== undefined && at !== 'earliest' && isAtOrBefore(version, at);
}
