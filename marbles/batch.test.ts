import { concat, NEVER, take } from 'rxjs';
import { describe, expect } from 'vitest';
import { batch } from '../src/operators/batch.ts';
import { marble } from './marble.ts';

describe('batch', () => {
  marble('flushes when full, when the timer ends, and at completion', ({ hot, time, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('  -a-b-c-----d--|');
    const flushMs = time('     ----|     '); //  starts at c
    const expected = '    ---x-----y----(z|)';
    const reading = '     ^-------------!';

    const batches = source.pipe(batch({ itemsMax: 2, flushMs }, runtime));

    expectObservable(batches).toBe(expected, { x: ['a', 'b'], y: ['c'], z: ['d'] });
    expectSubscriptions(source.subscriptions).toBe(reading);
  });

  marble('starts the timer anew for each batch, at its first item only', ({ hot, time, runtime, expectObservable }) => {
    const source = hot('  -a-bc--d--e---f------|');
    const flushMs = time(' -----|                '); // at a, then at d, then at f
    const expected = '    ------x-----y------z-|';

    const batches = source.pipe(batch({ itemsMax: 9, flushMs }, runtime));

    expectObservable(batches).toBe(expected, { x: ['a', 'b', 'c'], y: ['d', 'e'], z: ['f'] });
  });

  marble('a batch that filled up leaves no timer behind', ({ hot, time, runtime, expectObservable }) => {
    const source = hot('  -a-b-c-----|');
    const flushMs = time(' ----|       '); // a's would end at frame 5, c's at 9
    const expected = '    ---x-----y-|';

    const batches = source.pipe(batch({ itemsMax: 2, flushMs }, runtime));

    expectObservable(batches).toBe(expected, { x: ['a', 'b'], y: ['c'] });
  });

  marble('never grows over the limit of bytes; a larger item goes alone', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -a-b-c-d-e----|');
    const expected = '    -----x-(yz)---(w|)';
    const bytes: Record<string, number> = { a: 40, b: 50, c: 20, d: 300, e: 1 };

    const batches = source.pipe(batch({ itemsMax: 9, bytesMax: 100, bytesOf: (item) => bytes[item] ?? 0, flushMs: 1_000 }, runtime));

    expectObservable(batches).toBe(expected, { x: ['a', 'b'], y: ['c'], z: ['d'], w: ['e'] });
  });

  marble('goes as soon as its bytes reach the limit exactly', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -a-b-c---|');
    const expected = '    ---x-----(y|)';

    const batches = source.pipe(batch({ itemsMax: 9, bytesMax: 100, bytesOf: () => 50, flushMs: 1_000 }, runtime));

    expectObservable(batches).toBe(expected, { x: ['a', 'b'], y: ['c'] });
  });

  marble('with flushMs 0 a lone item leaves at once, items of one turn together', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -a--(bcd)-----e|');
    const expected = '    -x--y---------z|';

    const batches = source.pipe(batch({ itemsMax: 9, flushMs: 0 }, runtime));

    expectObservable(batches).toBe(expected, { x: ['a'], y: ['b', 'c', 'd'], z: ['e'] });
  });

  marble('items of one frame fill batches up to the limit', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -(abcde)---|');
    const expected = '    -(xy)------(z|)';

    const batches = source.pipe(batch({ itemsMax: 2, flushMs: 1_000 }, runtime));

    expectObservable(batches).toBe(expected, { x: ['a', 'b'], y: ['c', 'd'], z: ['e'] });
  });

  marble('waits for nothing while told to hurry', ({ hot, time, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('  -a-b-----c-d---e-----|');
    const hurry = hot<boolean>('----t-------f--------|', { t: true, f: false });
    const flushMs = time(' -----|               '); // a's is over with its batch; e's ends at frame 20
    const expected = '    ----x----y-z--------w|';
    const telling = '     ^--------------------!';

    const batches = source.pipe(batch({ itemsMax: 9, flushMs, hurry }, runtime));

    expectObservable(batches).toBe(expected, { x: ['a', 'b'], y: ['c'], z: ['d'], w: ['e'] });
    expectSubscriptions(hurry.subscriptions).toBe(telling);
  });

  marble('the end of hurry means nothing, its error ends the stream', ({ cold, runtime, expectObservable }) => {
    const batches = (hurry: string) => cold('-a-b--|').pipe(batch({ itemsMax: 2, flushMs: 9, hurry: cold<boolean>(hurry) }, runtime));

    expectObservable(batches('|')).toBe('      ---x--|', { x: ['a', 'b'] });
    expectObservable(batches('--#')).toBe('    --#');
  });

  marble('an error comes at once and drops the batch that was filling', ({ hot, time, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('  -a-b-c-#');
    const flushMs = time('     ----|'); //  would end after the error
    const expected = '    ---x---#';
    const reading = '     ^------!';

    const batches = source.pipe(batch({ itemsMax: 2, flushMs }, runtime));

    expectObservable(batches).toBe(expected, { x: ['a', 'b'] });
    expectSubscriptions(source.subscriptions).toBe(reading);
  });

  marble('an empty source gives no batch, a silent one never ends', ({ cold, runtime, expectObservable }) => {
    expectObservable(cold('--|').pipe(batch({ itemsMax: 2, flushMs: 1 }, runtime))).toBe('--|');
    expectObservable(cold('---').pipe(batch({ itemsMax: 2, flushMs: 1 }, runtime))).toBe('---');
  });

  marble('when unsubscribed it stops reading and its timer is gone', (t) => {
    const source = t.hot('  -a-b-c------|');
    const hurry = t.hot<boolean>('----------|');
    const until = '         ------!       ';
    const expected = '      ---x          ';
    const reading = '       ^-----!       ';

    const batches = source.pipe(batch({ itemsMax: 2, flushMs: 100, hurry }, t.runtime));

    t.expectObservable(batches, until).toBe(expected, { x: ['a', 'b'] });
    t.expectSubscriptions(source.subscriptions).toBe(reading);
    t.expectSubscriptions(hurry.subscriptions).toBe(reading);
    t.flush();
    expect(t.scheduler.frame).toBeLessThan(100);
  });

  marble('leaves no timer when its reader goes while it emits', (t) => {
    const source = concat(['a', 'b', 'c'], NEVER);
    const batches = source.pipe(batch({ itemsMax: 2, flushMs: 100 }, t.runtime), take(1));

    t.expectObservable(batches).toBe('(x|)', { x: ['a', 'b'] });
    t.flush();
    expect(t.scheduler.frame).toBe(0);
  });
});
