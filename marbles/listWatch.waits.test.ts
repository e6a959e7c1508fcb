import { BehaviorSubject, map, takeUntil, timer } from 'rxjs';
import { describe, expect } from 'vitest';
import { listWatch } from '../src/sources/listWatch.ts';
import { answer, fakeServer, status } from './fakeServer.ts';
import { marble } from './marble.ts';
import { answers, frames, settings, toArrayUntil } from './readerFrames.ts';

describe('listWatch, its waits', () => {
  marble(
    'waits longer after each failure, and starts over after a watch that brought something',
    ({ cold, runtime, setRandom, signals, flush, expectObservable }) => {
      setRandom(0.999_999_999);
      const busy = cold('(v|)', answers);
      const server = fakeServer(cold('(e|)', answers), busy, busy, busy, cold('(oa#)', frames), busy, cold('-'));
      expectObservable(
        listWatch(settings, server.transport, runtime).pipe(
          toArrayUntil(30_000, runtime),
          map(() => 'r'),
        ),
      ).toBe('30s (r|)');
      flush();
      expect(signals.filter(({ type }) => type === 'watchEnded').map((signal) => 'waitMs' in signal && signal.waitMs)).toEqual([
        800, 1_600, 3_200, 800, 1_600,
      ]);
    },
  );

  marble('waits as long as the server asks, at most a minute', ({ cold, runtime, setRandom, signals, flush, expectObservable }) => {
    setRandom(0);
    const at = new Date(90_000).toUTCString();
    const late = cold('(l|)', { l: answer(429, status(429, 'TooManyRequests'), { retryAfter: '3600' }) });
    const dated = cold('(l|)', { l: answer(503, status(503, 'ServiceUnavailable'), { retryAfter: at }) });
    const server = fakeServer(cold('(e|)', answers), cold('(r|)', answers), late, dated, cold('-'));
    expectObservable(
      listWatch(settings, server.transport, runtime).pipe(
        toArrayUntil(100_000, runtime),
        map(() => 'r'),
      ),
    ).toBe('100s (r|)');
    flush();
    expect(signals.filter(({ type }) => type === 'watchEnded').map((signal) => 'waitMs' in signal && signal.waitMs)).toEqual([
      5_000, 60_000, 25_000,
    ]);
    expect(server.requests).toEqual(['list', 'watch 10', 'watch 10', 'watch 10', 'watch 10']);
  });

  marble(
    'closes a watch that is silent 15 s longer than it was asked to live',
    ({ cold, runtime, setRandom, signals, flush, expectObservable, expectSubscriptions }) => {
      setRandom(0);
      const silent = cold('o 10s a', frames);
      const server = fakeServer(cold('(e|)', answers), silent, cold('-'));
      expectObservable(
        listWatch(settings, server.transport, runtime).pipe(
          toArrayUntil(400_000, runtime),
          map(() => 'r'),
        ),
      ).toBe('400s (r|)');
      expectSubscriptions(silent.subscriptions).toBe('^ 325000ms !'); // heard at 10.001 s; limit 300 s + 15 s
      flush();
      expect(signals).toContainEqual({ type: 'watchEnded', source: 'events', cause: 'silent', resumeFrom: '11', waitMs: 0 });
    },
  );

  marble(
    'does not complain of silence while it is paused itself',
    ({ cold, hot, runtime, setRandom, expectObservable, expectSubscriptions }) => {
      setRandom(0);
      const silent = cold('o----', frames);
      const paused = hot<boolean>('f 99s t 999s f----', { t: true, f: false });
      const server = fakeServer(cold('(e|)', answers), silent, cold('-'));
      expectObservable(
        listWatch({ ...settings, paused }, server.transport, runtime).pipe(
          toArrayUntil(2_000_000, runtime),
          map(() => 'r'),
        ),
      ).toBe('2000s (r|)');
      expectSubscriptions(silent.subscriptions).toBe('^ 1413001ms !'); // goes on at 1098.002 s, then 315 s
    },
  );

  const t = true;
  const f = false;
  for (const [what, pausing, attempts, unwatchedMs] of [
    ['a watch that is read until it expires', 'f', ['(e|)', 'o 199s g'], 0],
    ['a watch that is paused while it is open', 'f 9s t 3990s f', ['(e|)', 'o 3999s g'], 3_990_000],
    ['watches of which a later one opens in the pause', 'f 9s t 3990s f', ['(e|)', 'o 19s #', 'o 3979s g'], 3_989_001],
    ['a list whose pages are held', 't 3999s f', ['(p|)', '(g|)'], 3_999_001],
  ] as const) {
    marble(`tells since when nothing was read: ${what}`, ({ cold, hot, runtime, setRandom, flush }) => {
      setRandom(0);
      const paused = new BehaviorSubject(pausing.startsWith('t'));
      hot<boolean>(pausing, { t, f }).subscribe(paused);
      const server = fakeServer(
        ...attempts.map((each) => cold(each, each.startsWith('(') ? answers : frames)),
        cold('(q|)', answers),
        cold('-'),
      );
      const lists: (number | undefined)[] = [];
      const reading = listWatch({ ...settings, paused }, server.transport, runtime).pipe(takeUntil(timer(5_000_000, runtime.scheduler)));
      reading.subscribe((change) => change.type === 'relistStarted' && lists.push(change.unwatchedMs));
      flush();

      expect(lists).toEqual([undefined, unwatchedMs]);
    });
  }
});
