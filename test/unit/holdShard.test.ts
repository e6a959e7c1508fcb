import { concat, defer, EMPTY, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { holdShard } from '../../src/holdShard.ts';
import { type Checkpoint, type CheckpointMeaning, checkpointFormat, type Positions } from '../../src/model/checkpoint.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import type { Signal } from '../../src/telemetry/signals.ts';

const meaning: CheckpointMeaning = {
  shard: { index: 0, total: 1, function: 'fnv1a32-mod' },
  selectors: { label: '', field: '' },
  sink: 'memory',
};
const at = (version: string): Positions => ({ '': { at: version, incarnation: 0 } });
const stored: Checkpoint = { format: checkpointFormat, ...meaning, positions: at('7') };

/** Holds a shard over a store that says what is done to it, in order. */
function holding(hold: Observable<Checkpoint | undefined>, run: Observable<Positions> = NEVER) {
  const clock = virtualClock(0);
  const log: string[] = [];
  const told: Signal[] = [];
  const stop = new Subject<void>();
  const done = (what: string): Observable<never> =>
    defer(() => {
      log.push(what);
      return EMPTY;
    });
  const store = {
    hold: () => hold,
    save: ({ positions }: Checkpoint) => done(`save ${positions['']?.at}`),
    release: () => done('release'),
  };
  holdShard({ meaning, choose: of(at('1')), saveMs: 0, drainTimeoutMs: 100 }, store, stop, () => concat(done('run'), run), {
    scheduler: clock.scheduler,
    random: () => 0,
    signal: (signal) => {
      if (signal.type === 'positionsRead') told.push(signal);
    },
  }).subscribe({ error: (error: unknown) => log.push(String(error)), complete: () => log.push('complete') });
  return { clock, log, stop, told };
}

describe('holdShard', () => {
  test('runs from what is stored, saves, and gives the shard up at the end', () => {
    const { clock, log } = holding(concat(of(stored), NEVER), of(at('8')));
    clock.advanceTo(10);
    expect(log).toEqual(['run', 'save 8', 'release', 'complete']);
  });

  test('stores its choice before it runs, when nothing is stored', () => {
    expect(holding(concat(of(undefined), NEVER)).log).toEqual(['save 1', 'run']);
  });

  test('tells where it begins, and whether that was stored or chosen', () => {
    expect(holding(of(stored)).told).toEqual([{ type: 'positionsRead', resumed: true, from: { events: '7' } }]);
    expect(holding(of(undefined)).told).toEqual([{ type: 'positionsRead', resumed: false, from: { events: '1' } }]);
    expect(holding(NEVER).told).toEqual([]);
  });

  test('takes back that it waits, when it is stopped before the shard is its own', () => {
    const { log, stop } = holding(NEVER);
    expect(log).toEqual([]);
    stop.next();
    expect(log).toEqual(['release', 'complete']);
  });

  test('drains when it is stopped later, and gives up at the limit', () => {
    const { clock, log, stop } = holding(concat(of(stored), NEVER));
    stop.next();
    clock.advanceTo(99);
    expect(log).toEqual(['run']);
    clock.advanceTo(100);
    expect(log).toEqual(['run', 'release', 'complete']);
  });

  test.each([
    [
      'the loss of the shard',
      concat(
        of(stored),
        throwError(() => 'held'),
      ),
      NEVER,
    ],
    ['a run that fails', concat(of(stored), NEVER), throwError(() => 'held')],
  ] as const)('keeps the claim after %s, so that the next holder waits', (_, hold, run) => {
    expect(holding(hold, run).log).toEqual(['run', 'held']);
  });

  test('passes on that the shard cannot be held', () => {
    expect(holding(throwError(() => 'forbidden')).log).toEqual(['forbidden']);
  });
});
