import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/run.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { type BusyCluster, busyCluster } from '../../src/simulator/busyCluster.ts';
import { type Core, core } from '../../src/simulator/core.ts';
import { httpFace } from '../../src/simulator/httpFace.ts';
import type { PlainObject } from '../../src/simulator/object.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { folder } from '../contract/kubeConfigs.ts';
import { type FakeProcess, fakeProcess } from './cliContext.ts';
import { linesOf } from './fileSessions.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

interface Cluster {
  readonly server: Core;
  readonly life: BusyCluster;
  /** Runs against it until it is told to stop. */
  run(...flags: readonly string[]): Run;
  /** Keys of what a reader can be told that begins after so many revisions and misses none of the later ones, in order. */
  exposed(): readonly string[];
}

interface Run {
  readonly fake: FakeProcess;
  readonly ending: Promise<number>;
  stop(): Promise<number>;
  /** What was logged, as signals. */
  signals(): readonly Readonly<Record<string, unknown>>[];
}

async function cluster(revisions = 50): Promise<Cluster> {
  const random = seededRandom(7);
  const server = core({ resourceVersion: '1000' }, { now: Date.now, random });
  const life = busyCluster(server, { pods: 50 }, random);
  life.stepUntil(revisions);
  const before = server.writes.length;
  const listed = server.objects('Event').map(idOf);
  const face = await httpFace(server);
  closing.push(face.close);
  const kubeconfig = join(folder(), 'config');
  writeFileSync(kubeconfig, face.kubeconfig());
  return {
    server,
    life,
    run(...flags) {
      const fake = fakeProcess();
      const ending = runCommandLine(['--kubeconfig', kubeconfig, '--prometheus-endpoint=', ...flags], [runCommand], fake.context);
      const signals = (): readonly Readonly<Record<string, unknown>>[] =>
        fake
          .errors()
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
      const stop = (): Promise<number> => {
        fake.stops.next('drain');
        return ending;
      };
      return { fake, ending, stop, signals };
    },
    exposed: () => {
      const written = server.writes.slice(before).filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED');
      return [...listed, ...written.map(({ object }) => idOf(object))].sort();
    },
  };
}

function idOf({ metadata }: PlainObject): string {
  return `${metadata.resourceVersion?.padStart(20, '0')}.${metadata.uid}`;
}

/** Waits for what a real socket and a real disk bring. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The keys in a file of entries, or in lines of standard output. */
function idsIn(text: string): readonly string[] {
  return linesOf(Buffer.from(text)).flatMap((line) => /"insertId":"([^"]+)"/.exec(line)?.[1] ?? []);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

describe('the file sink', () => {
  test('holds each revision once, over restarts', async () => {
    const { life, run, exposed } = await cluster();
    const path = join(folder(), 'events.ndjson');
    for (const revisions of [0, 100, 100]) {
      life.stepUntil(revisions);
      const running = run('--sink=file', `--file-path=${path}`);
      await until(() => idsIn(textOf(path)).length >= exposed().length);
      expect(await running.stop()).toBe(0);
      expect([...idsIn(textOf(path))].sort()).toEqual(exposed());
      expect(running.signals()).toContainEqual(expect.objectContaining({ signal: 'started', sink: 'file', checkpoint: path }));
      expect(running.fake.errors()).not.toContain('no checkpoint is kept');
    }
  });

  test('is for one process; the other ends with 3', async () => {
    const { run } = await cluster();
    const path = join(folder(), 'events.ndjson');
    const first = run('--sink=file', `--file-path=${path}`);
    await until(() => idsIn(textOf(path)).length > 0);

    const second = run('--sink=file', `--file-path=${path}`);
    expect(await second.ending).toBe(3);
    expect(second.signals().at(-1)).toMatchObject({ signal: 'failed', code: 'SHARD_HELD' });
    expect(await first.stop()).toBe(0);
  });

  test('refuses a file of another shard or server, and goes on in it after a reset without writing anything again', async () => {
    const first = await cluster();
    const other = await cluster();
    const path = join(folder(), 'events.ndjson');
    const running = first.run('--sink=file', `--file-path=${path}`);
    await until(() => idsIn(textOf(path)).length >= first.exposed().length);
    await running.stop();
    const before = textOf(path);

    const refused = other.run('--sink=file', `--file-path=${path}`, '--total-shards=2', '--shard-id=1');
    expect(await refused.ending).toBe(2);
    expect(refused.signals().at(-1)).toMatchObject({
      code: 'CHECKPOINT_INVALID',
      msg: expect.stringMatching(/shard: .*server: .*--checkpoint-reset/) as string,
    });
    expect(textOf(path)).toBe(before);

    first.life.stepUntil(first.life.eventRevisions() + 1);
    const again = first.run('--sink=file', `--file-path=${path}`, '--checkpoint-reset');
    // What was overwritten before anybody read it is gone with the position.
    const held = (): ReadonlySet<string> => new Set(idsIn(textOf(path)));
    const missing = (): readonly PlainObject[] => first.server.objects('Event').filter((object) => !held().has(idOf(object)));
    await until(() => missing().length === 0);
    expect(await again.stop()).toBe(0);
    expect(idsIn(textOf(path)).length).toBe(held().size);
    expect(again.signals()).toContainEqual(expect.objectContaining({ level: 'warn', signal: 'warning' }));
  });
});

