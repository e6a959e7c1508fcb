import { map } from 'rxjs';
import { describe, expect } from 'vitest';
import { bookmark, type Item } from '../src/model/occurrence.ts';
import type { Shard } from '../src/model/shard.ts';
import { keepShard } from '../src/operators/keepShard.ts';
import { gap, occurrence, relistDone, relistStarted } from './builders.ts';
import { marble } from './marble.ts';

const shard: Shard = { index: 0, total: 2 };

/** Of two shards, uid-0 and uid-2 belong to 0, uid-1 and uid-3 to 1. */
const items: Record<string, Item> = {
  a: occurrence('1', { involved: { uid: 'uid-0' } }),
  b: occurrence('2', { involved: { uid: 'uid-1' } }),
  m: bookmark('3'),
  c: occurrence('4', { involved: { uid: 'uid-2' } }),
  d: occurrence('5', { involved: { uid: 'uid-3' } }),
  s: relistStarted(),
  e: relistDone('9'),
  g: gap('5', '9'),
  n: bookmark('2'),
  o: bookmark('5'),
};

describe('keepShard', () => {
  marble('passes what the shard owns and turns the rest into bookmarks', (t) => {
    const source = t.hot('-a-b-m-c-d-|', items);
    const expected = '    -a-m-m-c-m-|';
    const reading = '     ^----------!';

    const letters = source.pipe(
      keepShard(shard, t.runtime),
      map((item) => (item.type === 'bookmark' ? 'm' : Object.keys(items).find((letter) => items[letter] === item))),
    );

    t.expectObservable(letters).toBe(expected);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
  });

  marble('gives each bookmark the version of what it stands for, in its place', (t) => {
    const source = t.hot('-a-b-m-(cd)-|', items);
    const expected = '    -a-n-m-(co)-|';

    t.expectObservable(source.pipe(keepShard(shard, t.runtime))).toBe(expected, items);
  });

  marble('passes control items whoever owns what, and counts each occurrence left out', (t) => {
    const source = t.hot('-s-b-g-d-e-m-|', items);
    const expected = '    -s-n-g-o-e-m-|';

    t.expectObservable(source.pipe(keepShard(shard, t.runtime))).toBe(expected, items);
    t.flush();

    expect(t.signals).toEqual([{ type: 'filtered' }, { type: 'filtered' }]);
  });

  marble('passes everything when there is one shard, and counts nothing', (t) => {
    const source = t.hot('-a-b-m-c-d-|', items);
    const expected = '    -a-b-m-c-d-|';

    t.expectObservable(source.pipe(keepShard({ index: 0, total: 1 }, t.runtime))).toBe(expected, items);
    t.flush();

    expect(t.signals).toEqual([]);
  });

  marble('leaves each occurrence to exactly one shard', (t) => {
    const source = t.hot('    -a-b-m-c-d-|', items);
    const expectedOf0 = '     -a-n-m-c-o-|';
    const expectedOf1 = '     -p-b-m-q-d-|';
    const marks = { ...items, p: bookmark('1'), q: bookmark('4') };

    t.expectObservable(source.pipe(keepShard({ index: 0, total: 2 }, t.runtime))).toBe(expectedOf0, marks);
    t.expectObservable(source.pipe(keepShard({ index: 1, total: 2 }, t.runtime))).toBe(expectedOf1, marks);
  });

  marble('uses the shard function it is given', (t) => {
    const byRange = t.cold<Item>('(ab|)', items).pipe(keepShard({ index: 1, total: 2, function: 'fnv1a64-range' }, t.runtime));
    const expected = '            (xy|)';

    t.expectObservable(byRange).toBe(expected, { x: items['a'], y: items['b'] });
  });

  marble('passes an empty, a silent and a failing source on', (t) => {
    t.expectObservable(t.cold<Item>('--|').pipe(keepShard(shard, t.runtime))).toBe('--|');
    t.expectObservable(t.cold<Item>('---').pipe(keepShard(shard, t.runtime))).toBe('---');
    t.expectObservable(t.cold<Item>('-b-#', items).pipe(keepShard(shard, t.runtime))).toBe('-n-#', items);
  });

  marble('stops reading when unsubscribed', (t) => {
    const source = t.hot('-a-b-m-c-|', items);
    const until = '       ----!    ';
    const expected = '    -a-n     ';
    const reading = '     ^---!    ';

    t.expectObservable(source.pipe(keepShard(shard, t.runtime)), until).toBe(expected, items);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
  });
});
