import { throwError } from 'rxjs';
import { describe, expect } from 'vitest';
import { changes, join, leaving, slots } from './joining.ts';
import { marble } from './marble.ts';

describe('joinLabels ends', () => {
  marble('with the source: what waits leaves at once, without labels and in order', (t) => {
    const owners = t.hot('(pd)----------', changes);
    const source = t.hot('-----b-d-e-|  ', slots);
    const expected = '    -----------(BDE|)';
    const reading = '     ^----------!  ';

    t.expectObservable(join(t, { owners, source })).toBe(expected, leaving);
    t.expectSubscriptions(owners.subscriptions).toBe(reading);
    t.flush();
    expect(t.scheduler.frame).toBeLessThan(1_000);
  });

  marble('with an error of the source or the owners, and what waits is not sent', (t) => {
    const joinedOf = (owners: string, source: string) => join(t, { owners: t.hot(owners, changes), source: t.hot(source, slots) });

    t.expectObservable(joinedOf('(pd)------', '-----b-a-#')).toBe('-------a-#', leaving);
    t.expectObservable(joinedOf('(pd)-----#', '-----b-a--')).toBe('-------a-#', leaving);
    t.flush();
    expect(t.scheduler.frame).toBeLessThan(1_000);
  });

  marble('not with the owners: what they told goes on', (t) => {
    const owners = t.hot('(pd|)', changes);
    const source = t.hot('-------a-b------|', slots);
    const expected = '    -------a------B-|';

    t.expectObservable(join(t, { owners, source, settings: { ownerWaitMs: 5 } })).toBe(expected, leaving);
  });

  marble('at once when there is nothing, and never when the source is silent', (t) => {
    const owners = t.hot('d', changes);

    t.expectObservable(join(t, { owners, source: t.cold('|') })).toBe('  |');
    t.expectObservable(join(t, { owners, source: t.cold('---') })).toBe('---');
  });

  marble('before it reads anything when the owners have failed already', (t) => {
    const source = t.cold('a', slots);

    t.expectObservable(join(t, { owners: throwError(() => 'error'), source })).toBe('#');
    t.expectSubscriptions(source.subscriptions).toBe([]);
  });

  marble('when unsubscribed: it stops reading and asking, and its timers are gone', (t) => {
    const owners = t.hot('d---------', changes);
    const source = t.hot('-a---b----', slots);
    const until = '       ------!   ';
    const reading = '     ^-----!   ';
    const asking = '      ---^--!   ';
    const lookUp = t.cold<undefined>('  ---------');

    const entries = join(t, { owners, source, lookUpPod: () => lookUp, settings: { ownerWaitMs: 2, lookUpTimeoutMs: 500 } });

    t.expectObservable(entries, until).toBe('-');
    for (const subscribed of [owners, source]) t.expectSubscriptions(subscribed.subscriptions).toBe(reading);
    t.expectSubscriptions(lookUp.subscriptions).toBe(asking);
    t.flush();
    expect(t.scheduler.frame).toBeLessThan(500);
  });
});
