import { describe } from 'vitest';
import { bookmark, type Item } from '../src/model/occurrence.ts';
import type { Scoped } from '../src/model/slot.ts';
import { stopReading } from '../src/operators/stopReading.ts';
import { gap, occurrence, relistDone, relistStarted, scoped } from './builders.ts';
import { marble } from './marble.ts';

const a = occurrence('1');
const b = occurrence('2');
const c = occurrence('7');
const items: Readonly<Record<string, Item>> = {
  s: relistStarted(),
  d: relistDone('5'),
  m: bookmark('3'),
  g: gap('0', '5'),
  a,
  b,
  c,
};
const values: Readonly<Record<string, Scoped>> = Object.fromEntries(Object.entries(items).map(([letter, item]) => [letter, scoped(item)]));
const settings = { listEndMs: 6 };

describe('stopReading', () => {
  marble('ends amid a list at the end of that list', ({ hot, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('  -s-a-b-d-c-', values);
    const stop = hot('    ----x------');
    const expected = '    -s-a-b-(d|)';
    const reading = '     ^------!';

    expectObservable(source.pipe(stopReading(settings, stop, runtime))).toBe(expected, values);
    expectSubscriptions(source.subscriptions).toBe(reading);
  });

  marble('ends at once outside a list', ({ hot, runtime, expectObservable, expectSubscriptions }) => {
    const source = hot('  -s-a-d-b-c-', values);
    const stop = hot('    --------x--');
    const expected = '    -s-a-d-b|';
    const reading = '     ^-------!';

    expectObservable(source.pipe(stopReading(settings, stop, runtime))).toBe(expected, values);
    expectSubscriptions(source.subscriptions).toBe(reading);
  });

  marble('ends at once amid a list of which nothing has been handed on', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -s-m-----a-', values); //  m had been seen before
    const stop = hot('    -----x-----');
    const expected = '    -s-m-|';

    expectObservable(source.pipe(stopReading(settings, stop, runtime))).toBe(expected, values);
  });

  marble('counts a gap record as handed on', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -s-g-----d-', values);
    const stop = hot('    -----x-----');
    const expected = '    -s-g-----(d|)';

    expectObservable(source.pipe(stopReading(settings, stop, runtime))).toBe(expected, values);
  });

  marble('goes on through a list that is begun anew', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -s-a-s-mbd-c-', values); //  cut short after a; m is a again
    const stop = hot('    ----x--------');
    const expected = '    -s-a-s-mb(d|)';

    expectObservable(source.pipe(stopReading(settings, stop, runtime))).toBe(expected, values);
  });

  marble('waits for the list no longer than the limit', ({ hot, runtime, expectObservable }) => {
    const source = hot('  -s-a---b------c-', values);
    const stop = hot('    ----x-----------');
    const expected = '    -s-a---b--|';

    expectObservable(source.pipe(stopReading(settings, stop, runtime))).toBe(expected, values);
  });

  marble('waits for the list of each namespace', ({ hot, runtime, expectObservable }) => {
    const two = {
      ...values,
      S: scoped(relistStarted(), 'web'),
      A: scoped(a, 'web'),
      D: scoped(relistDone('5'), 'web'),
    };
    const source = hot('  -saSA-d-bD-c-', two);
    const stop = hot('    -----x-------');
    const expected = '    -saSA-d-b(D|)';

    expectObservable(source.pipe(stopReading(settings, stop, runtime))).toBe(expected, two);
  });

  marble('ends by itself, and passes an error on', ({ hot, runtime, expectObservable }) => {
    const failing = hot(' -s-a-#     ', values);
    const failed = '      -s-a-#     ';
    const ending = hot('  -s-a-|     ', values);
    const ended = '       -s-a-|     ';
    const never = hot('   -----------');

    expectObservable(failing.pipe(stopReading(settings, never, runtime))).toBe(failed, values);
    expectObservable(ending.pipe(stopReading(settings, never, runtime))).toBe(ended, values);
  });
});
