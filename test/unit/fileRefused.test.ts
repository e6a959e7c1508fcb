import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../disk/memoryDisk.ts';
import { begun, checkpoint, entries, live, meaning, numbersIn, path } from './fileSessions.ts';

describe('a file that cannot be resumed', () => {
  test('means something else', () => {
    const disk = memoryDisk();
    begun(disk).release();

    const other = live(disk, { server: 'https://10.0.0.2' }, { ...meaning, shard: { index: 1, total: 3, function: 'fnv1a32-mod' } });
    expect(other.errors).toMatchObject([
      {
        code: 'CHECKPOINT_INVALID',
        message: expect.stringMatching(/shard: stored .*total 1.*; server: stored "https:\/\/10.0.0.1.*--checkpoint-reset/) as string,
      },
    ]);
    expect(disk.locks.size).toBe(0);
  });

  test('has a newer format', () => {
    const disk = memoryDisk();
    begun(disk).release();
    disk.put(path, Buffer.from(disk.bytes(path).toString().replace('"format":1', '"format":2')));

    expect(live(disk).errors).toMatchObject([{ code: 'CHECKPOINT_INVALID', message: expect.stringContaining('newer') as string }]);
  });

  test.each([
    ['a log of somebody else', '{"level":"info"}\n{"level":"info"}\n'],
    ['half a line of somebody else', 'hello'],
    ['something large', 'x'.repeat(100_000)],
  ])('is %s, and stays as it is', (_, text) => {
    const disk = memoryDisk();
    disk.put(path, Buffer.from(text));

    expect(live(disk).errors).toMatchObject([{ code: 'CHECKPOINT_INVALID', message: expect.stringContaining('another file') as string }]);
    expect(live(disk, { reset: true }).errors).toMatchObject([{ code: 'CHECKPOINT_INVALID' }]);
    expect(disk.bytes(path).toString()).toBe(text);
  });

  test('is damaged before its last checkpoint', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(1));
    life.write(...entries(2));
    life.save(checkpoint('1'));
    life.release();
    const bytes = Buffer.from(disk.bytes(path));
    bytes.fill(0, bytes.indexOf('"eventUID"'), bytes.indexOf('"eventUID"') + 9);
    disk.put(path, bytes);

    expect(live(disk).errors).toMatchObject([{ code: 'CHECKPOINT_INVALID', message: expect.stringContaining('damaged') as string }]);
    expect(live(disk, { reset: true }).resumed).toEqual([undefined]);
  });

  test('says since an impossible place', () => {
    const disk = memoryDisk();
    begun(disk).release();
    disk.put(path, Buffer.from(disk.bytes(path).toString().replace('"since":0', '"since":9999')));

    expect(live(disk).errors).toMatchObject([{ code: 'CHECKPOINT_INVALID' }]);
  });
});

describe('a reset', () => {
  test('gives up the position, whatever it means, and writes nothing again', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(1, 2));
    life.save(checkpoint('2'));
    life.save(checkpoint('2'));
    life.release();

    const next = live(disk, { reset: true, server: 'https://another' });
    expect(next.resumed).toEqual([undefined]);
    expect(next.signals).toMatchObject([{ type: 'warning', text: expect.stringContaining('--checkpoint-reset') as string }]);
    next.save(checkpoint('earliest'));
    next.write(...entries(1, 2, 3));
    expect(numbersIn(disk.bytes(path))).toEqual([1, 2, 3]);
    next.release();
    expect(live(disk, { server: 'https://another' }).resumed).toEqual([checkpoint('earliest')]);
  });

  test('has nothing to say about a new file', () => {
    const { resumed, signals } = live(memoryDisk(), { reset: true });
    expect([resumed, signals]).toEqual([[undefined], []]);
  });
});
