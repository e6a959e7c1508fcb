// The specification of keepReasons, for any test runner: marbleKit takes whatever compares two values.
import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { bookmark, type EventObject, type Item } from 'kube-sluice';
import { marbleKit } from 'kube-sluice/testing';
import { keepReasons } from './keepReasons.ts';

const marbles = marbleKit(deepStrictEqual);

test('keepReasons passes control items and the reasons, and turns the rest into bookmarks', () =>
  marbles(({ hot, runtime, expectObservable, expectSubscriptions }) => {
    const a = occurrence('1', 'BackOff');
    const m = bookmark('2');
    const c = occurrence('3', 'BackOff');
    const source = hot('  -a-b-m-c-|', { a, b: occurrence('2', 'Pulled'), m, c });
    const expected = '    -a-m-m-c-|';
    const reading = '     ^--------!';

    expectObservable(source.pipe(keepReasons(['BackOff'], runtime))).toBe(expected, { a, m, c });
    expectSubscriptions(source.subscriptions).toBe(reading);
  }));

test('keepReasons counts what it leaves out', () =>
  marbles(({ cold, runtime, signals, expectObservable, flush }) => {
    const source = cold('ab|', { a: occurrence('1', 'Pulled'), b: occurrence('2', 'Created') });

    expectObservable(source.pipe(keepReasons(['BackOff'], runtime))).toBe('ab|', { a: bookmark('1'), b: bookmark('2') });
    flush();
    deepStrictEqual(signals, [{ type: 'filtered' }, { type: 'filtered' }]);
  }));

function occurrence(resourceVersion: string, reason: string): Item {
  const event: EventObject = { metadata: { uid: 'e', resourceVersion }, reason };
  const involved = { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: 'p' };
  return { type: 'occurrence', change: 'added', uid: 'e', resourceVersion, namespace: 'shop', involved, bytes: 100, read: () => event };
}
