import { concat, concatMap, type Observable, of, switchMap } from 'rxjs';
import type { Checkpoint, Position } from '../model/checkpoint.ts';
import { isBefore } from '../model/resourceVersion.ts';
import type { CheckpointStore } from '../ports.ts';

/**
 * Two stores as one: `claim` says who may deliver, `content` is the sink's own account of what it has. A position is
 * saved in the account first, so the account is never behind; the shard starts from whichever is ahead.
 *
 * State and time: those of the two. Errors: of both.
 */
export function pairedStore(claim: CheckpointStore, content: CheckpointStore): CheckpointStore {
  return {
    hold: (meaning) =>
      claim.hold(meaning).pipe(switchMap((claimed) => content.hold(meaning).pipe(concatMap((kept) => start(claimed, kept, content))))),
    save: (checkpoint) => concat(content.save(checkpoint), claim.save(checkpoint)),
    release: () => concat(content.release(), claim.release()),
  };
}

/** A new account begins with what is claimed: a claim may have been inherited, with nothing stored here yet. */
function start(
  claimed: Checkpoint | undefined,
  kept: Checkpoint | undefined,
  content: CheckpointStore,
): Observable<Checkpoint | undefined> {
  if (claimed !== undefined && kept === undefined) return concat(content.save(claimed), of(claimed));
  return of(further(claimed, kept));
}

/** The claim, with the account's positions where those are ahead. */
function further(claimed: Checkpoint | undefined, kept: Checkpoint | undefined): Checkpoint | undefined {
  if (claimed === undefined || kept === undefined) return claimed ?? kept;
  const positions = Object.entries({ ...kept.positions, ...claimed.positions }).map(([scope, position]) => [
    scope,
    ahead(position, kept.positions[scope] ?? position),
  ]);
  return { ...claimed, positions: Object.fromEntries(positions) as Checkpoint['positions'] };
}

function ahead(a: Position, b: Position): Position {
  if (a.incarnation !== b.incarnation) return a.incarnation > b.incarnation ? a : b;
  if (a.at === 'earliest' || b.at === 'earliest') return a.at === 'earliest' ? b : a;
  return isBefore(a.at, b.at) ? b : a;
}
