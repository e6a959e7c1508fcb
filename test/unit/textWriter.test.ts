import { Writable } from 'node:stream';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import { textWriter } from '../../src/sinks/textWriter.ts';

test('a write completes when the stream has taken the text, not before', async () => {
  const taken: (() => void)[] = [];
  const slow = new Writable({ write: (_chunk, _encoding, callback) => taken.push(callback) });
  let told = 'nothing';
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  textWriter(slow, 'output')('a\n').subscribe({ complete: () => (told = 'complete') });
  await turn();
  expect([taken.length, told]).toEqual([1, 'nothing']);
  taken[0]?.();
  await turn();
  expect(told).toBe('complete');
});

test('nothing is written before it is asked for', () => {
  const stream = new Writable({ write: () => expect.unreachable() });
  textWriter(stream, 'output')('a\n');
});

test.each([
  ['EPIPE', 'standard output is closed: its reader has gone away'],
  ['EIO', 'standard output is closed: broken'],
])('%s is OUTPUT_CLOSED, for this write and every later one, and no uncaught error', async (code, message) => {
  const stream = new Writable({ write: (_chunk, _encoding, callback) => callback(Object.assign(new Error('broken'), { code })) });
  const write = textWriter(stream, 'standard output');
  await expect(firstValueFrom(write('a\n'))).rejects.toMatchObject({ code: 'OUTPUT_CLOSED', message });
  await expect(firstValueFrom(write('b\n'))).rejects.toMatchObject({ code: 'OUTPUT_CLOSED' });
});

test('an empty text is a write like any other', async () => {
  const stream = new Writable({ write: (_chunk, _encoding, callback) => callback() });
  expect(await lastValueFrom(textWriter(stream, 'output')('').pipe(toArray()))).toEqual([undefined]);
});
