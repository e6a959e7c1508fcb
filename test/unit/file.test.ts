import { describe, expect, test } from 'vitest';
import { entry } from '../../marbles/builders.ts';
import { memoryDisk } from '../disk/memoryDisk.ts';
import { begun, checkpoint, entries, linesOf, live, numbersIn, path, server } from './fileSessions.ts';

const stored = { type: 'stored' } as const;

describe('the file', () => {
  test('holds a line per entry as the local sink writes it, and checkpoints between them', () => {
    const disk = memoryDisk();
    const life = begun(disk);

    expect(life.write(...entries(1, 2))).toEqual([stored, stored]);
    life.save(checkpoint('2'));

    const [first, one, two, last, ...more] = linesOf(disk.bytes(path));
    expect([first, last].map((line) => JSON.parse(line ?? '') as unknown)).toEqual([
      { checkpoint: checkpoint('earliest'), server, since: 0 },
      { checkpoint: checkpoint('2'), server, since: (first ?? '').length + 1 },
    ]);
    expect(first?.startsWith('{"checkpoint":')).toBe(true);
    expect([one, two].map((line) => JSON.parse(line ?? '') as unknown)).toMatchObject([
      { action: 'ADD', insertId: entry(1).insertId, event: entry(1).payload },
      { action: 'ADD', insertId: entry(2).insertId },
    ]);
    expect(more).toEqual([]);
  });

  test('is for one process at a time, and free after a release, a kill or an unsubscribed hold', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    expect(live(disk).errors).toMatchObject([{ code: 'SHARD_HELD' }]);

    life.release();
    const second = live(disk);
    expect(second.errors).toEqual([]);
    second.holding.unsubscribe();
    expect(disk.locks.size).toBe(0);
    live(disk);
    disk.kill();
    expect(live(disk).resumed).toEqual([checkpoint('earliest')]);
  });

  test('is not written to by who does not hold it', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.release();

    life.write(...entries(1));
    expect(life.errors).toMatchObject([{ code: 'SINK_FAILED' }]);
  });

  test('stops its holder when the lock was taken away', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    disk.kill();

    life.save(checkpoint('7'));
    expect(life.errors).toMatchObject([{ code: 'SHARD_HELD' }]);
    expect(linesOf(disk.bytes(path))).toHaveLength(1);
  });

  test('stops its holder when somebody else writes to it or cuts it', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    disk.open(path).subscribe((other) => other.append(Buffer.from('x\n')).subscribe());

    life.save(checkpoint('7'));
    expect(life.errors).toMatchObject([{ code: 'SINK_FAILED' }]);
  });
});

test('a checkpoint is saved when it survives a power cut, and an entry is not yet safe from one when it is acknowledged', () => {
  const disk = memoryDisk();
  const life = begun(disk);
  const before = disk.bytes(path);
  life.write(...entries(1));
  expect(disk.durable(path).toString()).toBe(before.toString());

  let done = false;
  life.sink.save(checkpoint('1')).subscribe({ complete: () => (done = true) });
  expect([done, disk.durable(path).toString()]).toEqual([true, disk.bytes(path).toString()]);
  life.write(...entries(2));
  life.release();
  expect(disk.durable(path).toString()).toBe(disk.bytes(path).toString());
});

describe('a next life', () => {
  test('resumes from the last checkpoint', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(1, 2));
    life.save(checkpoint('2'));
    life.release();

    expect(live(disk).resumed).toEqual([checkpoint('2')]);
  });

  test('answers stored to what the file has beyond the checkpoint, and does not write it again', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(1));
    life.save(checkpoint('1'));
    life.write(...entries(2, 3));
    disk.kill();

    const next = live(disk);
    expect(next.resumed).toEqual([checkpoint('1')]);
    expect(next.write(...entries(2, 3, 4))).toEqual([stored, stored, stored]);
    expect(numbersIn(disk.bytes(path))).toEqual([1, 2, 3, 4]);
  });

  test('knows what was written ahead of a position that a waiting entry held back', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(5, 6, 7)); // 4 waits for its pod.
    life.save(checkpoint('3'));
    life.save(checkpoint('3'));
    disk.kill();

    const next = live(disk);
    expect(next.write(...entries(4, 5, 6, 7))).toEqual([stored, stored, stored, stored]);
    expect(numbersIn(disk.bytes(path))).toEqual([5, 6, 7, 4]);
  });

  test('knows the whole list that had not ended, over several lives and checkpoints', () => {
    const disk = memoryDisk();
    const first = begun(disk);
    first.write(...entries(30, 10));
    first.save(checkpoint('earliest'));
    disk.kill();
    const second = live(disk);
    second.write(...entries(30, 10, 20));
    second.save(checkpoint('earliest'));
    disk.kill();
    const third = live(disk);

    third.write(...entries(20, 30, 10, 40));
    expect(numbersIn(disk.bytes(path))).toEqual([30, 10, 20, 40]);
  });

  test('knows of each namespace what its own position is not past, and gap records until all are', () => {
    const disk = memoryDisk();
    const positions = (shop: string, web: string): ReturnType<typeof checkpoint> => ({
      ...checkpoint('1'),
      positions: { shop: { at: shop, incarnation: 0 }, web: { at: web, incarnation: 0 } },
    });
    const of = (number: number, namespace: string) => entry(number, { payload: { metadata: { namespace } } });
    const gap = entry(6, { action: 'GAP', uid: '', payload: { kind: 'Gap' } });
    const life = live(disk);
    life.save(positions('1', '1'));
    life.write(of(5, 'shop'), of(4, 'web'), gap);
    life.save(positions('9', '3'));
    life.save(positions('9', '3'));
    disk.kill();

    const next = live(disk);
    next.write(of(4, 'web'), gap);
    expect(numbersIn(disk.bytes(path))).toEqual([5, 4, 6]);
  });

  test('forgets them when the position is past them', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(1, 2, 3));
    disk.kill();
    const next = live(disk);
    next.save(checkpoint('3'));
    next.save(checkpoint('3'));

    // Only somebody who breaks the order of things would write it again; that it is written shows that it is forgotten.
    next.write(...entries(2));
    expect(numbersIn(disk.bytes(path))).toEqual([1, 2, 3, 2]);
    next.release();
    expect(live(disk).resumed).toEqual([checkpoint('3')]);
  });

  test('remembers no more than its limit, and says so', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(1, 2, 3));
    disk.kill();

    const next = live(disk, { knownMax: 2 });
    expect(next.signals).toEqual([
      { type: 'warning', text: `${path}: of the entries that may come again the last 2 are known; the 1 before them may be written twice` },
    ]);
    next.write(...entries(1, 2, 3));
    expect(numbersIn(disk.bytes(path))).toEqual([1, 2, 3, 1]);
  });

  test('takes the file wherever it was moved', () => {
    const disk = memoryDisk();
    begun(disk).release();
    disk.put('/elsewhere', disk.bytes(path));

    expect(live(disk, { path: '/elsewhere' }).resumed).toEqual([checkpoint('earliest')]);
  });
});

test('an entry that is no JSON is refused, and the rest of its batch is stored', () => {
  const disk = memoryDisk();
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  expect(begun(disk).write(entry(1), entry(2, { payload: circular }), entry(3))).toEqual([
    stored,
    { type: 'refused', reason: 'unencodable' },
    stored,
  ]);
  expect(numbersIn(disk.bytes(path))).toEqual([1, 3]);
});
