import { map } from 'rxjs';
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
});
