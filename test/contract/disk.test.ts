import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type Disk, disk, type OpenFile } from '../../src/transports/disk.ts';
import { memoryDisk } from '../disk/memoryDisk.ts';
import { folder } from './kubeConfigs.ts';

/** One implementation: a disk, and a place on it where nothing is. */
interface Made {
  readonly on: Disk;
  readonly path: string;
}

const disks: Readonly<Record<string, () => Made>> = {
  'of this machine': () => ({ on: disk(), path: join(folder(), 'file') }),
  'in memory': () => ({ on: memoryDisk(), path: '/file' }),
};

function end(work: Observable<unknown>): Promise<unknown> {
  return lastValueFrom(work, { defaultValue: undefined });
}

async function opened({ on, path }: Made, text = ''): Promise<OpenFile> {
  const file = await lastValueFrom(on.open(path));
  if (text !== '') await end(file.append(Buffer.from(text)));
  return file;
}

async function textOf(file: OpenFile, from = 0, bytes = 1_000_000): Promise<string> {
  return (await lastValueFrom(file.read(from, bytes))).toString();
}

describe.each(Object.entries(disks))('the disk %s', (_, make) => {
  test('makes a file, appends to it, reads any part of it, and cuts it', async () => {
    const made = make();
    const file = await opened(made);
    expect([await lastValueFrom(file.size()), await textOf(file)]).toEqual([0, '']);

    await end(file.append(Buffer.from('one\n')));
    await end(file.append(Buffer.from('two\n')));
    expect([await textOf(file), await textOf(file, 4, 3), await textOf(file, 6), await textOf(file, 9)]).toEqual([
      'one\ntwo\n',
      'two',
      'o\n',
      '',
    ]);

    await end(file.truncate(4));
    await end(file.append(Buffer.from('three\n')));
    await end(file.sync());
    expect([await lastValueFrom(file.size()), await textOf(file)]).toEqual([10, 'one\nthree\n']);
    await end(file.close());
  });

  test('opens a file that is there, and appends where it ends whoever has written to it', async () => {
    const made = make();
    const first = await opened(made, 'one\n');
    const second = await opened(made, 'two\n');
    await end(first.append(Buffer.from('three\n')));
    expect(await textOf(second)).toBe('one\ntwo\nthree\n');
  });

  test('what was read stays as it was read', async () => {
    const file = await opened(make(), 'one\n');
    const read = await lastValueFrom(file.read(0, 4));
    await end(file.truncate(0));
    await end(file.append(Buffer.from('two\n')));
    expect(read.toString()).toBe('one\n');
  });

  test('reads and replaces a whole file', async () => {
    const { on, path } = make();
    expect(await lastValueFrom(on.read(path))).toBeUndefined();
    await end(on.replace(path, Buffer.from('one')));
    await end(on.replace(path, Buffer.from('two')));
    expect((await lastValueFrom(on.read(path)))?.toString()).toBe('two');
  });

  test('locks a file for one at a time', () => {
    const { on, path } = make();
    const lock = on.lock(path);
    expect(() => on.lock(path)).toThrow(expect.objectContaining({ code: 'SHARD_HELD' }) as Error);
    lock.confirm();
    lock.release();
    on.lock(path).release();
  });

  test('does nothing before it is subscribed to, and begins anew at each subscription', async () => {
    const file = await opened(make());
    const append = file.append(Buffer.from('x'));
    expect(await textOf(file)).toBe('');
    await end(append);
    await end(append);
    expect(await textOf(file)).toBe('xx');
  });
});

describe('the disk of this machine', () => {
  test('makes files for their owner only', async () => {
    const made = { on: disk(), path: join(folder(), 'file') };
    await opened(made, 'x');
    expect(statSync(made.path).mode & 0o777).toBe(0o600);
  });

  test('opens what a link leads to, and refuses what is no file', async () => {
    const at = folder();
    appendFileSync(join(at, 'real'), 'x');
    symlinkSync(join(at, 'real'), join(at, 'link'));
    mkdirSync(join(at, 'inner'));
    expect(await textOf(await opened({ on: disk(), path: join(at, 'link') }, 'y'))).toBe('xy');
    await expect(end(disk().open('/dev/null'))).rejects.toThrow('/dev/null is not a regular file');
    await expect(end(disk().open(join(at, 'inner')))).rejects.toThrow('EISDIR');
    await expect(end(disk().open(join(at, 'none', 'file')))).rejects.toThrow('ENOENT');
  });

  test('appends more than the system takes at once', async () => {
    const made = { on: disk(), path: join(folder(), 'file') };
    const file = await opened(made);
    const bytes = Buffer.alloc(3_000_000, 'abcdefg');
    await end(file.append(bytes));
    expect(readFileSync(made.path).equals(bytes)).toBe(true);
  });

  test('passes the errors of the system on', async () => {
    await expect(end(disk().replace('/dev/null/x', Buffer.from('x')))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});
