import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { entry, unreadable } from '../../marbles/builders.ts';
import type { Refusal } from '../../src/model/entry.ts';
import { type RefusedFile, refusedFile } from '../../src/sinks/refusedFile.ts';
import { folder } from '../contract/kubeConfigs.ts';
import { type MemoryDisk, memoryDisk } from '../disk/memoryDisk.ts';
import { linesOf, testRuntime } from './fileSessions.ts';

const path = '/data/refused.ndjson';

function opened(disk: MemoryDisk): RefusedFile & ReturnType<typeof testRuntime> & { readonly errors: unknown[] } {
  const around = testRuntime();
  const errors: unknown[] = [];
  const made = refusedFile({ path, disk, cluster: { name: 'prod-1' } }, around.runtime);
  made.open().subscribe({ error: (error: unknown) => errors.push(error) });
  return { ...made, ...around, errors };
}

function linesIn(disk: MemoryDisk): readonly unknown[] {
  return linesOf(disk.bytes(path)).map((line) => JSON.parse(line) as unknown);
}

const tooLarge: Refusal = { outgoing: entry(3), reason: 'tooLarge' };

test('a refusal is a line with its reason first, then everything that the file sink would say', () => {
  const disk = memoryDisk();
  const file = opened(disk);
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  file.keep([tooLarge, { outgoing: unreadable(5), reason: 'undecodable' }]).subscribe();
  file.keep([{ outgoing: entry(7, { payload: circular }), reason: 'unencodable' }]).subscribe();

  expect(linesIn(disk)).toEqual([
    expect.objectContaining({
      refused: 'tooLarge',
      action: 'ADD',
      insertId: entry(3).insertId,
      event: entry(3).payload,
      resource: { type: 'k8s_pod', labels: { cluster_name: 'prod-1', namespace_name: 'default', pod_name: 'web-0' } },
    }),
    { refused: 'undecodable', eventUID: '', resourceVersion: '5' },
    { refused: 'unencodable', eventUID: 'uid-7', resourceVersion: '7' },
  ]);
  expect(linesOf(disk.bytes(path))[0]?.startsWith('{"refused":"tooLarge","action":"ADD",')).toBe(true);
});

test('it is kept when it survives a power cut', () => {
  const disk = memoryDisk();
  const file = opened(disk);
  let kept = false;
  file.keep([tooLarge]).subscribe({ complete: () => (kept = true) });
  expect([kept, disk.durable(path).toString()]).toEqual([true, disk.bytes(path).toString()]);

  disk.troubles.sync = true;
  const errors: unknown[] = [];
  file.keep([tooLarge]).subscribe({ error: (error: unknown) => errors.push(error) });
  expect(errors).toMatchObject([{ code: 'SINK_FAILED' }]);
});

test('it waits for room, with a warning, and leaves no half line', () => {
  const disk = memoryDisk();
  const file = opened(disk);
  disk.troubles.room = 50;
  let kept = false;
  file.keep([tooLarge]).subscribe({ complete: () => (kept = true) });
  expect([kept, disk.bytes(path).length]).toEqual([false, 0]);

  disk.troubles.room = Number.POSITIVE_INFINITY;
  file.scheduler.flush();
  expect([kept, linesIn(disk).length]).toEqual([true, 1]);
  expect(file.signals).toMatchObject([{ type: 'warning', text: expect.stringContaining('ENOSPC') as string }]);
});

test('lines of an earlier life stay, half a line too, which gets its end', () => {
  const disk = memoryDisk();
  disk.put(path, Buffer.from('{"refused":"tooLarge"}\n{"refused":"too'));
  const file = opened(disk);
  file.keep([tooLarge]).subscribe();
  file.close().subscribe();
  opened(disk);

  expect(linesOf(disk.bytes(path)).map((line) => line.slice(0, 22))).toEqual([
    '{"refused":"tooLarge"}',
    '{"refused":"too',
    '{"refused":"tooLarge",',
  ]);
});

test('the file belongs to one process, until it is closed', () => {
  const disk = memoryDisk();
  const file = opened(disk);
  expect(opened(disk).errors).toMatchObject([{ code: 'CONFIG_INVALID', message: expect.stringContaining('is in use') as string }]);
  file.close().subscribe();
  expect(opened(disk).errors).toEqual([]);

  const errors: unknown[] = [];
  file.keep([tooLarge]).subscribe({ error: (error: unknown) => errors.push(error) });
  expect(errors).toMatchObject([{ code: 'SINK_FAILED' }]);
});

test('on a real disk', async () => {
  const at = join(folder(), 'refused.ndjson');
  const file = refusedFile({ path: at }, testRuntime().runtime);
  for (const work of [file.open(), file.keep([tooLarge]), file.keep([tooLarge]), file.close()])
    await lastValueFrom(work, { defaultValue: undefined });
  expect(linesOf(readFileSync(at))).toHaveLength(2);

  const error: unknown = await lastValueFrom(refusedFile({ path: '/nowhere/x' }, testRuntime().runtime).open()).catch(
    (caught: unknown) => caught,
  );
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('/nowhere/x cannot be used') as string });
});
