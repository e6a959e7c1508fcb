import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { diffCommand } from '../../src/cli/diff.ts';
import { diffBuckets, type SidedLine } from '../../src/cli/diffBuckets.ts';
import { type DiffKeysCounts, diffKeys } from '../../src/cli/diffKeys.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { fakeProcess } from './cliContext.ts';

const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-'));
let files = 0;

function fileOf(content: string | Uint8Array, name = `output-${++files}`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function diff(...args: readonly string[]) {
  const faked = fakeProcess();
  const code = await runCommandLine(['diff', ...args], [diffCommand], faked.context);
  return { code, output: faked.output().replaceAll(`${folder}/`, '').replace(/ {2,}/g, '  '), errors: faked.errors() };
}

async function diffOf(a: string, b: string, ...args: readonly string[]) {
  return diff(fileOf(a, 'a.txt'), fileOf(b, 'b.txt'), ...args);
}

function entry(n: number, more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    eventUID: `u${n}`,
    eventNamespace: 'shop',
    resourceVersion: String(n),
    reason: 'BackOff',
    involvedKind: 'Pod',
    involvedName: 'web',
    insertId: `${String(n).padStart(20, '0')}.u${n}`,
    resource: { type: 'k8s_pod', labels: { pod_name: 'web' } },
    ...more,
  };
}

const exported = (value: unknown): string => `EXPORTED_EVENT ${JSON.stringify(value)}\n`;
const plain = (value: unknown): string => `${JSON.stringify(value)}\n`;
const position = '{"checkpoint":{"format":1},"server":"https://there"}\n';

