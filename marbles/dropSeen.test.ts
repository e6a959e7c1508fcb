import { describe, expect } from 'vitest';
import { bookmark, type Item } from '../src/model/occurrence.ts';
import { dropSeen } from '../src/operators/dropSeen.ts';
import { occurrence, relistDone, relistStarted } from './builders.ts';
import { marble } from './marble.ts';

const a = occurrence('12', { change: 'listed' });
const b = occurrence('11', { change: 'listed' });
const c = occurrence('13', { change: 'listed' });
const e = occurrence('21');
const s = relistStarted();
const d = relistDone('20');

describe('dropSeen', () => {
  marble(
    'passes each revision once, also when a list is cut short and made again',
    ({ hot, runtime, signals, flush, expectObservable, expectSubscriptions }) => {
      const source = hot('  -s-a-b-s-a-b-c-d-a-e-|', { s, a, b, c, d, e });
      const expected = '    -s-a-b-s-m-n-c-d-m-e-|';
      const reading = '     ^--------------------!';

      const items = source.pipe(dropSeen({}, runtime));

      expectObservable(items).toBe(expected, { s, a, b, c, d, e, m: bookmark('12'), n: bookmark('11') });
      expectSubscriptions(source.subscriptions).toBe(reading);
      flush();
      expect(signals).toEqual([{ type: 'repeated' }, { type: 'repeated' }, { type: 'repeated' }]);
    },
  );

  marble('drops in a list what is at or before the position, in whatever order it comes', ({ hot, runtime, expectObservable }) => {
    const values = {
      s,
      x: occurrence('10', { change: 'listed' }),
      a,
      y: occurrence('9', { change: 'listed' }),
      d,
      m: bookmark('10'),
      n: bookmark('9'),
    };
    const source = hot('  -s-x-a-y-d-|', values);
    const expected = '    -s-m-a-n-d-|';

    expectObservable(source.pipe(dropSeen({ position: '10' }, runtime))).toBe(expected, values);
  });

  marble('moves no position inside a list, so a later item with an older version passes', ({ hot, runtime, expectObservable }) => {
    const values = { s, c, b, d };
    const source = hot('  -s-c-b-d-|', values);

    expectObservable(source.pipe(dropSeen({}, runtime))).toBe('-s-c-b-d-|', values);
  });

  marble('passes a newer revision of the same event when a list is made again', ({ hot, runtime, expectObservable }) => {
    const values = { s, a, x: occurrence('15', { uid: a.uid, change: 'listed' }) };
    expectObservable(hot('-s-a-s-x-|', values).pipe(dropSeen({}, runtime))).toBe('-s-a-s-x-|', values);
  });

  marble('moves its position by bookmarks, never back', ({ hot, runtime, expectObservable }) => {
    const values = { m: bookmark('30'), n: bookmark('5'), e, x: occurrence('31'), r: bookmark('21') };
    const source = hot('  -m-n-e-x-|', values);
    const expected = '    -m-n-r-x-|';

    expectObservable(source.pipe(dropSeen({}, runtime))).toBe(expected, values);
  });

  marble('compares versions by length first, beyond the exact integers of a number', ({ hot, runtime, expectObservable }) => {
    const values = { a: occurrence('9007199254740992'), b: occurrence('9007199254740993'), c: occurrence('10000000000000000') };
    expectObservable(hot('-a-b-c-|', values).pipe(dropSeen({ position: '999' }, runtime))).toBe('-a-b-c-|', values);
  });

  marble('knows opaque versions by the revisions it remembers, up to the limit', ({ hot, runtime, expectObservable }) => {
    const values = { a: occurrence('x-1'), b: occurrence('x-2'), c: occurrence('x-3'), m: bookmark('x-2') };
    const source = hot('  -a-b-c-b-a-|', values);
    const expected = '    -a-b-c-m-a-|'; //  a was forgotten when c came

    expectObservable(source.pipe(dropSeen({ opaqueMax: 2 }, runtime))).toBe(expected, values);
  });

  marble('forgets everything when the store was restored', ({ hot, runtime, expectObservable }) => {
    const restored = relistStarted({ cause: 'restored', position: '20', resourceVersion: '13' });
    const values = { d, r: restored, b, f: relistDone('13'), x: occurrence('14') };
    expectObservable(hot('-d-r-b-f-x-|', values).pipe(dropSeen({}, runtime))).toBe('-d-r-b-f-x-|', values);
  });

  marble('passes two items of one frame in order', ({ hot, runtime, expectObservable }) => {
    expectObservable(hot('-(ac)-|', { a, c }).pipe(dropSeen({}, runtime))).toBe('-(ac)-|', { a, c });
  });

  marble('passes the end, the error, and nothing', ({ hot, cold, runtime, expectObservable }) => {
    expectObservable(cold<Item>('---|').pipe(dropSeen({}, runtime))).toBe('---|');
    expectObservable(cold<Item>('-').pipe(dropSeen({}, runtime))).toBe('-');
    expectObservable(hot('-a-#', { a }).pipe(dropSeen({}, runtime))).toBe('-a-#', { a });
  });

  marble('stops reading when nobody listens', ({ hot, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('-a-c-e-', { a, c, e });
    expectObservable(source.pipe(dropSeen({}, runtime)), '^---!').toBe('-a-c-', { a, c });
    expectSubscriptions(source.subscriptions).toBe('^---!');
  });
});
