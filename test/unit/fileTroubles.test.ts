import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../disk/memoryDisk.ts';
import { begun, checkpoint, entries, linesOf, live, numbersIn, path } from './fileSessions.ts';

const stored = { type: 'stored' } as const;

describe('a disk in trouble', () => {
  test('has no room: nothing half-written stays, and the entries come again', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(1));
    const before = disk.bytes(path);
    disk.troubles.room = 100;

    const retry = { type: 'retry', reason: 'the file cannot be written: ENOSPC' };
    expect(life.write(...entries(2, 3))).toEqual([retry, retry]);
    expect(disk.bytes(path).toString()).toBe(before.toString());

    disk.troubles.room = Number.POSITIVE_INFINITY;
    expect(life.write(...entries(2, 3))).toEqual([stored, stored]);
    expect(numbersIn(disk.bytes(path))).toEqual([1, 2, 3]);
  });

  test('cannot even be cut: the rest goes before the next write, or with the next life', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    disk.troubles.room = 100;
    disk.troubles.truncate = true;
    life.write(...entries(1));
    expect(disk.bytes(path).at(-1)).not.toBe(10);
    disk.troubles.room = Number.POSITIVE_INFINITY;
    expect(life.write(...entries(1))).toMatchObject([{ type: 'retry', reason: 'the file cannot be written: EIO' }]);

    disk.troubles.truncate = false;
    const torn = disk.bytes(path);
    expect(life.write(...entries(1))).toEqual([stored]);
    expect(numbersIn(disk.bytes(path))).toEqual([1]);

    disk.put(path, torn);
    disk.kill();
    const next = live(disk);
    expect(next.signals).toEqual([{ type: 'notice', text: `${path}: 100 bytes that were cut short are taken off` }]);
    next.write(...entries(1));
    expect(numbersIn(disk.bytes(path))).toEqual([1]);
  });

  test('has no room for a checkpoint: it is saved when there is, with a warning each time', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    disk.troubles.room = 20;
    let done = false;
    life.sink.save(checkpoint('7')).subscribe({ complete: () => (done = true) });
    life.scheduler.schedule(() => (disk.troubles.room = Number.POSITIVE_INFINITY), 400);
    expect(life.write(...entries(1))).toEqual([expect.objectContaining({ type: 'retry' })]);

    life.scheduler.flush();
    expect([done, life.scheduler.now()]).toEqual([true, 500]);
    expect(life.signals).toMatchObject([
      { type: 'warning', text: expect.stringMatching(/a checkpoint in .*tried again: ENOSPC/) as string },
    ]);
    expect(linesOf(disk.bytes(path))).toHaveLength(2);
  });

  test('fails to sync: that is the end, for the system does not tell it twice', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(1));
    disk.troubles.sync = true;

    life.save(checkpoint('1'));
    expect(life.errors).toMatchObject([{ code: 'SINK_FAILED' }]);
    expect(linesOf(disk.bytes(path))).toHaveLength(2);
  });
});