describe('diff', () => {
  it('finds outputs equal whatever their order, form, compression and positions', async () => {
    const a = [1, 2, 3].map((n) => exported(entry(n))).join('');
    const reversed = (value: Readonly<Record<string, unknown>>): string => plain(Object.fromEntries(Object.entries(value).reverse()));
    const b = [3, 1, 2].map((n) => reversed(entry(n)) + position).join('');
    const { code, output } = await diff(fileOf(a, 'a.txt'), fileOf(gzipSync(`\ufeff${b}`), 'b.gz'));
    expect(code).toBe(0);
    expect(output).toMatchInlineSnapshot(`
      "b.gz:1: byte order mark
      file  entries  keys  repeats  only here  bad lines
      a.txt  3  3  0  0  0
      b.gz  3  3  0  0  0
      3 keys equal, 0 changed, 0 only in one file, 0 not as often: equal
      "
    `);
  });

  it('tells what only one file has, and which fields differ', async () => {
    const a = exported(entry(1)) + exported(entry(2)) + exported(entry(3));
    const changed = { reason: 'Killing', resource: { type: 'k8s_pod', labels: { pod_name: 'web', cluster_name: 'prod' } } };
    const { code, output } = await diffOf(a, exported(entry(3, changed)) + exported(entry(1)) + exported(entry(4)));
    expect(code).toBe(5);
    expect(output).toMatchInlineSnapshot(`
      "only in a.txt:2  00000000000000000002.u2  BackOff Pod shop/web
      changed in a.txt:3 and b.txt:1  00000000000000000003.u3  Killing Pod shop/web
        reason: "BackOff" -> "Killing"
        resource.labels.cluster_name: (absent) -> "prod"
      only in b.txt:3  00000000000000000004.u4  BackOff Pod shop/web
      file  entries  keys  repeats  only here  bad lines
      a.txt  3  3  0  1  0
      b.txt  3  3  0  1  0
      field  differs
      reason  1
      resource.labels.cluster_name  1
      1 keys equal, 1 changed, 2 only in one file, 0 not as often: different
      "
    `);
  });

  it('leaves out fields that do not count', async () => {
    const [a, b] = [exported(entry(1)), exported(entry(1, { reason: 'Killing', resource: { type: 'k8s_node', labels: {} } }))];
    expect((await diffOf(a, b, '--ignore', 'reason')).code).toBe(5);
    expect((await diffOf(a, b, '--ignore', 'reason,resource.type', '--ignore', 'resource.labels')).code).toBe(0);
    expect((await diffOf(a, b, '--ignore', 'reason,resource')).code).toBe(0);
  });

  it('tells repeats of each file, and counts them unless it is told not to', async () => {
    const [once, twice] = [exported(entry(1)), exported(entry(1)).repeat(2)];
    expect(await diffOf(twice, twice)).toMatchObject({ code: 0, output: expect.stringMatching(/a\.txt +2 +1 +1 /) });
    const { code, output } = await diffOf(once, twice);
    expect(code).toBe(5);
    expect(output).toContain('1 times in a.txt, 2 in b.txt  00000000000000000001.u1  BackOff Pod shop/web\n');
    expect((await diffOf(once, twice, '--ignore-repeats')).code).toBe(0);
    expect((await diffOf(once, twice.replace('BackOff', 'Killing'), '--ignore-repeats')).code).toBe(5);
  });

  it('compares with the lines of the Go exporter, which have no insertId', async () => {
    const { insertId: _, ...go } = entry(7);
    expect((await diffOf(exported(go), exported(entry(7)))).code).toBe(5);
    expect((await diffOf(exported(go), exported(entry(7)), '--ignore', 'insertId')).code).toBe(0);
  });

  it('names bad lines by number, also when all else is equal', async () => {
    const good = exported(entry(1));
    const { code, output } = await diffOf(`${good}\nnonsense\n{"a":1}\n${good.slice(0, 40)}`, good);
    expect(code).toBe(5);
    expect(output).toContain(
      'a.txt:2: blank line\na.txt:3: not a JSON object\na.txt:4: no key: insertId, or eventUID and resourceVersion, are needed\na.txt:5: cut last line\n',
    );
  });

  it('writes JSON lines for programs', async () => {
    const a = exported(entry(1)) + exported(entry(2)) + exported(entry(4));
    const { code, output } = await diffOf(
      a,
      `${exported(entry(2, { reason: 'Killing' }))}nonsense\n${exported(entry(4)).repeat(2)}`,
      '--json',
    );
    expect(code).toBe(5);
    expect(
      output
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { type: 'onlyIn', file: 'a', key: '00000000000000000001.u1', line: 1 },
      { type: 'changed', key: '00000000000000000002.u2', lineA: 2, lineB: 1, fields: [{ field: 'reason', a: 'BackOff', b: 'Killing' }] },
      { type: 'repeated', key: '00000000000000000004.u4', timesA: 1, timesB: 2 },
      { type: 'oddLine', file: 'b', line: 2, reason: 'not a JSON object', bad: true },
      {
        type: 'summary',
        isEqual: false,
        equal: 0,
        changed: 1,
        repeated: 1,
        a: { entries: 3, keys: 3, repeats: 0, checkpoints: 0, badLines: 0, only: 1 },
        b: { entries: 3, keys: 2, repeats: 1, checkpoints: 0, badLines: 1, only: 0 },
        fields: { reason: 1 },
      },
    ]);
  });

  it('lets no content act on the terminal, in either form', async () => {
    const hostile = '\u001b[2J\u202e\u009b\u2028\ud800\n';
    const a =
      exported(entry(1, { reason: hostile, [hostile]: hostile, insertId: hostile })) + exported(entry(2, { insertId: `${hostile}2` }));
    const b = exported(entry(1, { reason: 'x', [hostile]: 'y', insertId: hostile }));
    for (const form of [[], ['--json']]) {
      const { code, output } = await diffOf(a, b, ...form);
      expect(code).toBe(5);
      expect(output).not.toMatch(/[^\P{C}\n]|\p{Zl}/u);
    }
    const [first] = (await diffOf(a, b, '--json')).output.split('\n');
    // A lone half is no UTF-8 and became a replacement in the file.
    expect(JSON.parse(first ?? '').key).toBe(hostile);
  });

  it('shows as many as it is told to', async () => {
    const a = Array.from({ length: 30 }, (_, n) => exported(entry(n + 1))).join('');
    const shown = (output: string): number => output.split('\n').filter((line) => line.startsWith('only in')).length;
    expect(shown((await diffOf(a, '')).output)).toBe(20);
    expect(shown((await diffOf(a, '', '--show', '3')).output)).toBe(3);
    expect((await diffOf(a, '', '--show', '0')).output).toContain(
      '0 keys equal, 0 changed, 30 only in one file, 0 not as often: different',
    );
  });

  it('tells wrong use, all at once', async () => {
    expect(await diff('missing')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/needs two outputs .*\(got 1\)\n.*missing cannot be read/),
    });
    const recording = fileOf('{"format":"kube-sluice recording","version":1}\n');
    expect(await diff(recording, recording)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('is a recording: compare what replay writes'),
    });
  });

  it('ends when it is stopped', async () => {
    const faked = fakeProcess();
    faked.stops.next('drain');
    const path = fileOf(exported(entry(1)));
    expect(await runCommandLine(['diff', path, path], [diffCommand], faked.context)).toBe(1);
  });
});

describe('diffBuckets', () => {
  it('finds the same on disk as in memory', async () => {
    const lines = (from: number, to: number): readonly SidedLine[] =>
      Array.from({ length: to - from }, (_, n) => ({ line: n, key: `k\t\n${from + n}`, json: `{"n":${from + n},"t":"\\t"}` }));
    const found = async (bytes: number) => {
      const buckets = diffBuckets(bytes);
      const counts: DiffKeysCounts = { equal: 0, keys: { a: 0, b: 0 }, repeats: { a: 0, b: 0 } };
      for (const line of lines(0, 200)) buckets.add('a', line);
      for (const line of [...lines(100, 300), ...lines(150, 160)]) buckets.add('b', line);
      const differences: string[] = [];
      for await (const each of diffKeys(buckets, { ignored: [], ignoreRepeats: false }, counts)) differences.push(JSON.stringify(each));
      buckets.close();
      return { count: buckets.count, counts, differences: differences.sort() };
    };
    const [memory, disk] = [await found(1), await found(7 * 32 * 1024 * 1024)];
    expect([memory.count, disk.count]).toEqual([1, 7]);
    expect(disk).toEqual({ ...memory, count: 7 });
    expect(memory.counts).toEqual({ equal: 90, keys: { a: 200, b: 200 }, repeats: { a: 0, b: 10 } });
    expect(memory.differences).toHaveLength(210);
  });
});
