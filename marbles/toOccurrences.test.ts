import { map, type Observable } from 'rxjs';
import { describe, expect } from 'vitest';
import { PipelineError } from '../src/errors.ts';
import type { MarbleHelpers } from '../src/marbleKit.ts';
import { bookmark, type Change } from '../src/model/change.ts';
import type { Item, Occurrence } from '../src/model/occurrence.ts';
import { toOccurrences } from '../src/operators/toOccurrences.ts';
import { added, deleted, eventObject, listed, modified, occurrence, relistDone, relistStarted } from './builders.ts';
import { marble } from './marble.ts';

const changes: Record<string, Change<never>> = {
  s: relistStarted(),
  a: listed('1', eventObject('1')),
  d: relistDone('5'),
  b: modified('6', eventObject('6')),
  m: bookmark('7'),
  c: deleted('8', eventObject('2')),
};

/** An item without its `read`, which is a new function each time. */
function header(item: Item): Record<string, unknown> {
  if (item.type !== 'occurrence') return { ...item };
  const { read: _, ...rest } = item;
  return rest;
}

const items: Record<string, Record<string, unknown>> = {
  s: header(relistStarted()),
  a: header(occurrence('1', { change: 'listed' })),
  d: header(relistDone('5')),
  b: header(occurrence('6', { change: 'modified' })),
  m: header(bookmark('7')),
  n: header(bookmark('8')),
};

const headers = (occurrences: Observable<Item>): Observable<Record<string, unknown>> => occurrences.pipe(map(header));

describe('toOccurrences', () => {
  marble('makes occurrences of what was written or listed, and bookmarks of what was deleted', (t) => {
    const source = t.hot('-s-a-d-b-m-c-|', changes);
    const expected = '    -s-a-d-b-m-n-|';
    const reading = '     ^------------!';

    t.expectObservable(source.pipe(toOccurrences(t.runtime), headers)).toBe(expected, items);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
  });

  marble('tells each occurrence as received, and neither bookmarks nor deletions', (t) => {
    const source = t.hot('-s-a-d-b-m-c-|', { ...changes, b: modified('6', eventObject('6'), 2_000) });

    source.pipe(toOccurrences(t.runtime)).subscribe();
    t.flush();

    expect(t.signals).toEqual([
      { type: 'received', bytes: 100 },
      { type: 'received', bytes: 2_000 },
    ]);
  });

  marble('keeps two items of one frame in their order', (t) => {
    const source = t.hot('-(ab)-(cm)-|', changes);
    const expected = '    -(ab)-(nm)-|';

    t.expectObservable(source.pipe(toOccurrences(t.runtime), headers)).toBe(expected, items);
  });

  marble('passes an empty, a silent and a failing source on', (t) => {
    t.expectObservable(t.cold<Change<never>>('--|').pipe(toOccurrences(t.runtime))).toBe('--|');
    t.expectObservable(t.cold<Change<never>>('---').pipe(toOccurrences(t.runtime))).toBe('---');
    t.expectObservable(t.cold('-a-#', changes).pipe(toOccurrences(t.runtime), headers)).toBe('-a-#', items);
  });

  marble('stops reading when unsubscribed', (t) => {
    const source = t.hot('-a-b-c-|', changes);
    const until = '       ----!    ';
    const expected = '    -a-b    ';
    const reading = '     ^---!    ';

    t.expectObservable(source.pipe(toOccurrences(t.runtime), headers), until).toBe(expected, items);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
  });
});

describe('the header', () => {
  const itemOf = (t: MarbleHelpers, object: unknown): Occurrence => {
    let item: Item | undefined;
    t.cold<Change<never>>('a', { a: added('9', object) })
      .pipe(toOccurrences(t.runtime))
      .subscribe((made) => {
        item = made;
      });
    t.flush();
    if (item?.type !== 'occurrence') throw new Error('an occurrence was expected');
    return item;
  };

  marble('takes fields that are no text for missing', (t) => {
    const object = { metadata: { uid: 'u', namespace: null }, involvedObject: { kind: 5, namespace: ['x'], name: 'web-0', uid: null } };

    expect(header(itemOf(t, object))).toEqual({
      type: 'occurrence',
      change: 'added',
      uid: 'u',
      resourceVersion: '9',
      namespace: '',
      involved: { kind: '', namespace: '', name: 'web-0', uid: '' },
      bytes: 100,
    });
  });

  marble('is read from the body, and so is the whole Event: the very object the body holds', (t) => {
    const object = eventObject('9');

    expect(itemOf(t, object).read()).toBe(object);
  });

  for (const [title, object, uid] of [
    ['text', 'no object', ''],
    ['null', null, ''],
    ['an empty object', {}, ''],
    ['metadata that is a list', { metadata: [], involvedObject: {} }, ''],
    ['no uid', { metadata: { name: 'a' }, involvedObject: { kind: 'Pod' } }, ''],
    ['a uid that is a number', { metadata: { uid: 7 }, involvedObject: { kind: 'Pod' } }, ''],
    ['no involvedObject', { metadata: { uid: 'u' } }, 'u'],
    ['involvedObject null', { metadata: { uid: 'u' }, involvedObject: null }, 'u'],
  ] as const) {
    marble(`${title}: still one occurrence at its version, whose read says why`, (t) => {
      const item = itemOf(t, object);

      expect({ uid: item.uid, resourceVersion: item.resourceVersion }).toEqual({ uid, resourceVersion: '9' });
      expect(() => item.read()).toThrow(expect.objectContaining({ code: 'UNDECODABLE' }));
      expect(t.signals).toEqual([{ type: 'received', bytes: 100 }]);
    });
  }

  marble('of a body that cannot be decoded is empty, and read throws what the body threw', (t) => {
    const cause = new PipelineError('UNDECODABLE', 'not JSON');
    const body = {
      bytes: 12,
      read: () => {
        throw cause;
      },
    };
    const source = t.cold<Change<never>>('(ab|)', {
      a: { type: 'modified', resourceVersion: '9', body },
      b: added('10', eventObject('10')),
    });
    const seen: Item[] = [];
    source.pipe(toOccurrences(t.runtime)).subscribe((item) => seen.push(item));
    t.flush();

    const [broken] = seen as [Occurrence];
    expect(header(broken)).toEqual({
      type: 'occurrence',
      change: 'modified',
      uid: '',
      resourceVersion: '9',
      namespace: '',
      involved: { kind: '', namespace: '', name: '', uid: '' },
      bytes: 12,
    });
    expect(() => broken.read()).toThrow(cause);
    expect(seen.length).toBe(2);
  });
});
