import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { CheckpointStore } from '../../src/ports.ts';
import { fileStore } from '../../src/transports/fileStore.ts';
import { folder } from '../contract/kubeConfigs.ts';
import { type MemoryDisk, memoryDisk } from '../disk/memoryDisk.ts';
import { checkpoint, held, meaning, server, testRuntime } from './fileSessions.ts';

const path = '/data/checkpoint.json';

function stored(
  disk: MemoryDisk,
  settings: { readonly reset?: boolean; readonly server?: string } = {},
): CheckpointStore & ReturnType<typeof testRuntime> {
  const around = testRuntime();
  return { ...fileStore({ path, server, disk, ...settings }, around.runtime), ...around };
}

/** A disk with a checkpoint on it, whose writer is gone. */
function written(at = '7'): MemoryDisk {
  const disk = memoryDisk();
  const store = stored(disk);
  held(store);
  store.save(checkpoint(at)).subscribe();
  store.release().subscribe();
  return disk;
}

describe('a checkpoint in a file', () => {
  test('is what was saved last, with the server that it belongs to', () => {
    const disk = memoryDisk();
    const first = stored(disk);
    expect(held(first).resumed).toEqual([undefined]);
    first.save(checkpoint('7')).subscribe();
    first.save(checkpoint('8')).subscribe();
    expect(JSON.parse(disk.bytes(path).toString())).toEqual({ checkpoint: checkpoint('8'), server });
    first.release().subscribe();

    expect(held(stored(disk)).resumed).toEqual([checkpoint('8')]);
  });

  test('is held by one process, whose claim ends with its subscription', () => {
    const disk = written();
    const { holding } = held(stored(disk));
    expect(held(stored(disk)).errors).toMatchObject([{ code: 'SHARD_HELD' }]);

    holding.unsubscribe();
    expect(held(stored(disk)).resumed).toEqual([checkpoint('7')]);
  });

  test('is not saved by who does not hold it, or not any more', () => {
    const disk = written();
    const store = stored(disk);
    const errors: unknown[] = [];
    store.save(checkpoint('8')).subscribe({ error: (error: unknown) => errors.push(error) });
    held(store);
    disk.kill();
    store.save(checkpoint('8')).subscribe({ error: (error: unknown) => errors.push(error) });

    expect(errors).toMatchObject([{ code: 'SHARD_HELD' }, { code: 'SHARD_HELD' }]);
    expect(held(stored(disk)).resumed).toEqual([checkpoint('7')]);
  });

  test('is saved when there is room again, with a warning each time there is none', () => {
    const disk = written();
    const store = stored(disk);
    held(store);
    disk.troubles.replace = true;
    let done = false;
    store.save(checkpoint('8')).subscribe({ complete: () => (done = true) });
    store.scheduler.schedule(() => (disk.troubles.replace = false), 1_000);
    store.scheduler.flush();

    expect([done, store.scheduler.now()]).toEqual([true, 1_500]); // Half of 1 s, then half of 2 s.
    expect(store.signals).toEqual(
      Array.from({ length: 2 }, () => ({
        type: 'warning',
        text: `the checkpoint in ${path} cannot be written, it is tried again: ENOSPC: no luck`,
      })),
    );
  });
});

describe('a file that is refused', () => {
  const whole = written().bytes(path).toString();

  test.each<readonly [string, string]>([
    ['nothing', ''],
    ['half of it', whole.slice(0, whole.length / 2)],
    ['all but its end', whole.slice(0, -1)],
    ['zeros', '\0'.repeat(whole.length)],
    ['something else', '{"kind":"Config"}\n'],
    ['an older kind of the same', whole.replace('"format":1', '"format":0')],
    ['a newer format', whole.replace('"format":1', '"format":2')],
    ['a checkpoint without its server', `${JSON.stringify({ checkpoint: checkpoint('7') })}\n`],
    ['a checkpoint without positions', whole.replace('"positions"', '"places"')],
  ])('holds %s', (_, text) => {
    const disk = memoryDisk();
    disk.put(path, Buffer.from(text));
    expect(held(stored(disk)).errors).toMatchObject([
      { code: 'CHECKPOINT_INVALID', message: expect.stringContaining('--checkpoint-reset') as string },
    ]);
    expect([disk.bytes(path).toString(), disk.locks.size]).toEqual([text, 0]);

    const forced = stored(disk, { reset: true });
    expect(held(forced).resumed).toEqual([undefined]);
    expect(forced.signals).toMatchObject([{ type: 'warning', text: expect.stringContaining('--checkpoint-reset') as string }]);
  });

  test('belongs to other settings and another server, all of them named', () => {
    const other = { ...meaning, selectors: { label: '', field: 'type=Warning' }, sink: 'local' };
    expect(held(stored(written(), { server: 'https://other' }), other).errors).toMatchObject([
      {
        code: 'CHECKPOINT_INVALID',
        message: expect.stringMatching(/selectors: .*sink: .*server: stored "https:\/\/10.*now "https:\/\/other"/) as string,
      },
    ]);
  });
});

test('a reset without anything stored says nothing', () => {
  const store = stored(memoryDisk(), { reset: true });
  expect([held(store).resumed, store.signals]).toEqual([[undefined], []]);
});

describe('on a real disk', () => {
  const real = (at: string): CheckpointStore => fileStore({ path: at, server }, testRuntime().runtime);

  test('a save leaves the file, for its owner only, and nothing beside it but the lock', async () => {
    const at = join(folder(), 'checkpoint.json');
    const store = real(at);
    const { resumed, errors } = held(store);
    await lastValueFrom(store.save(checkpoint('7')), { defaultValue: undefined });
    await lastValueFrom(store.save(checkpoint('8')), { defaultValue: undefined });

    expect([resumed, errors]).toEqual([[undefined], []]);
    expect(readdirSync(dirname(at)).sort()).toEqual([basename(at), `${basename(at)}.lock`]);
    expect(JSON.parse(readFileSync(at, 'utf8'))).toEqual({ checkpoint: checkpoint('8'), server });
    expect(statSync(at).mode & 0o777).toBe(0o600);
    await lastValueFrom(store.release(), { defaultValue: undefined });
    expect(readdirSync(dirname(at))).toEqual([basename(at)]);
  });

  test('what a kill has left of a save is no obstacle', async () => {
    const at = join(folder(), 'checkpoint.json');
    writeFileSync(`${at}.new`, '{"checkp');
    const store = real(at);
    held(store);
    await lastValueFrom(store.save(checkpoint('7')), { defaultValue: undefined });
    expect(JSON.parse(readFileSync(at, 'utf8'))).toMatchObject({ server });
  });

  test.each([
    ['in a folder that does not exist', () => '/nowhere/checkpoint.json'],
    [
      'that is a folder',
      () => {
        const at = join(folder(), 'checkpoint.json');
        mkdirSync(at);
        return at;
      },
    ],
  ])('a file %s is a fault of the settings', async (_, at) => {
    const error: unknown = await lastValueFrom(real(at()).hold(meaning)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/^the checkpoint file .* cannot be used: E/) as string,
    });
  });
});
