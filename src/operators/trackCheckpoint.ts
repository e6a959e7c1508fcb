import { Observable, type Observer, type OperatorFunction, Subject } from 'rxjs';
import { PipelineError } from '../errors.ts';
import type { Positions } from '../model/checkpoint.ts';
import type { Ack } from '../model/entry.ts';
import { type Ledger, ledger, type Mark } from '../model/ledger.ts';
import type { Scoped, Slotted } from '../model/slot.ts';
import type { Runtime } from '../runtime.ts';

/** Where the readers start, and how much may be under way. */
export interface TrackCheckpointSettings {
  /** Where each reader starts. A scope that is not named starts at earliest. */
  readonly start: Positions;
  /** Unacknowledged occurrences at which reading pauses; it goes on at half of it. */
  readonly inFlightMax: number;
  /** The same in bytes as received. */
  readonly inFlightBytesMax: number;
}

/**
 * Opens a slot per occurrence and gap record, runs the inner stages over them, closes a slot by its
 * acknowledgement, and emits the position just before the oldest open slot, each time it moves.
 *
 *     in    -a-b-m-c-----------|    versions: a 1, b 2, m 5 (a bookmark), c 7
 *     acks  -----------b-c-a---|    from the inner stages
 *     out   ---------------7---|    1, 2 and 5 were passed over: a was open
 *
 * State: the open slots, at most `inFlightMax` plus what one chunk brings; a position per scope.
 * Time: none. Order: slots open in stream order and close in any. Errors: passed on, from both sides.
 * Completes when the source and then the inner stages complete; a slot still open then is the error
 * NOT_ACKNOWLEDGED. Inside a list no item moves the position, only the list's end does. A version
 * without an order never becomes a position.
 * `paused` hears true when a limit is reached and false at half of both.
 */
export function trackCheckpoint(
  settings: TrackCheckpointSettings,
  inner: (slots: Observable<Slotted>) => Observable<Ack>,
  paused: Pick<Observer<boolean>, 'next'>,
  runtime: Runtime,
): OperatorFunction<Scoped, Positions> {
  return (source) =>
    new Observable((subscriber) => {
      const slots = new Subject<Slotted>();
      const ledgers = new Map<string, Ledger>();
      const open = new Map<number, { mark: Mark; ledger: Ledger; bytes: number; occurrences: number }>();
      let positions = settings.start;
      let nextSlot = 0;
      let occurrences = 0;
      let bytes = 0;
      let isPaused = false;

      const ledgerOf = (scope: string): Ledger => {
        const known = ledgers.get(scope);
        if (known !== undefined) return known;
        const made = ledger(scope, settings.start[scope] ?? { at: 'earliest', incarnation: 0 });
        ledgers.set(scope, made);
        return made;
      };
      const settle = (of: Ledger): void => {
        const position = of.settle();
        if (position === undefined) return;
        positions = { ...positions, [of.scope]: position };
        runtime.signal({ type: 'positionMoved', scope: of.scope, at: position.at });
        subscriber.next(positions);
      };
      const count = (byOccurrences: number, byBytes: number): void => {
        occurrences += byOccurrences;
        bytes += byBytes;
        runtime.signal({ type: 'inFlight', occurrences, bytes });
        const full = occurrences >= settings.inFlightMax || bytes >= settings.inFlightBytesMax;
        const half = occurrences * 2 <= settings.inFlightMax && bytes * 2 <= settings.inFlightBytesMax;
        if (isPaused ? !half : !full) return;
        isPaused = !isPaused;
        runtime.signal({ type: 'readerPaused', paused: isPaused });
        paused.next(isPaused);
      };
      const onItem = ({ scope, item }: Scoped): void => {
        const own = ledgerOf(scope);
        if (item.type !== 'occurrence' && item.type !== 'gap') {
          own.control(item);
          settle(own);
          return;
        }
        const slot = nextSlot++;
        const size = item.type === 'occurrence' ? { bytes: item.bytes, occurrences: 1 } : { bytes: 0, occurrences: 0 };
        open.set(slot, { mark: own.open(item), ledger: own, ...size });
        count(size.occurrences, size.bytes);
        slots.next({ slot, item });
      };
      const onAck = ({ slot }: Ack): void => {
        const closing = open.get(slot);
        if (closing === undefined) {
          runtime.signal({ type: 'warning', text: 'an acknowledgement names a slot that is not open; it was ignored' });
          return;
        }
        open.delete(slot);
        closing.mark.open = false;
        count(-closing.occurrences, -closing.bytes);
        settle(closing.ledger);
      };

      subscriber.add(
        inner(slots).subscribe({
          next: onAck,
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            if (open.size === 0) return subscriber.complete();
            subscriber.error(
              new PipelineError('NOT_ACKNOWLEDGED', `the inner stages completed with ${open.size} occurrences unacknowledged`),
            );
          },
        }),
      );
      subscriber.add(
        source.subscribe({
          next: onItem,
          error: (error: unknown) => subscriber.error(error),
          complete: () => slots.complete(),
        }),
      );
    });
}
