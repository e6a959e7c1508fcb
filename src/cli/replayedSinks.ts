import { defer, finalize, map, mergeMap, type Observable, of, timer } from 'rxjs';
import { type BackoffSettings, fullJitter } from '../model/backoff.ts';
import type { Sink, SinkResult } from '../ports.ts';
import type { Runtime } from '../runtime.ts';

export interface ReplayedSinks {
  /** The same sink, with its writes under watch. */
  around(sink: Sink): Sink;
  /** Resolves when no write is under way; undefined if none is. */
  settled(): Promise<void> | undefined;
}

/** As in emitTo, but for a person who waits in front of the screen. */
const waits: BackoffSettings = { firstMs: 1_000, maxMs: 5_000 };

/**
 * Sinks of a replay, where virtual time stands still while a write is under way. One that asks for patience gets it in real
 * time, before its answer is passed on: in virtual time a server that is down would be asked without a pause.
 *
 * State: the number of writes under way, and of tries in a row that stored nothing. Time: growing waits of `live`.
 */
export function replayedSinks(live: Runtime): ReplayedSinks {
  let underWay = 0;
  let failures = 0;
  let waiting: (() => void)[] = [];
  const ended = (): void => {
    if (--underWay > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const patiently = (results: readonly SinkResult[]): Observable<readonly SinkResult[]> => {
    failures = results.some(({ type }) => type === 'retry') ? failures + 1 : 0;
    if (failures === 0) return of(results);
    return timer(fullJitter(failures, waits, live.random), live.scheduler).pipe(map(() => results));
  };
  return {
    around: ({ identity, write }) => ({
      identity,
      write: (batch) =>
        defer(() => {
          underWay++;
          return write(batch).pipe(mergeMap(patiently), finalize(ended));
        }),
    }),
    settled: () => (underWay === 0 ? undefined : new Promise((resolve) => waiting.push(resolve))),
  };
}
