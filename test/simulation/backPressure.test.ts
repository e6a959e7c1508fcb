import { NEVER, Observable, type Observer } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { pipeline } from '../../src/pipeline.ts';
import type { Sink, SinkResult } from '../../src/ports.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { readerLimits } from '../../src/sources/readerSettings.ts';
import { health } from '../../src/telemetry/health.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { busyCluster, core, seededRandom, virtualTransport } from '../../src/testing.ts';
import { memoryStore } from '../../src/transports/memoryStore.ts';

const second = 1_000;
const minute = 60 * second;
const inFlightMax = 200;
/** The reader stops within a chunk, which holds a few lines at most. */
const chunkMost = 20;

/** How a sink that stores nothing behaves towards whoever writes to it. */
type Standstill = 'says no' | 'says nothing';

/**
 * A busy cluster and a shard whose sink stores nothing from minute 5 on for so many minutes,
 * looked at every five seconds of virtual time. Nothing is compacted, so what the sink missed can still be had.
 */
function play(standstill: Standstill, minutes: number) {
  const startMs = Date.UTC(2026, 4, 4, 10);
  const clock = virtualClock(startMs);
  const random = seededRandom(7);
  const { now } = clock;
  const server = core({}, { now, random });
  const cluster = busyCluster(server, { pods: 40 }, random);
  const silentMsMax = 2 * (readerLimits.watchMaxMs + readerLimits.silenceGraceMs);
  const state = health({ sources: ['events'], pausedSources: ['events'], silentMsMax }, startMs);
  const told = { pauses: 0, gaps: 0, inFlightMost: 0 };
  const runtime = {
    scheduler: clock.scheduler,
    random,
    signal: (signal: Signal) => {
      state.observe(signal, now());
      if (signal.type === 'readerPaused' && signal.paused) told.pauses += 1;
      if (signal.type === 'gapDeclared') told.gaps += 1;
      if (signal.type === 'inFlight') told.inFlightMost = Math.max(told.inFlightMost, signal.occurrences);
    },
  };
  const movesAt = startMs + (5 + minutes) * minute;
  const stands = () => now() >= startMs + 5 * minute && now() < movesAt;
  const { sink, stored } = standingSink(standstill, stands, movesAt, clock.scheduler);
  const transport = virtualTransport(server, {}, runtime);
  const settings = { shard: { index: 0, total: 1 }, ownerLabels: false, inFlightMax, batchItemsMax: 20, batchesMax: 3, flushMs: 500 };

  const running = pipeline(settings, { transport, sink, store: memoryStore() }, NEVER, runtime).subscribe();
  const looks = [];
  for (let ms = 0; ms < (20 + minutes) * minute; ms += 5 * second) {
    // What is overwritten before anybody could read is nobody's loss.
    if (ms > 0 && ms < (15 + minutes) * minute) cluster.stepUntil(5);
    clock.advanceTo(startMs + ms);
    looks.push({ ms, alive: state.livenessFailures(now()), ready: state.readinessFailures(now()), stored: stored.length });
  }
  running.unsubscribe();
  const written = server.writes.filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED');
  const ids = written.map(({ object, resourceVersion }) => `${resourceVersion.padStart(20, '0')}.${object.metadata.uid}`);
  return { ...told, looks, stored, ids };
}

/** Stores everything but while it stands. A write to one that says nothing is answered when it moves again. */
function standingSink(
  standstill: Standstill,
  stands: () => boolean,
  movesAt: number,
  scheduler: ReturnType<typeof virtualClock>['scheduler'],
): { sink: Sink; stored: string[] } {
  const stored: string[] = [];
  const answer = (batch: readonly Entry[], to: Observer<readonly SinkResult[]>): void => {
    const isStored = !stands();
    if (isStored) stored.push(...batch.map(({ insertId }) => insertId));
    to.next(batch.map(() => (isStored ? { type: 'stored' } : { type: 'retry', reason: 'unavailable' })));
    to.complete();
  };
  const sink: Sink = {
    identity: 'standing',
    write: (batch) =>
      new Observable((subscriber) => {
        const waitMs = standstill === 'says nothing' && stands() ? movesAt - scheduler.now() : 10;
        return scheduler.schedule(() => answer(batch, subscriber), waitMs);
      }),
  };
  return { sink, stored };
}

/** A reader that is not paused counts as dead after some twenty minutes. */
describe.each<[Standstill, number]>([
  ['says no', 10],
  ['says nothing', 10],
  ['says no', 30],
  ['says nothing', 30],
])('a sink that %s and stores nothing for %i minutes', (standstill, minutes) => {
  const { looks, stored, ids, pauses, gaps, inFlightMost } = play(standstill, minutes);
  const between = (from: number, to: number) => looks.filter(({ ms }) => ms >= from * minute && ms < to * minute);

  test('pauses the reader, and then every revision is stored once', () => {
    expect(pauses).toBeGreaterThan(0);
    expect(new Set(between(5.5, 5 + minutes).map((look) => look.stored)).size, 'nothing was stored in between').toBe(1);
    expect(stored.toSorted()).toEqual(ids.toSorted());
    expect(gaps).toBe(0);
  });

  test('while no more than the limit is in flight', () => {
    expect(inFlightMost).toBeGreaterThanOrEqual(inFlightMax);
    expect(inFlightMost).toBeLessThanOrEqual(inFlightMax + chunkMost);
  });

  test('the process counts as alive all the time', () => {
    expect(looks.flatMap(({ ms, alive }) => alive.map((text) => `${ms / second} s: ${text}`))).toEqual([]);
  });

  test('and as ready but for the time in which the sink refuses', () => {
    const unready = looks.filter(({ ready }) => ready.length > 0);
    const texts = new Set(unready.flatMap(({ ready }) => ready.map((text) => text.replace(/\d+/, 'N'))));
    expect([...texts]).toEqual(
      standstill === 'says no' ? ['events: no watch opened yet', 'sink: not stored after N tries'] : ['events: no watch opened yet'],
    );
    expect(
      between(1, 5)
        .concat(between(6 + minutes, 20 + minutes))
        .filter(({ ready }) => ready.length > 0),
    ).toEqual([]);
  });
});
