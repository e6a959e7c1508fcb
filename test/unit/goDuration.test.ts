import { expect, test } from 'vitest';
import { goDuration } from '../../src/config/goDuration.ts';

// The same texts and meanings as the table of Go's own test, and what Go refuses.
test.each([
  ['0', 0],
  ['+0', 0],
  ['5s', 5_000],
  ['30s', 30_000],
  ['1478s', 1_478_000],
  ['-5s', -5_000],
  ['+5s', 5_000],
  ['5.0s', 5_000],
  ['5.6s', 5_600],
  ['5.s', 5_000],
  ['.5s', 500],
  ['1.004s', 1_004],
  ['300ms', 300],
  ['11us', 0.011],
  ['12µs', 0.012],
  ['12μs', 0.012],
  ['10ns', 0.00001],
  ['1.5h', 5_400_000],
  ['3h30m', 12_600_000],
  ['1m30s', 90_000],
  ['1h15m30.918273645s', 4_530_918.273645],
  ['39h9m14.425s', 140_954_425],
])('%s is %d ms', (text, ms) => {
  expect(goDuration(text)).toBeCloseTo(ms, 6);
});

test.each([
  '',
  '3',
  '-',
  's',
  '.',
  '-.',
  '.s',
  '+.s',
  '1d',
  '1 s',
  ' 1s',
  '1s ',
  '1e3s',
  '0x1s',
  '1,5s',
  '3000000h',
  '1m30',
  '--1s',
  '1s1',
])('refuses %j', (text) => {
  expect(goDuration(text)).toBeUndefined();
});
