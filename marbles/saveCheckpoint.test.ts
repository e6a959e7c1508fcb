import { EMPTY, ignoreElements, type Observable, of, timer } from 'rxjs';
import { describe, expect } from 'vitest';
import type { Checkpoint } from '../src/model/checkpoint.ts';
import { saveCheckpoint } from '../src/operators/saveCheckpoint.ts';
import type { CheckpointStore } from '../src/ports.ts';
import { marble } from './marble.ts';

const checkpoint = (at: string): Checkpoint => ({
  format: 1,
  positions: { '': { at, incarnation: 0 } },
  shard: { index: 0, total: 1, function: 'fnv1a32-mod' },
  selectors: { label: '', field: '' },
  sink: 'memory',
});
const values = { a: checkpoint('1'), b: checkpoint('2'), c: checkpoint('3'), d: checkpoint('4') };

/** A store whose saves are what `save` makes of each. */
const storeOf = (save: (checkpoint: Checkpoint) => Observable<never>): CheckpointStore => ({
  hold: () => of(undefined),
  save,
  release: () => EMPTY,
});

describe('saveCheckpoint', () => {
  marble('saves the newest, at most once in a while', ({ hot, time, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('  -a-b-c--------d--|', values);
    const saveMs = time(' -----|            '); // starts at each save
    const expected = '    -a----c-------d--|';
    const reading = '     ^----------------!';

    const saved = source.pipe(
      saveCheckpoint(
        { saveMs },
        storeOf(() => EMPTY),
        runtime,
      ),
    );

    expectObservable(saved).toBe(expected, values);
    expectSubscriptions(source.subscriptions).toBe(reading);
  });

  marble('saves what is left at the end at once', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -a-b-|', values);
    const expected = '    -a---(b|)';

    expectObservable(
      source.pipe(
        saveCheckpoint(
          { saveMs: 50 },
          storeOf(() => EMPTY),
          runtime,
        ),
      ),
    ).toBe(expected, values);
  });

  marble('runs one save at a time, however slow it is', ({ hot, time, runtime, expectObservable }) => {
    const slowMs = time(' ---------|');
    const source = hot('  -a-b-c---------------|', values);
    const expected = '    ----------a--------c-|'; // the second save starts at 10 and takes as long

    const store = storeOf(() => timer(slowMs, runtime.scheduler).pipe(ignoreElements()));
    expectObservable(source.pipe(saveCheckpoint({ saveMs: 2 }, store, runtime))).toBe(expected, values);
  });

  marble('waits at the end for the save under way', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -a|', values);
    const expected = '    -----(a|)';

    const store = storeOf(() => timer(4, runtime.scheduler).pipe(ignoreElements()));
    expectObservable(source.pipe(saveCheckpoint({ saveMs: 2 }, store, runtime))).toBe(expected, values);
  });

  marble('fails when a save fails, and passes the error of the source', ({ hot, cold, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('-a-b-', values);
    expectObservable(
      source.pipe(
        saveCheckpoint(
          { saveMs: 2 },
          storeOf(() => cold<never>('--#')),
          runtime,
        ),
      ),
    ).toBe('---#');
    expectSubscriptions(source.subscriptions).toBe('^--!');
    expectObservable(
      hot('-#', values).pipe(
        saveCheckpoint(
          { saveMs: 2 },
          storeOf(() => EMPTY),
          runtime,
        ),
      ),
    ).toBe('-#');
  });

  marble('passes the end and nothing', ({ cold, runtime, expectObservable }) => {
    expectObservable(
      cold('--|', values).pipe(
        saveCheckpoint(
          { saveMs: 2 },
          storeOf(() => EMPTY),
          runtime,
        ),
      ),
    ).toBe('--|');
    expectObservable(
      cold('-', values).pipe(
        saveCheckpoint(
          { saveMs: 2 },
          storeOf(() => EMPTY),
          runtime,
        ),
      ),
    ).toBe('-');
  });

  marble(
    'ends its save and its timer when nobody listens',
    ({ hot, cold, runtime, signals, flush, expectObservable, expectSubscriptions }) => {
      const saving = cold<never>('-----|');
      expectObservable(
        hot('-(ab)-', values).pipe(
          saveCheckpoint(
            { saveMs: 9 },
            storeOf(() => saving),
            runtime,
          ),
        ),
        '^--!',
      ).toBe('---');
      expectSubscriptions(saving.subscriptions).toBe('-^-!');
      flush();
      expect(signals).toEqual([{ type: 'checkpointSaving' }]);
    },
  );
});
