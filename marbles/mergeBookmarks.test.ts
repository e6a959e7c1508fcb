import { describe, expect } from 'vitest';
import { bookmark } from '../src/model/change.ts';
import type { Item } from '../src/model/occurrence.ts';
import { mergeBookmarks } from '../src/operators/mergeBookmarks.ts';
import { occurrence, relistDone, relistStarted } from './builders.ts';
import { marble } from './marble.ts';

const a = occurrence('4');
const items: Record<string, Item> = {
  a,
  b: occurrence('9'),
  m: bookmark('2', true),
  n: bookmark('3', true),
  o: bookmark('5', true),
  p: bookmark('6'),
  s: relistStarted(),
  d: relistDone('8'),
};
const passed: Record<string, Item> = { ...items, n: bookmark('3'), o: bookmark('5') };

describe('mergeBookmarks', () => {
  marble('passes of a run of bookmarks only the last, and one before an occurrence', (t) => {
    const source = t.hot('-(mna)-(op)-|', items);
    const expected = '    -(na)--p----|';
    const reading = '     ^-----------!';

    t.expectObservable(source.pipe(mergeBookmarks())).toBe(expected, passed);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
  });

  marble('passes at once what nothing was said to follow', (t) => {
    t.expectObservable(t.hot('-p-a-p-p-|', items).pipe(mergeBookmarks())).toBe('-p-a-p-p-|', items);
  });

  marble('keeps the place of bookmarks among control items and occurrences', (t) => {
    const source = t.hot('-(sna)-(mod)-(bp)-|', items);
    const expected = '    -(sna)-(od)--(bp)-|';

    t.expectObservable(source.pipe(mergeBookmarks())).toBe(expected, passed);
  });

  marble('holds a bookmark until what was said to follow it comes, and lets it go at the end', (t) => {
    t.expectObservable(t.hot('-n---a---', items).pipe(mergeBookmarks())).toBe('-----(na)', passed);
    t.expectObservable(t.hot('-n---|', items).pipe(mergeBookmarks())).toBe('-----(n|)', passed);
  });

  marble('passes an empty, a silent and a failing source on, and stops reading when unsubscribed', (t) => {
    t.expectObservable(t.cold<Item>('--|').pipe(mergeBookmarks())).toBe('--|');
    t.expectObservable(t.cold<Item>('---').pipe(mergeBookmarks())).toBe('---');
    t.expectObservable(t.cold<Item>('-a-#', items).pipe(mergeBookmarks())).toBe('-a-#', items);
    const source = t.hot('-a-b-p-|', items);
    t.expectObservable(source.pipe(mergeBookmarks()), '----!').toBe('-a-b', items);
    t.expectSubscriptions(source.subscriptions).toBe('^---!');
  });

  marble('counts for the position as all of them did', (t) => {
    const seen: string[] = [];
    t.cold<Item>('(mnp)', items)
      .pipe(mergeBookmarks())
      .subscribe((item) => seen.push('resourceVersion' in item ? (item.resourceVersion ?? '') : ''));
    t.flush();
    expect(seen).toEqual(['6']);
  });
});
