import { describe, expect, test } from 'vitest';
import { entry } from '../../marbles/builders.ts';
import { type MemoryDisk, memoryDisk } from '../disk/memoryDisk.ts';
import { checkpoint, entries, type Life, linesOf, live, meaning, numbersIn, path, server } from './fileSessions.ts';

const stored = { type: 'stored' } as const;

/** A file with a first checkpoint at `earliest`, as every pipeline makes it before it delivers anything. */
function begun(disk: MemoryDisk): Life {
  const life = live(disk);
  life.save(checkpoint('earliest'));
  return life;
}

/** The process is killed: nothing of it goes on, and nothing was given up. */
function kill(disk: MemoryDisk): void {
  disk.kill();
}

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
    kill(disk);
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
    kill(disk);

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
    kill(disk);

    const next = live(disk);
    expect(next.write(...entries(4, 5, 6, 7))).toEqual([stored, stored, stored, stored]);
    expect(numbersIn(disk.bytes(path))).toEqual([5, 6, 7, 4]);
  });

  test('knows the whole list that had not ended, over several lives and checkpoints', () => {
    const disk = memoryDisk();
    const first = begun(disk);
    first.write(...entries(30, 10));
    first.save(checkpoint('earliest'));
    kill(disk);
    const second = live(disk);
    second.write(...entries(30, 10, 20));
    second.save(checkpoint('earliest'));
    kill(disk);
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
    kill(disk);

    const next = live(disk);
    next.write(of(4, 'web'), gap);
    expect(numbersIn(disk.bytes(path))).toEqual([5, 4, 6]);
  });

  test('forgets them when the position is past them', () => {
    const disk = memoryDisk();
    const life = begun(disk);
    life.write(...entries(1, 2, 3));
    kill(disk);
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
    kill(disk);

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
    kill(disk);
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
