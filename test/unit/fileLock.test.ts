import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fileLock } from '../../src/transports/fileLock.ts';
import { isRunning, type ProcessIdentity, thisProcess } from '../../src/transports/processIdentity.ts';
import { folder } from '../contract/kubeConfigs.ts';

const self = thisProcess();
const gone: ProcessIdentity = { ...self, pid: 4_194_304, started: '1' };
const held = expect.objectContaining({ code: 'SHARD_HELD' }) as Error;

function place(): string {
  return join(folder(), 'events.ndjson');
}

/** Leaves a lock behind as its holder would. */
function leave(path: string, holder: ProcessIdentity): void {
  writeFileSync(path, `${JSON.stringify(holder)}\n`);
}

function filesBeside(path: string): readonly string[] {
  return readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)));
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that takes the lock at a moment, says whether it has it, and keeps it until it is killed. */
async function other(path: string, atMs = 0): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const module = new URL('../../src/transports/fileLock.ts', import.meta.url).href;
  const code = `
    const { fileLock } = await import(${JSON.stringify(module)});
    while (Date.now() < ${atMs}) {}
    try { fileLock(${JSON.stringify(path)}); console.log('held'); } catch ({ code }) { console.log(code); }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

describe('a lock', () => {
  test('is for one at a time, also in one process, and leaves nothing behind', () => {
    const path = place();
    const lock = fileLock(path);
    expect(filesBeside(path)).toEqual(['events.ndjson.lock']);
    expect(JSON.parse(readFileSync(`${path}.lock`, 'utf8'))).toEqual({
      host: hostname(),
      boot: self.boot,
      pid: process.pid,
      started: self.started,
    });
    expect(() => fileLock(path)).toThrow(held);
    lock.confirm();

    lock.release();
    expect(filesBeside(path)).toEqual([]);
    fileLock(path).release();
  });

  test('of a living process is refused at once, and of one that was killed it is taken over', async () => {
    const path = place();
    const { child, said } = await other(path);
    expect(said).toBe('held');
    expect(() => fileLock(path)).toThrow(`${path} is in use: it is held by process ${child.pid} of host ${hostname()}`);

    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = fileLock(path);
    lock.confirm();
    expect(filesBeside(path)).toEqual(['events.ndjson.lock']);
    expect((await other(path)).said).toBe('SHARD_HELD');
  });

  test('that several processes find left behind is taken over by one of them', async () => {
    const path = place();
    leave(`${path}.lock`, gone);
    const atMs = Date.now() + 1_500;
    const all = await Promise.all(Array.from({ length: 6 }, () => other(path, atMs)));
    expect(all.map(({ said }) => said).sort()).toEqual([...Array.from({ length: 5 }, () => 'SHARD_HELD'), 'held']);
  });

  test.each<readonly [string, Partial<ProcessIdentity>]>([
    ['a process that is gone', gone],
    ['our own process number in an earlier life', { started: '1' }],
    ['a process number that somebody else has now', { pid: 1, started: '999999999999' }],
    ['a machine that has been started since', { boot: 'another' }],
  ])('of %s is taken over', (_, holder) => {
    const path = place();
    leave(`${path}.lock`, { ...self, ...holder });
    fileLock(path).confirm();
    expect(filesBeside(path)).toEqual(['events.ndjson.lock']);
  });

  test('of another host is refused, with what to remove', () => {
    const path = place();
    leave(`${path}.lock`, { ...gone, host: 'web-7' });
    expect(() => fileLock(path)).toThrow(held);
    expect(() => fileLock(path)).toThrow(/process 4194304 of host web-7.* remove .*events\.ndjson\.lock$/);
  });

  test.each(['', '{}', 'null', '{"host":"a","boot":"b","pid":1,"started":"../../x"}'])('that names nobody is refused: %j', (text) => {
    const path = place();
    writeFileSync(`${path}.lock`, text);
    expect(() => fileLock(path)).toThrow(held);
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(text);
  });

  test('that was taken away is noticed, and not released for its new holder', () => {
    const path = place();
    const lock = fileLock(path);
    leave(`${path}.lock`, { ...gone, host: 'web-7' });
    expect(() => lock.confirm()).toThrow(held);
    lock.release();
    expect(existsSync(`${path}.lock`)).toBe(true);
  });

  test('cannot be taken where nothing can be written', () => {
    expect(() => fileLock('/nowhere/events.ndjson')).toThrow(expect.objectContaining({ code: 'ENOENT' }) as Error);
  });
});

describe('who was killed while taking over', () => {
  const killed: ProcessIdentity = { ...gone, pid: 4_194_303 };

  test('before the lock was replaced, is no obstacle', () => {
    const path = place();
    leave(`${path}.lock`, gone);
    leave(`${path}.lock.4194304-1`, killed);
    fileLock(path).confirm();
    expect(filesBeside(path)).toEqual(['events.ndjson.lock']);
  });

  test('after that, has left a lock like any other', () => {
    const path = place();
    leave(`${path}.lock`, killed);
    leave(`${path}.lock.4194304-1`, killed);
    fileLock(path).confirm();
  });

  test('and is still at it, goes first', () => {
    const path = place();
    leave(`${path}.lock`, gone);
    leave(`${path}.lock.4194304-1`, self);
    expect(() => fileLock(path)).toThrow(held);
  });
});

describe('a process', () => {
  const startOf = (pid: number): string =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\)\s*/s, '')
      .split(' ')[19] ?? '';

  test('is not another one that has its number now', () => {
    expect(isRunning({ ...self, pid: 1, started: startOf(1) }, self)).toBe(true);
    expect(isRunning({ ...self, pid: 1, started: '999999999999' }, self)).toBe(false);
    expect(isRunning(self, self)).toBe(true);
  });

  test('that was killed counts as gone although its parent has not looked yet', async () => {
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(parent);
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    const child: ProcessIdentity = { ...self, pid, started: startOf(pid) };
    expect(isRunning(child, self)).toBe(true);

    process.kill(pid, 'SIGKILL');
    while (isRunning(child, self)) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
  });
});
