import { describe, expect } from 'vitest';
import { listWatch } from '../src/sources/listWatch.ts';
import { eventObject } from './builders.ts';
import { fakeServer, line, page } from './fakeServer.ts';
import { marble } from './marble.ts';
import { answers, frames, seen, settings, start, toArrayUntil, told } from './readerFrames.ts';

describe('listWatch', () => {
  marble(
    'lists what the server holds, then watches from the version of the list',
    ({ cold, runtime, flush, expectObservable, expectSubscriptions }) => {
      const list = cold('   -----(p|)', answers);
      const watch = cold('       -o----a-b-e-x-m---', frames);
      const expected = '    -----(sxyd)a-b-e-z-m';
      const server = fakeServer(list, watch);

      expectObservable(told(listWatch(settings, server.transport, runtime)), '^--------------------!').toBe(expected, seen);
      expectSubscriptions(list.subscriptions).toBe('^----!');
      expectSubscriptions(watch.subscriptions).toBe('-----^---------------!');
      flush();
      expect(server.requests).toEqual(['list', 'watch 10']);
      expect(server.queries[1]).toEqual({ watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: '450', resourceVersion: '10' });
    },
  );

  marble(
    'resumes where a watch ended, one watch at a time',
    ({ cold, runtime, setRandom, flush, expectObservable, expectSubscriptions }) => {
      setRandom(0);
      const list = cold('   (e|)', answers);
      const clean = cold('  -o----a-b-|', frames);
      const broken = cold('           -o-c-#', frames);
      const next = cold('                  -o-e--', frames);
      const expected = '    (sd)--a-b----c----e';
      const server = fakeServer(list, clean, broken, next);

      expectObservable(told(listWatch(settings, server.transport, runtime)), '^------------------!').toBe(expected, seen);
      expectSubscriptions(clean.subscriptions).toBe(' ^---------!');
      expectSubscriptions(broken.subscriptions).toBe('----------^----!');
      expectSubscriptions(next.subscriptions).toBe('  ---------------^---!');
      flush();
      expect(server.requests).toEqual(['list', 'watch 10', 'watch 12', 'watch 13']);
    },
  );

  for (const [form, gone] of [
    ['by the HTTP status', '-(g|)'],
    ['by a line of the stream', '-o(g|)'],
  ] as const) {
    marble(`lists again when the position has expired, told ${form}`, ({ cold, runtime, setRandom, flush, expectObservable }) => {
      setRandom(0);
      const server = fakeServer(
        cold('(e|)', answers),
        cold(gone, gone === '-(g|)' ? answers : frames),
        cold('10ms (q|)', answers),
        cold('-o------c-', frames),
      );
      const changes = told(listWatch(settings, server.transport, runtime)).pipe(toArrayUntil(25, runtime));

      expectObservable(changes).toBe('25ms (r|)', {
        r: ['started start - 10', 'relistDone 10', 'started expired 10 30', 'listed 25', 'relistDone 30', 'added 13'],
      });
      flush();
      expect(server.requests).toEqual(['list', 'watch 10', 'list', 'watch 30']);
    });
  }

  marble('takes three watches closed at once without a byte for an expired position', ({ cold, runtime, flush, expectObservable }) => {
    const empty = cold('-(o|)', frames);
    const server = fakeServer(cold('(e|)', answers), empty, empty, cold('(e|)', answers), empty, cold('(q|)', answers), cold('-'));
    const changes = told(listWatch(settings, server.transport, runtime)).pipe(toArrayUntil(9_000, runtime));

    expectObservable(changes).toBe('9s (r|)', {
      r: ['started start - 10', 'relistDone 10', 'started expired 10 30', 'listed 25', 'relistDone 30'],
    });
    flush();
    expect(server.requests).toEqual(['list', 'watch 10', 'watch 10', 'check', 'watch 10', 'list', 'watch 30']);
  });

  marble(
    'checks the store after two quiet watches, and starts over when it went back in time',
    ({ cold, runtime, flush, expectObservable }) => {
      const quiet = cold('o 20s |', frames);
      const older = cold('(o|)', { o: page('4', []) });
      const server = fakeServer(cold('(e|)', answers), quiet, quiet, older, cold('(r|)', { r: page('4', [eventObject('3')]) }), cold('-'));
      const changes = told(listWatch(settings, server.transport, runtime)).pipe(toArrayUntil(60_000, runtime));

      expectObservable(changes).toBe('60s (r|)', {
        r: ['started start - 10', 'relistDone 10', 'started restored 10 4', 'listed 3', 'relistDone 4'],
      });
      flush();
      expect(server.requests).toEqual(['list', 'watch 10', 'watch 10', 'check', 'list', 'watch 4']);
    },
  );

  marble('resumes from a stored position without a list, after a look at the store', ({ cold, runtime, flush, expectObservable }) => {
    const server = fakeServer(cold('-(e|)', answers), cold('-o-a-', frames));
    expectObservable(told(listWatch({ ...settings, resume: '8' }, server.transport, runtime)), '^------!').toBe('----a', seen);
    flush();
    expect(server.requests).toEqual(['check', 'watch 8']);
  });

  marble('starts over when the store is older than the stored position', ({ cold, runtime, flush, expectObservable }) => {
    const server = fakeServer(cold('-(e|)', answers), cold('-(p|)', answers), cold('-'));
    expectObservable(told(listWatch({ ...settings, resume: '500' }, server.transport, runtime)), '^---------!').toBe('--(rxyd)', {
      ...start,
      r: 'started restored 500 10',
    });
    flush();
    expect(server.requests).toEqual(['check', 'list', 'watch 10']);
  });

  marble('starts from now by telling where that is', ({ cold, runtime, flush, expectObservable }) => {
    const server = fakeServer(cold('-(p|)', answers), cold('-o-a-', frames));
    expectObservable(told(listWatch({ ...settings, startFrom: 'now' }, server.transport, runtime)), '^------!').toBe('-n--a', {
      ...seen,
      n: 'bookmark 10',
    });
    flush();
    expect(server.requests).toEqual(['check', 'watch 10']);
  });

  marble('survives what is no watch event, and moves nowhere by it', ({ cold, runtime, setRandom, signals, flush, expectObservable }) => {
    setRandom(0);
    const list = cold('   (e|)', answers);
    const watch = cold('  -o----q-u-y-f-a-(t|)', frames);
    const next = cold('                   -', frames);
    const expected = '    (sd)----------a';
    const server = fakeServer(list, watch, next);

    expectObservable(told(listWatch(settings, server.transport, runtime)), '^------------------!').toBe(expected, seen);
    flush();
    expect(signals.filter((signal) => signal.type === 'frameSkipped').map(({ cause }) => cause)).toEqual([
      'notWatchEvent',
      'undecodable',
      'oversized',
      'torn',
    ]);
    expect(server.requests).toEqual(['list', 'watch 10', 'watch 11']);
  });

  marble('resumes after an error that the server tells in the stream', ({ cold, runtime, setRandom, flush, expectObservable }) => {
    setRandom(0);
    const server = fakeServer(cold('(e|)', answers), cold('-o----a-i-', frames), cold('-'));
    expectObservable(told(listWatch(settings, server.transport, runtime)), '^---------!').toBe('(sd)--a', seen);
    flush();
    expect(server.requests).toEqual(['list', 'watch 10', 'watch 11']);
  });

  marble('warns once of versions without an order', ({ cold, runtime, setRandom, signals, flush, expectObservable }) => {
    setRandom(0);
    const odd = cold('(v|)', { v: page('opaque-7f', []) });
    const server = fakeServer(odd, cold('(oa|)', { ...frames, a: line('ADDED', eventObject('opaque-8')) }), cold('-'));
    expectObservable(told(listWatch(settings, server.transport, runtime)), '^---------!').toBe('(sda)', {
      s: 'started start - opaque-7f',
      d: 'relistDone opaque-7f',
      a: 'added opaque-8',
    });
    flush();
    expect(signals.filter(({ type }) => type === 'versionOpaque')).toEqual([
      { type: 'versionOpaque', source: 'events', resourceVersion: 'opaque-7f' },
    ]);
    expect(server.requests).toEqual(['list', 'watch opaque-7f', 'watch opaque-8']);
  });

  marble('completes when the transport has nothing more to give', ({ cold, runtime, expectObservable }) => {
    const server = fakeServer(cold('(e|)', answers), cold('-o----a-z', frames));
    expectObservable(told(listWatch(settings, server.transport, runtime))).toBe('(sd)--a-|', seen);
  });

  marble('ends its request when nobody listens', ({ cold, runtime, expectObservable, expectSubscriptions }) => {
    const watch = cold('-o----a-b-', frames);
    const server = fakeServer(cold('(e|)', answers), watch);
    expectObservable(told(listWatch(settings, server.transport, runtime)), '^------!').toBe('(sd)--a', seen);
    expectSubscriptions(watch.subscriptions).toBe('^------!');
  });
});
