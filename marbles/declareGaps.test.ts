import { describe, expect } from 'vitest';
import type { Gap } from '../src/model/change.ts';
import { bookmark, type Item } from '../src/model/occurrence.ts';
import { declareGaps } from '../src/operators/declareGaps.ts';
import { date, occurrence, relistDone, relistStarted } from './builders.ts';
import { marble } from './marble.ts';

const a = occurrence('9');
const b = occurrence('12', { change: 'listed' });
const c = occurrence('13', { change: 'listed', event: { count: 3 } });
const d = relistDone('20');
const s = relistStarted({ cause: 'expired', position: '10', resourceVersion: '20', unwatchedMs: 2_000, date });
const g: Gap = { type: 'gap', cause: 'expired', from: '10', to: '20', date };

describe('declareGaps', () => {
  marble(
    'inserts a record before the first item that was written more than once',
    ({ hot, runtime, signals, flush, expectObservable, expectSubscriptions }) => {
      const source = hot('  -a-s-b-c----d-|', { a, s, b, c, d });
      const expected = '    -a-s-b-(gc)-d-|';
      const reading = '     ^-------------!';

      expectObservable(source.pipe(declareGaps({}, runtime))).toBe(expected, { a, s, b, c, d, g });
      expectSubscriptions(source.subscriptions).toBe(reading);
      flush();
      expect(signals).toEqual([{ type: 'gapDeclared', gap: g }]);
    },
  );

  marble('says nothing when every listed item was written once', ({ hot, runtime, expectObservable }) => {
    expectObservable(hot('-a-s-b-d-|', { a, s, b, d }).pipe(declareGaps({}, runtime))).toBe('-a-s-b-d-|', { a, s, b, d });
  });

  marble('says nothing for a first list, whatever it holds', ({ hot, runtime, expectObservable }) => {
    const values = { s: relistStarted({ resourceVersion: '20', date }), c, d };
    expectObservable(hot('-s-c-d-|', values).pipe(declareGaps({}, runtime))).toBe('-s-c-d-|', values);
  });

  marble('takes a series for more than one write', ({ hot, runtime, expectObservable }) => {
    const x = occurrence('14', { change: 'listed', event: { series: { count: 2, lastObservedTime: date } } });
    const source = hot('  -s-x----d-|', { s, x, d });
    const expected = '    -s-(gx)-d-|';

    expectObservable(source.pipe(declareGaps({}, runtime))).toBe(expected, { s, x, d, g });
  });

  marble('declares one gap for a list, however many items show it', ({ hot, runtime, expectObservable }) => {
    const x = occurrence('14', { change: 'listed', event: { count: 9 } });
    const source = hot('  -s-c----x-d-|', { s, c, x, d });
    const expected = '    -s-(gc)-x-d-|';

    expectObservable(source.pipe(declareGaps({}, runtime))).toBe(expected, { s, c, x, d, g });
  });

  marble(
    'declares at once when nothing was read for longer than Events live, which may be less than an hour',
    ({ hot, runtime, expectObservable }) => {
      const source = hot('-s---b-d-|', { s, b, d });
      const expected = '  -(sx)b-d-|';

      expectObservable(source.pipe(declareGaps({ eventTtlMs: 1_999 }, runtime))).toBe(expected, {
        s,
        b,
        d,
        x: { ...g, cause: 'unwatched' },
      });
    },
  );

  marble('declares at once when no watch was open for an unknown time or for more than an hour', ({ hot, runtime, expectObservable }) => {
    const u = relistStarted({ cause: 'expired', position: '10', resourceVersion: '20', date });
    const h = relistStarted({ cause: 'expired', position: '20', resourceVersion: '30', unwatchedMs: 3_600_001, date });
    const values = {
      u,
      h,
      b,
      d,
      f: relistDone('30'),
      x: { ...g, cause: 'unwatched' } as const,
      y: { ...g, cause: 'unwatched', from: '20', to: '30' } as const,
    };
    const source = hot('  -u-----b-d-h----f-|', values);
    const expected = '    -(ux)--b-d-(hy)-f-|';

    expectObservable(source.pipe(declareGaps({}, runtime))).toBe(expected, values);
  });

  marble('declares at once when the store was restored', ({ hot, runtime, expectObservable }) => {
    const r = relistStarted({ cause: 'restored', position: '50', resourceVersion: '20', unwatchedMs: 0, date });
    const source = hot('  -r----b-d-|', { r, b, d });
    const expected = '    -(rx)-b-d-|';

    expectObservable(source.pipe(declareGaps({}, runtime))).toBe(expected, { r, b, d, x: { ...g, cause: 'restored', from: '50' } });
  });

  marble('goes on from the declared gap when the list is made again', ({ hot, runtime, expectObservable }) => {
    const t = relistStarted({ cause: 'expired', position: '10', resourceVersion: '25', unwatchedMs: 9_000, date });
    const x = occurrence('24', { change: 'listed', event: { count: 4 } });
    const values = { s, c, t, x, g, h: { ...g, from: '20', to: '25' }, d: relistDone('25') };
    const source = hot('  -s-c----t-x----d-|', values);
    const expected = '    -s-(gc)-t-(hx)-d-|';

    expectObservable(source.pipe(declareGaps({}, runtime))).toBe(expected, values);
  });

  marble('goes on from a first list, or one of a restored store, that was cut short', ({ hot, runtime, expectObservable }) => {
    const f = relistStarted({ resourceVersion: '20', date });
    const t = relistStarted({ resourceVersion: '25', date });
    const x = occurrence('24', { change: 'listed', event: { count: 4 } });
    const values = { f, c, t, x, h: { ...g, from: '20', to: '25' }, d: relistDone('25') };
    const source = hot('  -f-c-t-x----d-|', values);
    const expected = '    -f-c-t-(hx)-d-|';

    expectObservable(source.pipe(declareGaps({}, runtime))).toBe(expected, values);

    const r = relistStarted({ cause: 'restored', position: '50', resourceVersion: '20', date });
    const again = hot('   -r----b-t-x----d-|', { ...values, r, b });
    const declared = '    -(rw)-b-t-(hx)-d-|';
    expectObservable(again.pipe(declareGaps({}, runtime))).toBe(declared, { ...values, r, b, w: { ...g, cause: 'restored', from: '50' } });
  });

  marble('declares at once when a list that was cut short is made again after more than an hour', ({ hot, runtime, expectObservable }) => {
    const t = relistStarted({ cause: 'expired', position: '10', resourceVersion: '25', unwatchedMs: 4_000_000, date });
    const values = { s, c, t, g, h: { ...g, cause: 'unwatched', from: '20', to: '25' } as const };
    const source = hot('  -s-c 3600001ms t---|', values);
    const expected = '    -s-(gc) 3599998ms (th)|';

    expectObservable(source.pipe(declareGaps({}, runtime))).toBe(expected, values);
  });

  marble('suspects nothing once the list is done', ({ hot, runtime, expectObservable }) => {
    const values = { s, b, d, m: bookmark('21'), x: occurrence('22', { change: 'modified', event: { count: 7 } }) };
    expectObservable(hot('-s-b-d-m-x-|', values).pipe(declareGaps({}, runtime))).toBe('-s-b-d-m-x-|', values);
  });

  marble('leaves an item that cannot be decoded to the stages below', ({ hot, runtime, expectObservable }) => {
    const read = (): never => {
      throw new Error('undecodable');
    };
    const x = { ...b, read };
    expectObservable(hot('-s-x-d-|', { s, x, d }).pipe(declareGaps({}, runtime))).toBe('-s-x-d-|', { s, x, d });
  });

  marble('passes the end, the error, and nothing', ({ hot, cold, runtime, expectObservable }) => {
    expectObservable(cold<Item>('---|').pipe(declareGaps({}, runtime))).toBe('---|');
    expectObservable(cold<Item>('-').pipe(declareGaps({}, runtime))).toBe('-');
    expectObservable(hot('-a-#', { a }).pipe(declareGaps({}, runtime))).toBe('-a-#', { a });
  });

  marble('stops reading when nobody listens', ({ hot, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('-a-b-d-', { a, b, d });
    expectObservable(source.pipe(declareGaps({}, runtime)), '^---!').toBe('-a-b-', { a, b });
    expectSubscriptions(source.subscriptions).toBe('^---!');
  });
});
