import { BehaviorSubject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { playRecording } from '../../src/cli/playRecording.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import type { Recorded } from '../../src/transports/recording.ts';
import { replay } from '../../src/transports/replay.ts';
import { recordingHeader } from './recordingHeader.ts';
import { ended, frames, json, opened, startsAt, stream } from './replaying.ts';

const header = recordingHeader(startsAt);

function lineAt(afterMs: number): readonly Recorded[] {
  return frames(1, [json('line', { n: afterMs })], startsAt + afterMs);
}

interface Settings {
  readonly recorded: readonly Recorded[];
  readonly speed?: number;
  readonly paused?: BehaviorSubject<boolean>;
  readonly settled?: () => Promise<void> | undefined;
  readonly inFlight?: () => number;
  readonly waitingBytesMax?: number;
}

/** Plays to one reader of a watch, which is over when it is told that there is no more. */
function playing({ recorded, speed = Number.POSITIVE_INFINITY, paused = new BehaviorSubject(false), ...more }: Settings) {
  const clock = virtualClock(startsAt);
  const player = replay({ header });
  const told: [atMs: number, what: unknown][] = [];
  const pulled: number[] = [];
  let over = false;
  const tell = (what: unknown): void => void told.push([clock.now() - startsAt, what]);
  player
    .transport()
    .stream({ stream: 'events', path: '/api/v1/events', query: { watch: 'true' }, accept: '' }, paused)
    .subscribe({
      next: (frame) => tell(frame.type === 'line' ? JSON.parse(Buffer.from(frame.bytes).toString()).n : frame.type),
      complete: () => {
        over = true;
      },
    });
  async function* reading(): AsyncGenerator<Recorded> {
    for (const each of recorded) {
      pulled.push(each.at - startsAt);
      yield each;
    }
  }
  const aborter = new AbortController();
  const done = playRecording(
    { speed, ...(more.waitingBytesMax === undefined ? {} : { waitingBytesMax: more.waitingBytesMax }) },
    {
      recording: { header, startsAt, frames: reading() },
      replay: player,
      clock,
      settled: more.settled ?? (() => undefined),
      inFlight: more.inFlight ?? (() => 0),
      isOver: () => over,
      stop: aborter.signal,
    },
  );
  const end = (): void => {
    over = true;
    aborter.abort();
  };
  return { told, pulled, clock, done, end };
}

const start = frames(1, [stream(), opened]);

describe('playRecording', () => {
  it('moves time to each recorded moment, runs the timers on the way and tells the end', async () => {
    const { told, clock, done } = playing({ recorded: [...start, ...lineAt(5), ...lineAt(5), ...lineAt(1_000)] });
    for (const ms of [5, 6, 999, 1_000, 2_000]) clock.scheduler.schedule(() => told.push([clock.now() - startsAt, `timer ${ms}`]), ms);
    await done;
    expect(told).toEqual([
      [0, 'opened'],
      [5, 'timer 5'],
      [5, 5],
      [5, 5],
      [6, 'timer 6'],
      [999, 'timer 999'],
      [1_000, 'timer 1000'],
      [1_000, 1_000],
      [1_000, 'exhausted'],
    ]);
  });

  it('does not go back in time for a frame that is out of order', async () => {
    const { told, done } = playing({ recorded: [...start, ...lineAt(50), ...lineAt(20), ...lineAt(60)] });
    await done;
    expect(told.map(([at, what]) => [at, what])).toEqual([
      [0, 'opened'],
      [50, 50],
      [50, 20],
      [60, 60],
      [60, 'exhausted'],
    ]);
  });

  it('stands still and reads no further while the reader is paused in front of a line', async () => {
    const paused = new BehaviorSubject(false);
    let open: (() => void) | undefined;
    const settled = (): Promise<void> | undefined => (paused.value ? new Promise((resolve) => (open = resolve)) : undefined);
    const { told, pulled, clock, done } = playing({ recorded: [...start, ...lineAt(5), ...lineAt(10), ...lineAt(20)], paused, settled });
    paused.next(true);
    await soon(() => expect(open).toBeDefined());
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect({ told, pulled, now: clock.now() - startsAt }).toEqual({ told: [], pulled: [0], now: 0 });
    paused.next(false);
    open?.();
    await done;
    expect(told.map(([at]) => at)).toEqual([0, 5, 10, 20, 20]);
  });

  it('moves by the readers own timers while a reader is paused and no output is under way', async () => {
    const paused = new BehaviorSubject(true);
    const { told, clock, done } = playing({ recorded: [...start, ...lineAt(5)], paused });
    clock.scheduler.schedule(() => paused.next(false), 700);
    await done;
    expect(told.map(([at]) => at)).toEqual([700, 700, 700]);
  });

  it('leaves time to the readers timers when lines pile up that nobody has asked for yet', async () => {
    const recorded = [stream({}, '/api/v1/pods'), opened, json('line', { x: 'x'.repeat(200) })].map(
      (frame): Recorded => ({ at: startsAt, stream: 'pods', request: 9, frame }),
    );
    const { told, clock, done } = playing({ recorded: [...recorded, ...start, ...lineAt(5)], waitingBytesMax: 100 });
    clock.scheduler.schedule(() => told.push([clock.now() - startsAt, 'timer']), 900);
    await done;
    expect(told).toEqual([
      [900, 'timer'],
      [900, 'opened'],
      [900, 5],
      [900, 'exhausted'],
    ]);
  });

  it('waits for output before time moves on', async () => {
    let under = 0;
    const waits: number[] = [];
    const settled = (): Promise<void> | undefined => {
      if (under === 0) return undefined;
      under = 0;
      waits.push(clock.now() - startsAt);
      return Promise.resolve();
    };
    const { clock, done, told } = playing({ recorded: [...start, ...lineAt(5), ...lineAt(9)], settled });
    clock.scheduler.schedule(() => {
      under = 1;
    }, 5);
    await done;
    expect({ waits, told: told.length }).toEqual({ waits: [5], told: 4 });
  });

  it('gives what is in flight its time before it tells the end, at most a minute', async () => {
    let inFlight = 1;
    const quick = playing({ recorded: [...start, ...lineAt(5)], inFlight: () => inFlight });
    quick.clock.scheduler.schedule(() => {
      inFlight = 0;
    }, 3_000);
    await quick.done;
    expect(quick.told.at(-1)).toEqual([3_000, 'exhausted']);
    const never = playing({ recorded: [...start, ...lineAt(5)], inFlight: () => 1 });
    const tick = (): void => void never.clock.scheduler.schedule(tick, 10_000);
    tick();
    await never.done;
    expect(never.told.at(-1)).toEqual([70_000, 'exhausted']);
  });

  it('ties recorded time to real time by its speed, except for what is left after the end', async () => {
    const began = Date.now();
    const { told, clock, done } = playing({ recorded: [...start, ...lineAt(3_000), ...frames(1, [ended], startsAt + 6_000)], speed: 20 });
    clock.scheduler.schedule(() => undefined, 3_600_000);
    await done;
    const tookMs = Date.now() - began;
    expect(told.map(([at]) => at)).toEqual([0, 3_000]);
    expect({ tookMs, inTime: tookMs >= 295 && tookMs < 3_000 }).toMatchObject({ inTime: true });
  });

  it('ends at once when it is stopped, also in the middle of a wait', async () => {
    const { done, end, told } = playing({ recorded: [...start, ...lineAt(3_600_000)], speed: 1 });
    await soon(() => expect(told).toHaveLength(1));
    end();
    await done;
    expect(told).toEqual([
      [0, 'opened'],
      [0, 'exhausted'],
    ]);
  });

  it('rejects when nothing is left to wait for and its readers do not end', async () => {
    const paused = new BehaviorSubject(true);
    await expect(playing({ recorded: [...start], paused }).done).rejects.toMatchObject({ code: 'NOT_ACKNOWLEDGED' });
  });
});

function soon(check: () => void): Promise<void> {
  return vi.waitFor(check, 20_000);
}
