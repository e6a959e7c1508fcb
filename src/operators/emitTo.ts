import { concat, defer, EMPTY, from, mergeMap, Observable, type OperatorFunction, Subject, take, throwError, throwIfEmpty } from 'rxjs';
import { PipelineError } from '../errors.ts';
import type { BackoffSettings } from '../model/backoff.ts';
import type { Ack, Entry, Outgoing, Refusal, Unreadable } from '../model/entry.ts';
import { isEarlier } from '../model/entryTime.ts';
import type { Sink, SinkResult } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { retryWithBackoff } from './retryWithBackoff.ts';

/** How many batches are under way, and how a batch is sent again. */
export interface EmitToSettings extends Partial<BackoffSettings> {
  /** Limit of the first wait before entries are sent again, in milliseconds. Default 1,000. */
  readonly firstMs?: number;
  /** Limit of every such wait, in milliseconds. Default 30,000. */
  readonly maxMs?: number;
  /** Most batches under way at once; a batch that waits to be sent again counts. */
  readonly batchesMax: number;
  /** Each emission sends at once what waits to be sent again, and the waits start over: for a drain. */
  readonly hurry?: Observable<unknown>;
  /** Keeps refusals somewhere: their slots end when it completes, and its error ends the stream. Default nowhere. */
  readonly keepRefused?: (refusals: readonly Refusal[]) => Observable<never>;
}

/**
 * Sends batches to the sink until each entry is stored or refused, and acknowledges each slot once.
 *
 *     in   -a---b---------|   the second entry of b is answered `retry` and sent again alone, 2 ms later
 *     out  --x---y--z-----|   x ends the slot of a, y and z end those of b; each answer takes 1 ms
 *
 * State: `batchesMax` batches; further ones queue, bounded by what the reader may have in flight.
 * Time: growing waits per batch, see retryWithBackoff. Order: batches are first sent in their order, entries
 * keep theirs; acknowledgements come as answers come.
 * Errors: the sink's own, and those of `keepRefused`, end the stream, and what is not acknowledged stays open. Unreadable
 * items are acknowledged as refused and never sent. An entry is the same object at each try, so its key and time are too.
 * Gap records and the first entry are no occurrences: they are left out of the signals `stored` and `refused`.
 */
export function emitTo(sink: Sink, settings: EmitToSettings, runtime: Runtime): OperatorFunction<readonly Outgoing[], Ack> {
  const { batchesMax, firstMs = 1_000, maxMs = 30_000, hurry = EMPTY, keepRefused = () => EMPTY } = settings;
  return (source) =>
    new Observable((subscriber) => {
      // One subscription for all batches: `hurry` may be cold, and each of its emissions is meant for all of them.
      const hurried = new Subject<unknown>();
      subscriber.add(hurry.subscribe({ next: (value) => hurried.next(value), error: (error: unknown) => subscriber.error(error) }));
      const acks = source.pipe(mergeMap((batch) => end(batch, sink, { firstMs, maxMs, hurry: hurried, keepRefused }, runtime), batchesMax));
      subscriber.add(acks.subscribe(subscriber));
    });
}

type Waits = BackoffSettings & Required<Pick<EmitToSettings, 'hurry' | 'keepRefused'>>;

/** Brings every slot of one batch to its end. */
function end(batch: readonly Outgoing[], sink: Sink, waits: Waits, runtime: Runtime): Observable<Ack> {
  const entries = batch.filter((outgoing) => outgoing.type === 'entry');
  const unreadables = batch.filter((outgoing) => outgoing.type === 'unreadable');
  const refusals = unreadables.map((unreadable) => ({ outgoing: unreadable, reason: unreadable.reason }));
  const refused = refuse(refusals, waits, runtime);
  return entries.length === 0 ? refused : concat(refused, deliver(entries, sink, waits, runtime));
}

/** An answer that leaves entries to be sent again. Thrown to the retry around it, never to the outside. */
interface Leftover {
  readonly type: 'leftover';
  readonly reason: string;
  readonly afterMs: number;
}

function deliver(entries: readonly Entry[], sink: Sink, waits: Waits, runtime: Runtime): Observable<Ack> {
  return defer(() => {
    let pending = entries;
    return defer(() => answered(pending, sink, runtime)).pipe(
      mergeMap((results) => {
        const sorted = sortAnswer(pending, results, runtime);
        pending = sorted.pending;
        const { acks, refusals, leftover } = sorted;
        return concat(from(acks), refuse(refusals, waits, runtime), leftover === undefined ? EMPTY : throwError(() => leftover));
      }),
      retryWithBackoff(
        {
          ...waits,
          isRetryable: isLeftover,
          onWait: (error, attempt, waitMs) => {
            if (isLeftover(error)) runtime.signal({ type: 'sinkRetrying', reason: error.reason, attempt, waitMs });
          },
        },
        runtime,
      ),
    );
  });
}

