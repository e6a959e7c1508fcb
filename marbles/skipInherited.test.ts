import { describe, expect } from 'vitest';
import type { Generation } from '../src/model/checkpoint.ts';
import { bookmark, type Item } from '../src/model/occurrence.ts';
import { shardIndex } from '../src/model/shard.ts';
import { skipInherited } from '../src/operators/skipInherited.ts';
import { occurrence, relistDone, relistStarted } from './builders.ts';
import { marble } from './marble.ts';

const [zero, one] = [0, 1].map((index) => ['p', 'q', 'r', 's'].find((key) => shardIndex(key, 2) === index) ?? '');
const about = (uid = ''): { involved: { uid: string } } => ({ involved: { uid } });
const a = occurrence('1', about(zero));
const b = occurrence('2', about(one));
const c = occurrence('3', about(zero));
const d = occurrence('4', about(one));

/** Old shard 0 had come to 3, old shard 1 to 2. */
const inherited: readonly Generation[] = [
  {
    total: 2,
    function: 'fnv1a32-mod',
    positions: {
      '': [
        { at: '3', incarnation: 0 },
        { at: '2', incarnation: 0 },
      ],
    },
  },
];
const settings = { scope: '', inherited, incarnation: 0 };

describe('skipInherited', () => {
  marble(
    'turns what a shard of an earlier map has delivered into bookmarks',
    ({ hot, runtime, signals, flush, expectObservable, expectSubscriptions }) => {
      const source = hot('  -a-b-c-d-|', { a, b, c, d });
      const expected = '    -m-n-o-d-|';
      const reading = '     ^--------!';

      expectObservable(source.pipe(skipInherited(settings, runtime))).toBe(expected, {
        m: bookmark('1'),
        n: bookmark('2'),
        o: bookmark('3'),
        d,
      });
      expectSubscriptions(source.subscriptions).toBe(reading);
      flush();
      expect(signals).toEqual([{ type: 'repeated' }, { type: 'repeated' }, { type: 'repeated' }]);
    },
  );

  marble('does so inside a list too, and passes control items', ({ hot, runtime, expectObservable }) => {
    const values = { s: relistStarted({ cause: 'expired' }), c, d, f: relistDone('9'), m: bookmark('3') };
    expectObservable(hot('-s-d-c-f-m-|', values).pipe(skipInherited(settings, runtime))).toBe('-s-d-m-f-m-|', values);
  });

  marble('asks each earlier map, the older ones too', ({ hot, runtime, expectObservable }) => {
    const older: Generation = { total: 1, function: 'fnv1a32-mod', positions: { '': [{ at: '4', incarnation: 0 }] } };
    const both = { ...settings, inherited: [...inherited, older] };
    expectObservable(hot('-d-|', { d }).pipe(skipInherited(both, runtime))).toBe('-m-|', { m: bookmark('4') });
  });

  marble('skips nothing for a shard that had not begun, another namespace, or nothing inherited', ({ hot, runtime, expectObservable }) => {
    const idle: Generation = { total: 2, function: 'fnv1a32-mod', positions: { '': [null, { at: 'earliest', incarnation: 0 }] } };
    for (const other of [
      { ...settings, inherited: [idle] },
      { ...settings, scope: 'shop' },
      { scope: '', incarnation: 0 },
    ]) {
      expectObservable(hot('-a-b-|', { a, b }).pipe(skipInherited(other, runtime))).toBe('-a-b-|', { a, b });
    }
  });

  marble('trusts no version of another incarnation of the store', ({ hot, runtime, expectObservable }) => {
    const r = relistStarted({ cause: 'restored' });
    expectObservable(hot('-a-r-b-|', { a, r, b }).pipe(skipInherited(settings, runtime))).toBe('-m-r-b-|', { m: bookmark('1'), r, b });
    expectObservable(hot('-a-|', { a }).pipe(skipInherited({ ...settings, incarnation: 1 }, runtime))).toBe('-a-|', { a });
  });

  marble('passes two items of one frame, the end, the error, and nothing', ({ hot, cold, runtime, expectObservable }) => {
    expectObservable(hot('-(bd)-|', { b, d }).pipe(skipInherited(settings, runtime))).toBe('-(nd)-|', { n: bookmark('2'), d });
    expectObservable(cold<Item>('---|').pipe(skipInherited(settings, runtime))).toBe('---|');
    expectObservable(cold<Item>('-').pipe(skipInherited(settings, runtime))).toBe('-');
    expectObservable(hot('-d-#', { d }).pipe(skipInherited(settings, runtime))).toBe('-d-#', { d });
  });

  marble('stops reading when nobody listens', ({ hot, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('-d-d-d-', { d });
    expectObservable(source.pipe(skipInherited(settings, runtime)), '^---!').toBe('-d-d-', { d });
    expectSubscriptions(source.subscriptions).toBe('^---!');
  });
});
