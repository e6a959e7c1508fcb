import { defer, EMPTY, NEVER, type Observable, of, ReplaySubject, throwError } from 'rxjs';
import { describe, expect } from 'vitest';
import type { MarbleHelpers } from '../src/marbleKit.ts';
import { retryWithBackoff } from '../src/operators/retryWithBackoff.ts';
import { marble } from './marble.ts';

/** Another marble at each subscription; the last one is repeated. */
function inTurn({ cold }: MarbleHelpers, ...marbles: readonly string[]): Observable<string> {
  let subscriptions = 0;
  return defer(() => cold(marbles[Math.min(subscriptions++, marbles.length - 1)] ?? ''));
}

/** The waits after `failures` errors at once, as [attempt, milliseconds]. Chance is one half unless set. */
function waitsOf({ runtime, flush }: MarbleHelpers, failures: number, error: unknown = 'error'): readonly (readonly [number, number])[] {
  const waits: [number, number][] = [];
  let left = failures;
  defer(() => (left-- > 0 ? throwError(() => error) : EMPTY))
    .pipe(retryWithBackoff({ firstMs: 800, maxMs: 30_000, onWait: (_, attempt, waitMs) => waits.push([attempt, waitMs]) }, runtime))
    .subscribe();
  flush();
  return waits;
}

