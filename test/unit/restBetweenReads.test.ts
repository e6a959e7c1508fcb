import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { restBetweenReads } from '../../src/transports/restBetweenReads.ts';

/** Reads at given times; a rest takes its time, in which nothing else happens. */
function resting() {
  const clock = virtualClock(1_000);
  const seen: string[] = [];
  let rested = 0;
  let setBackMs = 0;
  const tell = (what: string) => void seen.push(`${clock.now() - 1_000 + rested}:${what}`);
  const onRead = restBetweenReads({
    restMs: 20,
    scheduler: { now: () => clock.now() + rested - setBackMs, schedule: clock.scheduler.schedule.bind(clock.scheduler) },
    rest: (ms) => {
      tell('rests');
      rested += ms;
    },
  });
  /** `ms` pass, then there is a read, and the turn ends. */
  const read = (ms: number, bytes = 1_000) => {
    clock.advanceTo(clock.now() + ms);
    tell('reads');
    onRead(bytes);
    clock.advanceTo(clock.now());
  };
  const setBack = (ms: number) => {
    setBackMs = ms;
  };
  return { seen, read, onRead, clock, setBack };
}

describe('restBetweenReads', () => {
  it('never rests for what comes alone', () => {
    const { seen, read } = resting();
    for (const ms of [0, 21, 50, 3_600_000]) read(ms);
    expect(seen).toEqual(['0:reads', '21:reads', '71:reads', '3600071:reads']);
  });

  it('rests when reads have come for as long as a rest takes, and again after what lay ready when it woke', () => {
    const { seen, read } = resting();
    for (const ms of [0, 5, 15, 0, 0, 21, 5]) read(ms);
    const awake = ['0:reads', '5:reads', '20:reads', '20:rests'];
    expect(seen).toEqual([...awake, '40:reads', '40:rests', '60:reads', '60:rests', '101:reads', '106:reads']);
  });

  it('rests once for all reads of a turn, when the turn is over', () => {
    const { seen, read, onRead, clock } = resting();
    for (const ms of [0, 15]) read(ms);
    clock.advanceTo(1_020);
    for (let body = 0; body < 3; body++) onRead(1_000);
    expect(seen).toEqual(['0:reads', '15:reads']);
    clock.advanceTo(1_020);
    expect(seen).toEqual(['0:reads', '15:reads', '20:rests']);
    expect(clock.next()).toBeUndefined();
  });

  it('works on while so much comes that it may be behind', () => {
    const { seen, read } = resting();
    for (const ms of [0, 10, 10, 10]) read(ms, 64 * 1024);
    expect(seen).toEqual(['0:reads', '10:reads', '20:reads', '30:reads']);
    for (const ms of [10, 10, 10]) read(ms);
    expect(seen.slice(4)).toEqual(['40:reads', '40:rests', '70:reads', '70:rests', '100:reads', '100:rests']);
  });

  it('takes what comes after the clock was set back for alone', () => {
    const { seen, read, setBack } = resting();
    for (const ms of [0, 15]) read(ms);
    setBack(3_600_000);
    for (const ms of [10, 10]) read(ms);
    expect(seen).toEqual(['0:reads', '15:reads', '25:reads', '35:reads']);
    read(10);
    expect(seen.slice(4)).toEqual(['45:reads', '45:rests']);
  });
});
