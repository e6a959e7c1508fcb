import { NEVER, of } from 'rxjs';
import { expect, test } from 'vitest';
import { entry } from '../../marbles/builders.ts';
import { replayedSinks } from '../../src/cli/replayedSinks.ts';
import type { Sink, SinkResult } from '../../src/ports.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';

const retry: SinkResult = { type: 'retry', reason: 'busy' };
const stored: SinkResult = { type: 'stored' };

/** Sinks of a replay whose real time is at hand, and a sink that gives these results one after the other. */
function world(...results: readonly SinkResult[]) {
  const clock = virtualClock(0);
  const sinks = replayedSinks({ scheduler: clock.scheduler, random: () => 0.5, signal: () => undefined });
  let at = 0;
  const sink: Sink = sinks.around({ identity: 'busy', write: () => of([results[at++] as SinkResult]) });
  const answered: (readonly [atMs: number, type: string])[] = [];
  const write = (): void => void sink.write([entry(1)]).subscribe(([result]) => answered.push([clock.now(), result?.type ?? '']));
  return { clock, sinks, sink, answered, write };
}

test('an answer that asks for patience is passed on after a growing pause', () => {
  const { clock, answered, write } = world(retry, retry, retry, retry, stored, retry);
  for (let tries = 0; tries < 6; tries++) {
    write();
    clock.advanceTo(clock.next() ?? clock.now());
  }
  const waits = answered.map(([atMs, type], at) => [atMs - (answered[at - 1]?.[0] ?? 0), type]);
  expect(waits).toEqual([
    [500, 'retry'],
    [1_000, 'retry'],
    [2_000, 'retry'],
    [2_500, 'retry'],
    [0, 'stored'],
    [500, 'retry'],
  ]);
});

test('all is settled when every answer has been passed on, and when nobody wants one any more', async () => {
  const { clock, sinks, sink, write } = world(stored, retry);
  expect(sink.identity).toBe('busy');
  write();
  expect(sinks.settled()).toBe(undefined);
  write();
  const settled = sinks.settled();
  expect(settled).toBeInstanceOf(Promise);
  clock.advanceTo(500);
  await settled;
  expect(sinks.settled()).toBe(undefined);

  const writing = sinks
    .around({ identity: 'silent', write: () => NEVER })
    .write([])
    .subscribe();
  const unsettled = sinks.settled();
  writing.unsubscribe();
  await unsettled;
  expect(sinks.settled()).toBe(undefined);
});