test('with a checkpoint in a file, a restart repeats no line on standard output', async () => {
  const { life, run, exposed } = await cluster();
  const path = join(folder(), 'checkpoint.json');
  const written: string[] = [];
  for (const revisions of [0, 100]) {
    life.stepUntil(revisions);
    const running = run(`--checkpoint=file:${path}`, '--local-fields=short');
    await until(() => written.length + idsIn(running.fake.output()).length >= exposed().length);
    expect(await running.stop()).toBe(0);
    written.push(...idsIn(running.fake.output()));
  }
  expect(written.sort()).toEqual(exposed());
});

test('without one it is said at the start', async () => {
  const { run } = await cluster();
  const running = run();
  await until(() => running.fake.errors().includes('no checkpoint is kept'));
  expect(await running.stop()).toBe(0);
});

describe('refused entries', () => {
  test('are kept in their file, as far as they can be read', async () => {
    const { server, run } = await cluster();
    const path = join(folder(), 'refused.ndjson');
    server.create('Event', { metadata: { name: 'about-nothing', namespace: 'default' }, involvedObject: 'nothing' });
    const uid = server.objects('Event').find(({ metadata }) => metadata.name === 'about-nothing')?.metadata.uid;
    const running = run(`--refused-file=${path}`);
    await until(() => textOf(path).includes('\n'));
    expect(await running.stop()).toBe(0);
    expect(linesOf(readFileSync(path)).map((line) => JSON.parse(line) as unknown)).toEqual([
      { refused: 'undecodable', eventUID: uid, resourceVersion: expect.any(String) as string },
    ]);
    expect(running.signals()).toContainEqual(expect.objectContaining({ signal: 'refused', reason: 'undecodable', uid }));
  });

  test('need a file that can be used, before anything is read', async () => {
    const { server, run } = await cluster();
    const running = run('--refused-file=/nowhere/refused.ndjson');
    expect(await running.ending).toBe(2);
    expect(running.fake.errors()).toBe(
      "kube-sluice: --refused-file must be a file that can be written, in a folder that exists (got '/nowhere/refused.ndjson': there is no folder /nowhere)\n",
    );
    expect(server.requests).toEqual([]);
  });
});

test('the drain limit ends a run that cannot deliver with 1, says how much is left, and keeps the position before it', async () => {
  const { run } = await cluster();
  const path = join(folder(), 'checkpoint.json');
  const running = run(`--checkpoint=file:${path}`, '--drain-timeout=50ms');
  running.fake.context.stdout.cork();
  await until(() => running.fake.context.stdout.writableLength > 0);
  expect(await running.stop()).toBe(1);
  expect(running.signals().at(-1)).toMatchObject({ signal: 'stopped', code: 1, unacknowledged: expect.any(Number) as number });
  expect(JSON.parse(textOf(path))).toMatchObject({ checkpoint: { positions: { '': { at: 'earliest' } } } });
});
