import { expect, test } from 'vitest';
import { timedSet } from '../../src/model/timedSet.ts';

test('a key leaves when it has had its time', () => {
  const keys = timedSet<string>({ keepMs: 10, keptMax: 9 });
  keys.add('a', 0);
  keys.add('b', 5);
  expect(keys.takeLeaving(9)).toEqual([]);
  expect(keys.takeLeaving(10)).toEqual(['a']);
  expect([keys.has('a'), keys.has('b'), keys.size()]).toEqual([false, true, 1]);
});

test('the oldest leave first when there are too many, and adding again makes a key the newest', () => {
  const keys = timedSet<string>({ keepMs: 10, keptMax: 2 });
  for (const key of ['a', 'b', 'a', 'c', 'd']) keys.add(key, 0);
  expect(keys.takeLeaving(0)).toEqual(['b', 'a']);
});

test('a key that was taken out does not leave', () => {
  const keys = timedSet<string>({ keepMs: 10, keptMax: 9 });
  keys.add('a', 0);
  keys.delete('a');
  expect(keys.takeLeaving(10)).toEqual([]);
});

test('without an end of time nothing leaves by time', () => {
  const keys = timedSet<string>({ keepMs: Number.POSITIVE_INFINITY, keptMax: 9 });
  keys.add('a', 0);
  expect(keys.takeLeaving(Number.MAX_VALUE)).toEqual([]);
});