describe('retryWithBackoff', () => {
  marble('subscribes again after each error, with longer waits, and ends as the source ends', (t) => {
    const source = inTurn(t, '-a-#', '-a-#', '-a-|');
    const expected = '        -a----a------a-|';

    t.expectObservable(source.pipe(retryWithBackoff({ firstMs: 4, maxMs: 100 }, t.runtime))).toBe(expected);
  });

  marble('subscribes to one source at a time', (t) => {
    const source = t.cold('-a-#      ');
    const until = '        -------------!';
    const expected = '     -a----a------';
    const first = '        ^--!      ';
    const second = '       -----^--! ';
    const third = '        ------------^!';

    t.expectObservable(source.pipe(retryWithBackoff({ firstMs: 4, maxMs: 100 }, t.runtime)), until).toBe(expected);
    t.expectSubscriptions(source.subscriptions).toBe([first, second, third]);
  });

  marble('doubles the limit of the wait up to its maximum, and never gives up', (t) => {
    expect(waitsOf(t, 8)).toEqual([
      [1, 400],
      [2, 800],
      [3, 1_600],
      [4, 3_200],
      [5, 6_400],
      [6, 12_800],
      [7, 15_000],
      [8, 15_000],
    ]);
    expect(waitsOf(t, 2_000).at(-1)).toEqual([2_000, 15_000]);
  });

  marble('draws the wait from zero to the limit', (t) => {
    t.setRandom(0);
    expect(waitsOf(t, 2)).toEqual([
      [1, 0],
      [2, 0],
    ]);
    t.setRandom(0.9999);
    expect(waitsOf(t, 2)).toEqual([
      [1, 800],
      [2, 1_600],
    ]);
  });

  marble('waits at least as long as the error asks, also beyond the maximum', (t) => {
    expect(waitsOf(t, 2, { afterMs: 600 })).toEqual([
      [1, 600],
      [2, 800],
    ]);
    expect(waitsOf(t, 1, { afterMs: 60_000 })).toEqual([[1, 60_000]]);
    expect(waitsOf(t, 1, { afterMs: 'soon' })).toEqual([[1, 400]]);
  });

  marble('a first value that is no progress does not start the waits over', (t) => {
    const source = inTurn(t, '(s#)', '(s#)', '(s#)', '-|');
    const expected = '        s-s---s--------|'; // waits of 2, 4 and 8

    t.expectObservable(source.pipe(retryWithBackoff({ firstMs: 4, maxMs: 100, isProgress: (value) => value !== 's' }, t.runtime))).toBe(
      expected,
    );
  });

  marble('progress starts the waits over', (t) => {
    const source = inTurn(t, '#', '#', '-a#', '-|');
    const expected = '        -------a---|'; // waits of 2 and 4, then of 2 again

    t.expectObservable(source.pipe(retryWithBackoff({ firstMs: 4, maxMs: 100, isProgress: (value) => value === 'a' }, t.runtime))).toBe(
      expected,
    );
  });

  marble('a subscription that lasted long enough starts the waits over, a shorter one does not', (t) => {
    const steady = inTurn(t, '#', '#', '-----#', '-|');
    const short = inTurn(t, '  #', '#', '----#', ' -|');
    const settings = { firstMs: 4, maxMs: 100, steadyMs: 5 };

    // After waits of 2 and 4 the third subscription starts at frame 6.
    t.expectObservable(steady.pipe(retryWithBackoff(settings, t.runtime))).toBe('--------------|');
    t.expectObservable(short.pipe(retryWithBackoff(settings, t.runtime))).toBe(' -------------------|');
  });

  marble('hurry ends the wait under way, and the waits start over', (t) => {
    const source = inTurn(t, '-#', '-#', '-#', '-a|');
    const hurry = t.hot('     h---h---|');
    const expected = '        67ms a|'; // waits of 3 instead of 20, then of 20 and 40

    t.expectObservable(source.pipe(retryWithBackoff({ firstMs: 40, maxMs: 100, hurry }, t.runtime))).toBe(expected);
  });

  marble('hurry outside a wait keeps the next wait short', (t) => {
    const source = inTurn(t, '#', '#', '-----#', '-a|');
    const hurry = t.hot('     --------h|');
    const expected = '        -------------- a|'; // waits of 2 and 4; hurry at frame 8; then a wait of 2, not 8

    t.expectObservable(source.pipe(retryWithBackoff({ firstMs: 4, maxMs: 100, hurry }, t.runtime))).toBe(expected);
  });

  marble('the end of hurry means nothing, its error ends the stream', (t) => {
    const retried = (hurry: Observable<unknown>) =>
      inTurn(t, '-#', '-a|').pipe(retryWithBackoff({ firstMs: 4, maxMs: 9, hurry }, t.runtime));

    t.expectObservable(retried(EMPTY)).toBe('       ----a|');
    t.expectObservable(retried(NEVER)).toBe('       ----a|');
    t.expectObservable(retried(t.cold('--#'))).toBe('--#');
  });

  marble('a hurry that repeats its last value does not turn waits into a busy loop', (t) => {
    const hurry = new ReplaySubject<string>(1);
    hurry.next('drain');
    const source = inTurn(t, '#', '#', '-a|');
    const expected = '        -------a|'; // waits of 2 and 4

    t.expectObservable(source.pipe(retryWithBackoff({ firstMs: 4, maxMs: 100, hurry }, t.runtime))).toBe(expected);
  });

  marble('passes an error on that is not to be retried', (t) => {
    const source = inTurn(t, '-a-#', '-b-|');
    const expected = '        -a-#';

    t.expectObservable(
      source.pipe(retryWithBackoff({ firstMs: 4, maxMs: 100, isRetryable: (error) => error !== 'error' }, t.runtime)),
    ).toBe(expected);
  });

  marble('counts anew for each subscriber', (t) => {
    const failsUntil6 = defer(() => (t.runtime.scheduler.now() < 6 ? throwError(() => 'error') : t.cold('-a|')));
    const source = failsUntil6.pipe(retryWithBackoff({ firstMs: 4, maxMs: 100 }, t.runtime));
    const expected = '        -------a|';

    t.expectObservable(source).toBe(expected);
    t.expectObservable(source).toBe(expected);
  });

  marble('passes an empty, a silent and a busy source on', (t) => {
    const settings = { firstMs: 4, maxMs: 100 };

    t.expectObservable(t.cold('--|').pipe(retryWithBackoff(settings, t.runtime))).toBe('--|');
    t.expectObservable(t.cold('---').pipe(retryWithBackoff(settings, t.runtime))).toBe('---');
    t.expectObservable(t.cold('-a-(bc)-|').pipe(retryWithBackoff(settings, t.runtime))).toBe('-a-(bc)-|');
    t.expectObservable(of('a').pipe(retryWithBackoff(settings, t.runtime))).toBe('(a|)');
  });

  marble('when unsubscribed in a wait it does not come back and its timer is gone', (t) => {
    const source = t.cold('-a-#');
    const hurry = t.hot('  -----------|');
    const until = '        ------!     ';
    const expected = '     -a-         ';
    const reading = '      ^--!        ';
    const listening = '    ^-----!     ';

    t.expectObservable(source.pipe(retryWithBackoff({ firstMs: 500, maxMs: 1_000, hurry }, t.runtime)), until).toBe(expected);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
    t.expectSubscriptions(hurry.subscriptions).toBe(listening);
    t.flush();
    expect(t.scheduler.frame).toBeLessThan(100);
  });
});
