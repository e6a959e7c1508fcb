import { interval, type Subscription, take, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { seededRandom } from '../../src/testing.ts';

describe('virtualClock', () => {
  it('stands still until it is moved, and runs what is due on the way, at its time', () => {
    const clock = virtualClock(1_000);
    const ran: unknown[] = [];
    const set = (ms: number): Subscription => clock.scheduler.schedule(() => ran.push([ms, clock.now(), clock.scheduler.now()]), ms);
    for (const ms of [30, 10, 20, 10, -5, 0]) set(ms);
    expect({ ran, next: clock.next(), now: clock.now() }).toEqual({ ran: [], next: 1_000, now: 1_000 });
    clock.advanceTo(1_020);
    expect(ran).toEqual([
      [-5, 1_000, 1_000],
      [0, 1_000, 1_000],
      [10, 1_010, 1_010],
      [10, 1_010, 1_010],
      [20, 1_020, 1_020],
    ]);
    expect({ next: clock.next(), now: clock.now() }).toEqual({ next: 1_030, now: 1_020 });
  });

  it('runs timers that are set meanwhile, if they are due', () => {
    const clock = virtualClock(0);
    const ran: number[] = [];
    clock.scheduler.schedule(() => {
      ran.push(clock.now());
      clock.scheduler.schedule(() => ran.push(clock.now()), 0);
      clock.scheduler.schedule(() => ran.push(clock.now()), 7);
      clock.scheduler.schedule(() => ran.push(clock.now()), 50);
    }, 3);
    clock.advanceTo(10);
    expect({ ran, next: clock.next() }).toEqual({ ran: [3, 3, 10], next: 53 });
  });

  it('forgets timers that are cancelled', () => {
    const clock = virtualClock(0);
    const ran: string[] = [];
    const first = clock.scheduler.schedule(() => ran.push('first'), 1);
    clock.scheduler.schedule(() => first.unsubscribe(), 0);
    clock.advanceTo(5);
    expect({ ran, next: clock.next() }).toEqual({ ran: [], next: undefined });
  });

  it('drives timers of RxJS, repeated ones for as long as one likes', () => {
    const clock = virtualClock(0);
    const seen: number[] = [];
    timer(5, 10, clock.scheduler)
      .pipe(take(3))
      .subscribe(() => seen.push(clock.now()));
    let ticks = 0;
    const ticking = interval(1, clock.scheduler).subscribe(() => ticks++);
    clock.advanceTo(50_000);
    ticking.unsubscribe();
    expect({ seen, ticks, next: clock.next() }).toEqual({ seen: [5, 15, 25], ticks: 50_000, next: undefined });
  });

  it('keeps many timers in order', () => {
    const clock = virtualClock(0);
    const random = seededRandom(3);
    const ran: [atMs: number, order: number][] = [];
    for (let order = 0; order < 9_000; order++) {
      const ms = Math.floor(random() * 200);
      const set = clock.scheduler.schedule(() => ran.push([ms, order]), ms);
      if (random() < 0.6) set.unsubscribe();
    }
    clock.advanceTo(200);
    const sorted = [...ran].sort(([a, first], [b, second]) => a - b || first - second);
    expect(ran.length).toBeGreaterThan(1_000);
    expect(ran).toEqual(sorted);
  });

  it('hands the state to the work, as other schedulers do', () => {
    const clock = virtualClock(0);
    const states: unknown[] = [];
    clock.scheduler.schedule<number>(
      function (state?: number) {
        states.push(state);
        if (state !== undefined && state < 3) this.schedule(state + 1, 10);
      },
      10,
      1,
    );
    clock.advanceTo(100);
    expect(states).toEqual([1, 2, 3]);
  });
});
