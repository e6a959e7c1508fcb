import { delay, of, tap, timer } from 'rxjs';
import { expect, test } from 'vitest';
import { type MarbleHelpers, marbleKit } from '../../src/marbleKit.ts';

class Different extends Error {}

const run = marbleKit((actual, expected) => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Different();
});

test('the runtime of a marble spec waits in virtual time', () => {
  run(({ runtime, cold, expectObservable }) => {
    expectObservable(cold('a|').pipe(delay(3, runtime.scheduler))).toBe('---(a|)');
    expectObservable(timer(36_000_000, runtime.scheduler)).toBe('600m (x|)', { x: 0 });
  });
});

test('a difference is told through the assertion that the kit was given', () => {
  const spec = ({ expectObservable }: MarbleHelpers): void => expectObservable(of('a')).toBe('(b|)');

  expect(() => run(spec)).toThrow(Different);
});

test('signals are collected in order, with the virtual time at hand', () => {
  run(({ runtime, signals, cold, flush }) => {
    cold('-a-b|')
      .pipe(tap((text) => runtime.signal({ type: 'notice', text: `${text} at ${runtime.scheduler.now()}` })))
      .subscribe();
    flush();

    expect(signals).toEqual([
      { type: 'notice', text: 'a at 1' },
      { type: 'notice', text: 'b at 3' },
    ]);
  });
});

test('chance is one half until the spec sets it', () => {
  run(({ runtime, setRandom }) => {
    expect(runtime.random()).toBe(0.5);
    setRandom(0.25);
    expect(runtime.random()).toBe(0.25);
  });
});
