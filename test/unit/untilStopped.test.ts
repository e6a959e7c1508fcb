import { EMPTY, NEVER, Observable, of, Subject, takeUntil, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import { untilStopped } from '../../src/cli/untilStopped.ts';
import type { Signal } from '../../src/telemetry/signals.ts';

/** Runs a pipeline under virtual time: `stopsAt` by millisecond, then time passes to the end. */
async function run(
  start: (stop: Observable<unknown>) => Observable<unknown>,
  { stops = NEVER, inFlight = 0 }: { stops?: Observable<'drain' | 'now'>; inFlight?: number },
): Promise<{ readonly code: number; readonly signals: readonly Signal[]; readonly endedAt: number }> {
  const scheduler = new TestScheduler(() => undefined);
  scheduler.maxFrames = Number.POSITIVE_INFINITY;
  const signals: Signal[] = [];
  const runtime = { scheduler, random: () => 0, signal: (signal: Signal) => void signals.push(signal) };
  const ending = untilStopped(start, stops, { drainTimeoutMs: 20_000, inFlight: () => inFlight }, runtime);
  scheduler.flush();
  return { code: await ending, signals, endedAt: scheduler.now() };
}

const drain = of('drain' as const);

test('a pipeline that ends by itself is done', async () => {
  expect(await run(() => EMPTY, {})).toEqual({ code: 0, signals: [{ type: 'stopped', code: 0, unacknowledged: 0 }], endedAt: 0 });
});

test('a pipeline that ends with something unacknowledged says how much', async () => {
  expect(await run(() => EMPTY, { inFlight: 3 })).toMatchObject({ code: 1, signals: [{ type: 'stopped', code: 1, unacknowledged: 3 }] });
});

test('an error rejects', async () => {
  const error = new Error('broken');
  await expect(run(() => throwError(() => error), {})).rejects.toBe(error);
});

describe('the first stop', () => {
  test('lets the pipeline drain', async () => {
    expect(await run((stop) => NEVER.pipe(takeUntil(stop)), { stops: drain })).toEqual({
      code: 0,
      signals: [
        { type: 'drainStarted', inFlight: 0 },
        { type: 'stopped', code: 0, unacknowledged: 0 },
      ],
      endedAt: 0,
    });
  });

  test('gives it the limit and no longer', async () => {
    expect(await run(() => NEVER, { stops: drain, inFlight: 2 })).toEqual({
      code: 1,
      signals: [
        { type: 'drainStarted', inFlight: 2 },
        { type: 'stopped', code: 1, unacknowledged: 2 },
      ],
      endedAt: 20_000,
    });
  });

  test('may come while the pipeline is being started', async () => {
    const stops = new Subject<'drain'>();
    const start = (stop: Observable<unknown>): Observable<unknown> =>
      new Observable((subscriber) => {
        subscriber.add(stop.subscribe(() => subscriber.complete()));
        stops.next('drain');
      });
    expect(await run(start, { stops })).toMatchObject({ code: 0 });
  });
});

test('the second stop ends it at once, and the pipeline is unsubscribed', async () => {
  const stops = new Subject<'drain' | 'now'>();
  let unsubscribed = false;
  const pipeline = new Observable((subscriber) => {
    subscriber.add(() => {
      unsubscribed = true;
    });
    stops.next('drain');
    stops.next('now');
  });
  const ended = await run(() => pipeline, { stops, inFlight: 5 });
  expect([ended.code, ended.endedAt, unsubscribed]).toEqual([1, 0, true]);
});

test('two stops before the pipeline has begun leave nothing to do', async () => {
  expect(await run(() => NEVER, { stops: of('drain' as const, 'now' as const) })).toMatchObject({ code: 0, endedAt: 0 });
});