function isLeftover(error: unknown): error is Leftover {
  return typeof error === 'object' && error !== null && (error as { type?: unknown }).type === 'leftover';
}

/** One try: the sink's results, one per entry. */
function answered(entries: readonly Entry[], sink: Sink, runtime: Runtime): Observable<readonly SinkResult[]> {
  const startedMs = runtime.scheduler.now();
  return sink.write(entries).pipe(
    throwIfEmpty(() => brokenSink(sink, entries.length, 0)),
    take(1),
    mergeMap((results) => {
      if (results.length !== entries.length) return throwError(() => brokenSink(sink, entries.length, results.length));
      const count = (type: SinkResult['type']): number => results.filter((result) => result.type === type).length;
      const tookMs = runtime.scheduler.now() - startedMs;
      runtime.signal({ type: 'batchAnswered', stored: count('stored'), refused: count('refused'), retried: count('retry'), tookMs });
      return [results];
    }),
  );
}

function brokenSink(sink: Sink, expected: number, got: number): PipelineError {
  return new PipelineError(
    'SINK_FAILED',
    `sink ${sink.identity}: a write of ${expected} entries must be answered by as many results (got ${got})`,
  );
}

interface SortedAnswer {
  readonly acks: readonly Ack[];
  readonly refusals: readonly Refusal[];
  readonly pending: readonly Entry[];
  readonly leftover?: Leftover;
}

function sortAnswer(entries: readonly Entry[], results: readonly SinkResult[], runtime: Runtime): SortedAnswer {
  const acks: Ack[] = [];
  const refusals: Refusal[] = [];
  const stored: Entry[] = [];
  const pending: Entry[] = [];
  let leftover: Leftover | undefined;
  entries.forEach((entry, at) => {
    const result = results[at] as SinkResult;
    switch (result.type) {
      case 'stored':
        stored.push(entry);
        acks.push({ slot: entry.slot, outcome: 'stored' });
        return;
      case 'refused':
        refusals.push({ outgoing: entry, reason: result.reason });
        return;
      case 'retry':
        pending.push(entry);
        leftover = {
          type: 'leftover',
          reason: leftover?.reason ?? result.reason,
          afterMs: Math.max(leftover?.afterMs ?? 0, result.afterMs ?? 0),
        };
    }
  });
  tellStored(stored, runtime);
  return leftover === undefined ? { acks, refusals, pending } : { acks, refusals, pending, leftover };
}

/** Ends the slots of what can never be stored, once it is kept elsewhere. */
function refuse(refusals: readonly Refusal[], { keepRefused }: Waits, runtime: Runtime): Observable<Ack> {
  if (refusals.length === 0) return EMPTY;
  return concat(
    keepRefused(refusals),
    defer(() => {
      for (const refusal of refusals) tellRefused(refusal, runtime);
      return from(refusals.map(({ outgoing: { slot } }): Ack => ({ slot, outcome: 'refused' })));
    }),
  );
}

function tellRefused({ outgoing, reason }: Refusal, runtime: Runtime): void {
  const { uid, resourceVersion } = outgoing;
  if (isOwn(outgoing)) {
    const what = outgoing.type === 'entry' && outgoing.action === 'GAP' ? 'a gap record' : 'the first entry';
    runtime.signal({ type: 'warning', text: `the sink refused ${what}: ${reason}` });
  } else runtime.signal({ type: 'refused', uid, resourceVersion, reason });
}

function tellStored(entries: readonly Entry[], runtime: Runtime): void {
  let oldest: string | undefined;
  let count = 0;
  for (const entry of entries) {
    if (isOwn(entry)) continue;
    count += 1;
    if (oldest === undefined || isEarlier(entry.timestamp, oldest)) oldest = entry.timestamp;
  }
  if (oldest !== undefined) runtime.signal({ type: 'stored', entries: count, oldestTimestamp: oldest });
}

/** True for what is no Event's revision: a gap record, or the first entry. */
function isOwn(outgoing: Entry | Unreadable): boolean {
  return outgoing.type === 'entry' && (outgoing.action === 'GAP' || outgoing.action === 'START');
}
