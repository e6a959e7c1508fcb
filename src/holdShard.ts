import {
  concat,
  concatMap,
  defer,
  dematerialize,
  EMPTY,
  exhaustMap,
  filter,
  map,
  materialize,
  type Observable,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import {
  type Checkpoint,
  type CheckpointMeaning,
  checkpointFormat,
  type Generation,
  type Position,
  type Positions,
} from './model/checkpoint.ts';
import { stillAhead } from './model/inherited.ts';
import { readerName } from './model/readerName.ts';
import { saveCheckpoint } from './operators/saveCheckpoint.ts';
import type { CheckpointStore } from './ports.ts';
import type { Runtime } from './runtime.ts';

export interface HoldShardSettings {
  /** What a stored checkpoint must mean. */
  readonly meaning: CheckpointMeaning;
  /** Emits where to start if nothing is stored. */
  readonly choose: Observable<Positions>;
  /** Least time between two saves, in milliseconds. */
  readonly saveMs: number;
  /** How long a stop waits for acknowledgements, in milliseconds. */
  readonly drainTimeoutMs: number;
}

/** From where a shard starts, and what earlier shard maps had delivered beyond that. */
export interface ShardStart {
  readonly positions: Positions;
  readonly inherited: readonly Generation[];
  /** False: nothing was stored, and the positions are a choice. */
  readonly resumed: boolean;
}

/**
 * Waits until the shard is ours, runs it from the stored positions, saves them as they move, and gives the shard up
 * at the end. Emits what was saved.
 *
 * Time: `saveMs`, `drainTimeoutMs`. Errors: those of the store and of the run; the shard is then not given up,
 * so that its next holder waits until nothing of ours can be under way.
 */
export function holdShard(
  settings: HoldShardSettings,
  store: CheckpointStore,
  stop: Observable<unknown>,
  run: (start: ShardStart) => Observable<Positions>,
  runtime: Runtime,
): Observable<Checkpoint> {
  const started = (stored: Checkpoint | undefined): Observable<Checkpoint> => {
    const inherited = stored?.inherited ?? [];
    const checkpoint = (positions: Positions): Checkpoint => {
      if (inherited.length === 0) return { format: checkpointFormat, ...settings.meaning, positions };
      const ahead = stillAhead(inherited, positions);
      return { format: checkpointFormat, ...settings.meaning, positions, ...(ahead.length === 0 ? {} : { inherited: ahead }) };
    };
    const from = (positions: Positions): Observable<Checkpoint> =>
      defer(() => {
        const resumed = stored !== undefined;
        runtime.signal({ type: 'positionsRead', resumed, from: byReader(positions) });
        return run({ positions, inherited, resumed });
      }).pipe(
        takeUntil(drainLimit(settings, stop, runtime)), // What is acknowledged by then is saved all the same.
        map(checkpoint),
        saveCheckpoint(settings, store, runtime),
      );
    if (stored !== undefined) return from(stored.positions);
    // The choice is stored before the first delivery: who crashes after that must not choose again.
    return settings.choose.pipe(
      takeUntil(stop),
      concatMap((positions) => concat(chosen(checkpoint(positions), store, runtime), from(positions))),
    );
  };

  return defer(() => {
    let isHeld = false;
    const held = store.hold(settings.meaning).pipe(
      takeUntil(stop.pipe(filter(() => !isHeld))), // Before the shard is ours there is nothing to drain.
      tap(() => {
        isHeld = true;
      }),
      // The claim lives as long as the run: its loss ends the run, and the end of the run ends it.
      exhaustMap((stored) => concat(started(stored), store.release()).pipe(materialize())),
      dematerialize(),
    );
    // Who stops while waiting takes back that it waits: others may be waiting for it.
    return concat(
      held,
      defer(() => (isHeld ? EMPTY : store.release())),
    );
  });
}

function chosen(checkpoint: Checkpoint, store: CheckpointStore, runtime: Runtime): Observable<never> {
  const positions = Object.keys(checkpoint.positions).length;
  return store.save(checkpoint).pipe(tap({ complete: () => runtime.signal({ type: 'checkpointSaved', positions }) }));
}

function byReader(positions: Positions): Readonly<Record<string, Position['at']>> {
  return Object.fromEntries(Object.entries(positions).map(([scope, { at }]) => [readerName('events', scope), at]));
}

function drainLimit({ drainTimeoutMs }: HoldShardSettings, stop: Observable<unknown>, runtime: Runtime): Observable<unknown> {
  return stop.pipe(
    take(1),
    switchMap(() => timer(drainTimeoutMs, runtime.scheduler)),
  );
}
