import { map, type Observable, Subject } from 'rxjs';
import { describe, expect } from 'vitest';
import type { Positions } from '../src/model/checkpoint.ts';
import type { Ack } from '../src/model/entry.ts';
import { bookmark, type Item } from '../src/model/occurrence.ts';
import type { Scoped, Slotted } from '../src/model/slot.ts';
import { trackCheckpoint } from '../src/operators/trackCheckpoint.ts';
import { ack, gap, occurrence, relistDone, relistStarted, scoped } from './builders.ts';
import { marble } from './marble.ts';

const limits = { start: {}, inFlightMax: 5_000, inFlightBytesMax: 1_000_000 };
const scopes = (items: Readonly<Record<string, Item>>): Record<string, Scoped> =>
  Object.fromEntries(Object.entries(items).map(([letter, item]) => [letter, scoped(item)]));
const at = (version: string, incarnation = 0): Positions => ({ '': { at: version, incarnation } });

const a = occurrence('1');
const b = occurrence('2');
const c = occurrence('7');
const ackAll = map(({ slot }: Slotted): Ack => ack(slot));
const acks = { a: ack(0), b: ack(1), c: ack(2) };

describe('trackCheckpoint', () => {
  marble(
    'emits the position just before the oldest open slot, each time it moves',
    ({ hot, runtime, expectObservable, expectSubscriptions }) => {
      const source = hot('  -a-b-m-c-----------|', scopes({ a, b, m: bookmark('5'), c }));
      const answers = hot(' -----------b-c-a---|', acks);
      const expected = '    ---------------7---|';
      const reading = '     ^------------------!';
      const paused = new Subject<boolean>();

      const positions = source.pipe(trackCheckpoint(limits, () => answers, paused, runtime));

      expectObservable(positions).toBe(expected, { 7: at('7') });
      expectSubscriptions(source.subscriptions).toBe(reading);
      expectSubscriptions(answers.subscriptions).toBe(reading);
    },
  );

  marble('gives each occurrence and gap record a slot, in order', ({ hot, runtime, expectObservable }) => {
    const slots = new Subject<Slotted>();
    const g = gap('1', '5');
    const source = hot('  -s-a-g-d-b-', scopes({ s: relistStarted(), a, g, d: relistDone('5'), b }));
    const expected = '    ---a-g---b-';
    const inner = (opened: Observable<Slotted>): Observable<Ack> => {
      opened.subscribe(slots);
      return hot('-');
    };

    expectObservable(slots).toBe(expected, { a: { slot: 0, item: a }, g: { slot: 1, item: g }, b: { slot: 2, item: b } });
    expectObservable(source.pipe(trackCheckpoint(limits, inner, new Subject(), runtime))).toBe('-');
  });

  marble('moves at once by a bookmark when nothing is open, and passes open slots never', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -m-a-n-----', scopes({ m: bookmark('1'), a: occurrence('2'), n: bookmark('9') }));
    const answers = hot(' -------a---', acks);
    const expected = '    -1-----9---';

    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime))).toBe(expected, {
      1: at('1'),
      9: at('9'),
    });
  });

  marble('moves nothing inside a list, and all at its end', ({ hot, runtime, expectObservable }) => {
    const items = { s: relistStarted(), a: occurrence('8'), m: bookmark('4'), b: occurrence('3'), d: relistDone('9') };
    const source = hot('  -s-a-m-b-d-----', scopes(items));
    const answers = hot(' -----a-----b---', acks);
    const expected = '    -----------9---';

    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime))).toBe(expected, { 9: at('9') });
  });

  marble('is at the end of a list at once when the list held nothing of ours', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -s-d-', scopes({ s: relistStarted(), d: relistDone('9') }));
    expectObservable(source.pipe(trackCheckpoint(limits, () => hot('-'), new Subject(), runtime))).toBe('---9-', { 9: at('9') });
  });

  marble('holds a gap record like an occurrence', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -s-g-d------', scopes({ s: relistStarted(), g: gap('1', '9'), d: relistDone('9') }));
    const answers = hot(' ---------a--', acks);
    const expected = '    ---------9--';

    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime))).toBe(expected, { 9: at('9') });
  });

  marble('starts a new incarnation at earliest when the store was restored', ({ hot, runtime, expectObservable }) => {
    const items = { a: occurrence('50'), r: relistStarted({ cause: 'restored', position: '50' }), b: occurrence('3'), d: relistDone('9') };
    const source = hot('  -a-r-b-d-----', scopes(items));
    const answers = hot(' -----a---b---', acks);
    const expected = '    -----e---9---'; //  e: when a is closed only the new incarnation counts, and of it nothing is done

    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime))).toBe(expected, {
      e: at('earliest', 1),
      9: at('9', 1),
    });
  });

  marble('never goes back and never stands on a version without an order', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -m-n-x-y-', scopes({ m: bookmark('10'), n: bookmark('9'), x: bookmark('opaque-7f'), y: bookmark('11') }));
    const expected = '    -a-----b-';

    expectObservable(source.pipe(trackCheckpoint(limits, () => hot('-'), new Subject(), runtime))).toBe(expected, {
      a: at('10'),
      b: at('11'),
    });
  });

  marble('keeps a position for each namespace', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -x-y-m-----', { x: scoped(a, 'shop'), y: scoped(b, 'bank'), m: scoped(bookmark('9'), 'bank') });
    const answers = hot(' -------b-a-', acks);
    const expected = '    -------p-q-';
    const bank = { at: '9', incarnation: 0 };

    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime))).toBe(expected, {
      p: { bank },
      q: { bank, shop: { at: '1', incarnation: 0 } },
    });
  });

  marble('pauses reading at a limit and goes on at half of it', ({ hot, runtime, expectObservable }) => {
    const paused = new Subject<boolean>();
    const source = hot('  -a-b-c-d-----------', scopes({ a, b, c, d: occurrence('8') }));
    const answers = hot(' ----------a-b-c----', acks);
    const expected = '    -------t----f------'; //  four open; two left

    expectObservable(paused).toBe(expected, { t: true, f: false });
    expectObservable(source.pipe(trackCheckpoint({ ...limits, inFlightMax: 4 }, () => answers, paused, runtime))).toBe(
      '----------1-2-7----',
      {
        1: at('1'),
        2: at('2'),
        7: at('7'),
      },
    );
  });

  marble('pauses by bytes too', ({ hot, runtime, expectObservable }) => {
    const paused = new Subject<boolean>();
    const source = hot('  -a-b----', scopes({ a: occurrence('1', { bytes: 60 }), b: occurrence('2', { bytes: 40 }) }));
    const answers = hot(' -----a--', acks);
    const expected = '    ---t-f--';

    expectObservable(paused).toBe(expected, { t: true, f: false });
    expectObservable(source.pipe(trackCheckpoint({ ...limits, inFlightBytesMax: 100 }, () => answers, paused, runtime))).toBe('-----1--', {
      1: at('1'),
    });
  });

  marble('takes acknowledgements that come back within the same frame', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -(ab)-|', scopes({ a, b }));
    const expected = '    -(12)-|';

    expectObservable(source.pipe(trackCheckpoint(limits, (slots) => slots.pipe(ackAll), new Subject(), runtime))).toBe(expected, {
      1: at('1'),
      2: at('2'),
    });
  });

  marble('completes after the last acknowledgement', ({ hot, cold, runtime, expectObservable }) => {
    const source = hot('  -a-|     ', scopes({ a }));
    const answers = cold('------a|', acks);
    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime))).toBe('------1|', { 1: at('1') });
    expectObservable(cold<Scoped>('--|').pipe(trackCheckpoint(limits, (slots) => slots.pipe(ackAll), new Subject(), runtime))).toBe('--|');
  });

  marble('fails when the inner stages end before everything is acknowledged', ({ hot, cold, runtime, expectObservable }) => {
    const source = hot('  -a-b-|', scopes({ a, b }));
    const answers = cold('-------a|', acks);
    const error = expect.objectContaining({ code: 'NOT_ACKNOWLEDGED' }) as unknown;

    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime))).toBe('-------1#', { 1: at('1') }, error);
  });

  marble('passes errors of both sides and lets go of the other', ({ hot, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('  -a---', scopes({ a }));
    const answers = hot<Ack>(' ---#-');
    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime))).toBe('---#');
    expectSubscriptions(source.subscriptions).toBe('^--!');

    const broken = hot<Scoped>('  -#');
    const quiet = hot<Ack>('-----');
    expectObservable(broken.pipe(trackCheckpoint(limits, () => quiet, new Subject(), runtime))).toBe('-#');
    expectSubscriptions(quiet.subscriptions).toBe('^!');
  });

  marble('ignores an acknowledgement of no open slot, and says so', ({ hot, runtime, signals, flush, expectObservable }) => {
    const source = hot('  -a----', scopes({ a }));
    const answers = hot(' --a-a-', acks);
    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime))).toBe('--1---', { 1: at('1') });
    flush();
    expect(signals.filter(({ type }) => type === 'warning')).toHaveLength(1);
  });

  marble('stops both sides when nobody listens', ({ hot, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('-a-b-', scopes({ a, b }));
    const answers = hot('-----', acks);
    expectObservable(source.pipe(trackCheckpoint(limits, () => answers, new Subject(), runtime)), '^--!').toBe('---');
    expectSubscriptions(source.subscriptions).toBe('^--!');
    expectSubscriptions(answers.subscriptions).toBe('^--!');
  });
});
