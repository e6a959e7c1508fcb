import { BehaviorSubject, ignoreElements, map, merge, tap, timer } from 'rxjs';
import { describe, expect } from 'vitest';
import type { Frame } from '../src/ports.ts';
import { listWatch } from '../src/sources/listWatch.ts';
import { eventObject } from './builders.ts';
import { answer, fakeServer, page, status } from './fakeServer.ts';
import { marble } from './marble.ts';
import { answers, frames, seen, settings, start, toArrayUntil, told } from './readerFrames.ts';

describe('listWatch, its lists', () => {
  marble('never gives up on lists, and counts their failures', ({ cold, runtime, setRandom, signals, flush, expectObservable }) => {
    setRandom(0.999_999_999);
    const busy = cold('(v|)', answers);
    const server = fakeServer(
      busy,
      busy,
      cold('(f|)', answers),
      cold('(l|)', { l: page('', []) }),
      cold('#'),
      busy,
      busy,
      cold('(e|)', answers),
      cold('-'),
    );
    const changes = told(listWatch(settings, server.transport, runtime)).pipe(toArrayUntil(120_000, runtime));
    expectObservable(changes).toBe('120s (r|)', { r: ['started start - 10', 'relistDone 10'] });
    flush();
    const failed = signals.filter((signal) => signal.type === 'listFailed');
    expect(failed.map(({ failures, waitMs, cause }) => [failures, waitMs, cause])).toEqual([
      [1, 800, 'status'],
      [2, 1_600, 'status'],
      [3, 3_200, 'status'],
      [4, 6_400, 'invalid'],
      [5, 12_800, 'broken'],
      [6, 25_600, 'status'],
      [7, 30_000, 'status'],
    ]);
  });

  marble(
    'starts a list again when its continue token expires, without using the token of that answer',
    ({ cold, runtime, setRandom, flush, expectObservable }) => {
      setRandom(0);
      const first = page('10', [eventObject('9')], 't1');
      const gone = answer(410, { ...(status(410, 'Expired') as object), metadata: { continue: 't2' } });
      const again = page('12', [eventObject('9')], 't3');
      const last = page('99', [eventObject('11')]);
      const pages = [first, gone, again, last].map((value) => cold('(v|)', { v: value }));
      const server = fakeServer(...pages, cold('-'));
      const changes = told(listWatch(settings, server.transport, runtime)).pipe(toArrayUntil(10, runtime));
      expectObservable(changes).toBe('10ms (r|)', {
        r: ['started start - 10', 'listed 9', 'started start - 12', 'listed 9', 'listed 11', 'relistDone 12'],
      });
      flush();
      expect(server.requests).toEqual(['list', 'list continue=t1', 'list', 'list continue=t3', 'watch 12']);
    },
  );

  marble('holds the rest of a page while it is paused', ({ cold, hot, runtime, expectObservable }) => {
    const paused = hot<boolean>('f-t----f-', { t: true, f: false });
    const state = new BehaviorSubject(false);
    const server = fakeServer(cold('---(p|)', answers), cold('-'));
    const reading = merge(
      paused.pipe(tap(state), ignoreElements()),
      told(listWatch({ ...settings, paused: state }, server.transport, runtime)),
    );
    expectObservable(reading, '^-----------!').toBe('---s---(xyd)', start);
  });

  marble('hands on a page that is deeper than the stack, held and let go in between', ({ cold, runtime, expectObservable }) => {
    const items = Array.from({ length: 20_000 }, (_, index) => eventObject(String(index + 11)));
    const paused = new BehaviorSubject(false);
    const server = fakeServer(cold('(p|)', { p: page('50000', items) }), cold('-'));
    let listed = 0;
    const reading = told(listWatch({ ...settings, paused }, server.transport, runtime)).pipe(
      tap(() => {
        listed += 1;
        if (listed % 5_000 !== 0) return;
        paused.next(true);
        timer(1, runtime.scheduler).subscribe(() => paused.next(false));
      }),
      toArrayUntil(100, runtime),
      map((changes) => changes.length),
    );

    expectObservable(reading).toBe('100ms (r|)', { r: 20_002 });
  });

  marble(
    'reads a first list as a stream, in the order of the server, and goes on watching in it',
    ({ cold, runtime, flush, expectObservable }) => {
      const stream = cold('-o-b-a-n-c-m-', frames);
      const expected = '    -s-b-a-d-c-m';
      const server = fakeServer(cold('(v|)', { v: answer(200, { major: '1', minor: '36+' }) }), stream);
      const { streamingLists: _, ...asked } = settings;

      expectObservable(told(listWatch(asked, server.transport, runtime)), '^------------!').toBe(expected, {
        ...seen,
        s: 'started start - -',
        a: 'listed 11',
        b: 'listed 12',
      });
      flush();
      expect(server.requests).toEqual(['version', 'stream']);
      expect(server.queries[1]).toEqual({
        watch: 'true',
        allowWatchBookmarks: 'true',
        timeoutSeconds: '450',
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
      });
    },
  );

  marble('asks an older server for pages', ({ cold, runtime, flush, expectObservable }) => {
    const server = fakeServer(cold('(v|)', { v: answer(200, { major: '1', minor: '31' }) }), cold('(e|)', answers), cold('-'));
    const { streamingLists: _, ...asked } = settings;
    expectObservable(told(listWatch(asked, server.transport, runtime)), '^----!').toBe('(sd)', start);
    flush();
    expect(server.requests).toEqual(['version', 'list', 'watch 10']);
  });

  for (const [why, refusal] of [
    ['is refused with 400', '(b|)'],
    ['is silent for a minute', 'o-a'],
  ] as const) {
    marble(`falls back to pages when a streaming list ${why}`, ({ cold, runtime, setRandom, flush, expectObservable }) => {
      setRandom(0);
      const server = fakeServer(cold<Frame>(refusal, refusal === '(b|)' ? answers : frames), cold('(e|)', answers), cold('-'));
      expectObservable(
        listWatch({ ...settings, streamingLists: true }, server.transport, runtime).pipe(
          toArrayUntil(61_000, runtime),
          map(() => 'r'),
        ),
      ).toBe('61s (r|)');
      flush();
      expect(server.requests).toEqual(['stream', 'list', 'watch 10']);
    });
  }

  marble('makes a streaming list again when it is cut short', ({ cold, runtime, setRandom, flush, expectObservable }) => {
    setRandom(0);
    const server = fakeServer(cold('o-b-#', frames), cold('o-b-a-n-', frames));
    const expected = '        s-b-s-b-a-d';
    expectObservable(told(listWatch({ ...settings, streamingLists: true }, server.transport, runtime)), '^-----------!').toBe(expected, {
      s: 'started start - -',
      a: 'listed 11',
      b: 'listed 12',
      d: 'relistDone 10',
    });
    flush();
    expect(server.requests).toEqual(['stream', 'stream']);
  });

  marble(
    'lists a restored store by pages also when the first such list is cut short: its version is known before its items',
    ({ cold, runtime, setRandom, flush, expectObservable }) => {
      setRandom(0);
      const older = cold('(o|)', { o: page('10', []) });
      const first = cold('(v|)', { v: page('10', [eventObject('9')], 't1') });
      const again = cold('(v|)', { v: page('12', [eventObject('11')]) });
      const server = fakeServer(older, first, cold('#'), again, cold('-'));
      const streaming = { ...settings, streamingLists: true, resume: '500' };
      const changes = told(listWatch(streaming, server.transport, runtime)).pipe(toArrayUntil(10, runtime));
      expectObservable(changes).toBe('10ms (r|)', {
        r: ['started restored 500 10', 'listed 9', 'started start - 12', 'listed 11', 'relistDone 12'],
      });
      flush();
      expect(server.requests).toEqual(['check', 'list', 'list continue=t1', 'list', 'watch 12']);
    },
  );
});
