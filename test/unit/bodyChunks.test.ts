import { Readable } from 'node:stream';
import { BehaviorSubject, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { bodyChunks } from '../../src/transports/bodyChunks.ts';

/** Streams tell of what they have in a later turn of the event loop, whatever the virtual time. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function reading(paused = of(false), readEveryMs: number | null = 20) {
  const clock = virtualClock(1_000);
  const body = new Readable({ read: () => undefined });
  const seen: string[] = [];
  const tell = (what: string) => void seen.push(`${clock.now() - 1_000}:${what}`);
  const coalescing = readEveryMs === null ? undefined : { readEveryMs, scheduler: clock.scheduler };
  const subscription = bodyChunks(body, paused, coalescing).subscribe({
    next: (chunk) => tell(chunk.length > 20 ? String(chunk.length) : Buffer.from(chunk).toString()),
    error: (error: Error) => tell(error.message),
    complete: () => tell('end'),
  });
  /** Something comes, and `ms` pass. */
  const come = async (text: string | null, ms = 0): Promise<void> => {
    body.push(text);
    await turn();
    clock.advanceTo(clock.now() + ms);
    await turn();
  };
  return { body, clock, seen, come, subscription };
}

describe('bodyChunks', () => {
  it('hands on at once what comes alone, and together what comes within the time of a read', async () => {
    const { seen, come } = reading();
    await come('a', 5);
    await come('b', 5);
    await come('c', 30);
    await come('d', 1);
    await come(null, 19);
    expect(seen).toEqual(['0:a', '20:bc', '40:d', '60:end']);
  });

  it('reads as it comes without coalescing', async () => {
    const { seen, come } = reading(of(false), null);
    await come('a', 5);
    await come('b', 5);
    await come(null);
    expect(seen).toEqual(['0:a', '5:b', '10:end']);
  });

  it('does not wait after a read that brought much', async () => {
    const { seen, come } = reading();
    await come('x'.repeat(32 * 1024), 1);
    await come('a', 1);
    await come('b', 1);
    await come(null, 30);
    expect(seen).toEqual(['0:32768', '1:a', '21:b', '33:end']);
  });

  it('reads nothing while paused, also when its wait ends, and everything when it goes on', async () => {
    const paused = new BehaviorSubject(false);
    const { seen, come, clock } = reading(paused);
    await come('a', 5);
    await come('b', 5);
    paused.next(true);
    await come('c', 40);
    expect(seen).toEqual(['0:a']);
    paused.next(false);
    await come('d', 5);
    clock.advanceTo(clock.now() + 20);
    expect(seen).toEqual(['0:a', '50:bc', '70:d']);
  });

  it('ends at once when the body breaks off, and leaves no timer', async () => {
    const { seen, come, body, clock } = reading();
    await come('a', 5);
    await come('b', 5);
    body.destroy(new Error('cut'));
    await turn();
    expect({ seen, next: clock.next() }).toEqual({ seen: ['0:a', '10:cut'], next: undefined });
  });

  it('leaves no timer when it is unsubscribed', async () => {
    const { seen, come, clock, subscription } = reading();
    await come('a', 5);
    await come('b', 5);
    subscription.unsubscribe();
    await come('c', 50);
    expect({ seen, next: clock.next() }).toEqual({ seen: ['0:a'], next: undefined });
  });

  it('waits no longer than ever when the clock is set back', async () => {
    const { seen, come, clock } = reading();
    const back = { ...clock.scheduler, now: () => clock.now() - 3_600_000, schedule: clock.scheduler.schedule.bind(clock.scheduler) };
    const body = new Readable({ read: () => undefined });
    let isBack = false;
    const now = () => (isBack ? back.now() : clock.now());
    const chunks: number[] = [];
    bodyChunks(body, of(false), { readEveryMs: 20, scheduler: { now, schedule: back.schedule } }).subscribe(() => chunks.push(clock.now()));
    body.push('a');
    await turn();
    isBack = true;
    body.push('b');
    await come('', 25);
    expect({ seen, chunks }).toEqual({ seen: [], chunks: [1_000, 1_020] });
  });
});
