import { describe, expect, test } from 'vitest';
import type { Option } from '../../src/config/optionKinds.ts';
import { options } from '../../src/config/options.ts';
import { type Reading, readValue } from '../../src/config/readValue.ts';

function read(option: Option, text: string): Reading {
  return readValue(option, text, '--x');
}

describe('counts are whole numbers in decimal digits', () => {
  const option = { ...options['max-in-flight'], min: -1, max: 100 };

  test.each([
    ['0', 0],
    ['-1', -1],
    ['100', 100],
  ])('%j is %d', (text, value) => {
    expect(read(option, text)).toEqual({ value });
  });

  test.each(['', ' ', '1e1', '0x1', '1.5', '1.', '01', '-0', '+1', '1_0', '1 ', '101', '-2', 'abc', 'NaN', 'Infinity', '٣'])(
    'refuses %j',
    (text) => {
      expect(read(option, text)).toEqual({
        faults: [`--x must be a whole number from -1 to 100 (got ${text === '' ? 'nothing' : JSON.stringify(text)})`],
      });
    },
  );
});

describe('flags take what Go takes', () => {
  const option = options['enable-pod-owner-label'];

  test.each(['1', 't', 'T', 'true', 'TRUE', 'True'])('%j is true', (text) => expect(read(option, text)).toEqual({ value: true }));
  test.each(['0', 'f', 'F', 'false', 'FALSE', 'False'])('%j is false', (text) => expect(read(option, text)).toEqual({ value: false }));
  test.each(['', 'yes', 'on', 'tRUE', 'constructor'])('refuses %j', (text) =>
    expect(read(option, text)).toEqual({ faults: [expect.stringContaining('--x must be true or false (got ')] }),
  );
});

describe('durations', () => {
  test('have a least and a greatest value', () => {
    const faults = [expect.stringContaining('--x must be a duration such as 300ms, 1.5h or 1m30s, at least 50ms and below 24 days (got ')];
    const option = { ...options['owner-wait'], minMs: 50 };
    expect(['50ms', '596h'].map((text) => read(option, text))).toEqual([{ value: 50 }, { value: 2_145_600_000 }]);
    expect(['49ms', '600h', '5', ''].map((text) => read(option, text))).toEqual([{ faults }, { faults }, { faults }, { faults }]);
  });
});

describe('bytes', () => {
  test.each([
    ['1', 1],
    ['32MiB', 33_554_432],
    ['32Mi', 33_554_432],
    ['5MB', 5_000_000],
    ['1k', 1000],
    ['2GiB', 2_147_483_648],
    ['7B', 7],
  ])('%j is %d', (text, value) => expect(read(options['max-in-flight-bytes'], text)).toEqual({ value }));

  test.each(['', '0', '-1', '1.5MiB', '32mib', 'MiB', '1e6', '1 MiB', '99999999999GiB', '1constructor'])('refuses %j', (text) =>
    expect(read(options['max-in-flight-bytes'], text)).toEqual({
      faults: [expect.stringContaining('must be a number of bytes such as 1048576')],
    }),
  );
});

describe('addresses to listen on', () => {
  test.each([
    ['', undefined],
    [':8080', { port: 8080 }],
    [':0', { port: 0 }],
    ['127.0.0.1:9090', { host: '127.0.0.1', port: 9090 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['localhost:80', { host: 'localhost', port: 80 }],
    ['[::ffff:10.0.0.1]:80', { host: '::ffff:10.0.0.1', port: 80 }],
  ])('%j', (text, value) => expect(read(options['prometheus-endpoint'], text)).toEqual({ value }));

  test.each([
    '8080',
    ':',
    ':65536',
    ':-1',
    ':8e3',
    '::1:80',
    '[::1]',
    '[::g]:80',
    '1.2.3:80',
    '256.0.0.1:80',
    'a b:80',
    'http://x:80',
    'x/y:80',
    ':80 ',
  ])('refuses %j', (text) =>
    expect(read(options['prometheus-endpoint'], text)).toEqual({ faults: [expect.stringContaining('must be an address to listen on')] }),
  );
});

test('a choice names what there is', () => {
  expect(read(options['start-from'], 'now')).toEqual({ value: 'now' });
  expect(read(options['start-from'], 'Now')).toEqual({ faults: ['--x must be one of earliest, now (got "Now")'] });
  expect(read(options.sink, 'kafka')).toEqual({ faults: ['--x must be one of local, file, cloud-logging (got "kafka")'] });
  expect(read(options.sink, 'stackdriver')).toEqual({ value: 'cloud-logging' });
});

test('a factor is a number above zero, or max', () => {
  expect(['1', '0.5', '10', 'max'].map((text) => read(options.speed, text))).toEqual(
    [1, 0.5, 10, Number.POSITIVE_INFINITY].map((value) => ({ value })),
  );
  expect(['0', '-1', '', 'fast', '1e3', '0x2'].map((text) => 'faults' in read(options.speed, text))).toEqual(
    Array.from({ length: 6 }, () => true),
  );
});

describe('options inside one text', () => {
  const option = options['sink-opts'];

  test('may have one dash or two, and their value behind an equals sign or a space', () => {
    expect(read(option, ' -flush-delay=1m30s  --max-buffer-size 7 -endpoint= --stackdriver-resource-model=a=b')).toEqual({
      value: {
        flushDelayMs: 90_000,
        maxBufferSize: 7,
        maxConcurrency: 10,
        stackdriverResourceModel: 'a=b',
        endpoint: '',
        universeDomain: 'googleapis.com',
      },
    });
  });

  test('are all checked', () => {
    expect(read(option, 'stray -flush-dely=1s -max-buffer-size=x -max-concurrency')).toEqual({
      faults: [
        '--x must be flags such as -flush-delay=VALUE separated by spaces (got "stray")',
        '--x has no option flush-dely (did you mean flush-delay?); it knows flush-delay, max-buffer-size, max-concurrency, stackdriver-resource-model, endpoint, universeDomain',
        '--x max-concurrency needs a value',
        '--x max-buffer-size must be a whole number from 1 to 100000 (got "x")',
      ],
    });
  });
});

test('a long or unprintable value does not spoil the message', () => {
  const fault = '--x must be one of earliest, now (got ';
  expect(read(options['start-from'], `a\nb${'c'.repeat(200)}`)).toEqual({ faults: [`${fault}"a\\nb${'c'.repeat(71)}...")`] });
});
