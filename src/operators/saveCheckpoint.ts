import { Observable, type OperatorFunction, Subscription, timer } from 'rxjs';
import type { Checkpoint } from '../model/checkpoint.ts';
import type { CheckpointStore } from '../ports.ts';
import type { Runtime } from '../runtime.ts';

/** How often the checkpoint is saved, and what it says besides the positions. */
export interface SaveCheckpointSettings {
  /** Least time from one save to the next, in milliseconds. */
  readonly saveMs: number;
}

/**
 * Saves the newest checkpoint, at most every `saveMs` and once more at the end, and emits what was saved.
 *
 *     in   -a-b-c--------d--|     with saveMs = 5 frames
 *     out  -a----c-------d--|     b was overtaken
 *
 * State: the newest checkpoint not yet saved. Time: `saveMs` between the starts of two saves; a save
 * that takes longer delays the next. Order: kept, with overtaken checkpoints left out.
 * Errors: passed on from both sides; a save that fails ends the stream. At completion what is left is
 * saved at once.
 */
export function saveCheckpoint(
  settings: SaveCheckpointSettings,
  store: CheckpointStore,
  runtime: Runtime,
): OperatorFunction<Checkpoint, Checkpoint> {
  return (source) =>
    new Observable((subscriber) => {
      const pause = new Subscription();
      let newest: Checkpoint | undefined;
      let saving = false;
      let pausing = false;
      let ended = false;

      const next = (): void => {
        if (saving || (pausing && !ended)) return;
        const checkpoint = newest;
        if (checkpoint === undefined) {
          if (ended) subscriber.complete();
          return;
        }
        newest = undefined;
        saving = true;
        pausing = true;
        pause.add(
          timer(settings.saveMs, runtime.scheduler).subscribe(() => {
            pausing = false;
            next();
          }),
        );
        runtime.signal({ type: 'checkpointSaving' });
        subscriber.add(
          store.save(checkpoint).subscribe({
            error: (error: unknown) => subscriber.error(error),
            complete: () => {
              saving = false;
              runtime.signal({ type: 'checkpointSaved', positions: Object.keys(checkpoint.positions).length });
              subscriber.next(checkpoint);
              next();
            },
          }),
        );
      };

      subscriber.add(pause);
      subscriber.add(
        source.subscribe({
          next: (checkpoint) => {
            newest = checkpoint;
            next();
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            ended = true;
            next();
          },
        }),
      );
    });
}
