import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/cli/run.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { fakeProcess } from './cliContext.ts';

interface Checked {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

async function check(text: string, ...more: readonly string[]): Promise<Checked> {
  const path = join(mkdtempSync(join(tmpdir(), 'kube-sluice-')), 'c.yaml');
  writeFileSync(path, text);
  // Neither flags nor the environment of whoever checks count.
  const { context, output, errors } = fakeProcess({ environment: { KUBE_SLUICE_TOTAL_SHARDS: 'many' } });
  const code = await runCommandLine(['config', 'check', path, ...more], [runCommand], context);
  return { code, output: output().replaceAll(path, 'c.yaml'), errors: errors().replaceAll(path, 'c.yaml') };
}

test('a file without a fault ends with 0, also with settings of several commands and several shards', async () => {
  const file = 'total-shards: 3\nnamespace: [shop, checkout]\nspeed: max # for replays\nfor: 10m\n';
  expect(await check(file)).toEqual({ code: 0, output: 'c.yaml: no fault\n', errors: '' });
  expect(await check('# nothing yet\n')).toEqual({ code: 0, output: 'c.yaml: no fault\n', errors: '' });
});

test('what does nothing is said, and is no fault', async () => {
  expect(await check('resync-period: 5m\n')).toEqual({
    code: 0,
    output: 'c.yaml: no fault\n',
    errors: 'kube-sluice: --resync-period (from c.yaml line 1) is accepted and does nothing: nothing is synced again by time\n',
  });
});

test('every fault is shown once, with its line and its value, in the order of the lines', async () => {
  const file = [
    '# faults of all kinds',
    'owner-wait: -1s',
    'local-formt: json',
    'sink: [a, {b: c}]',
    'total-shards: 2',
    'shard-id: 4',
    'speed: fast',
    'speed: faster',
    'drain-timeout:',
    '  5',
    'config: other.yaml',
  ].join('\n');
  expect(await check(file)).toEqual({
    code: 2,
    output: '',
    errors: `kube-sluice: 8 settings are wrong
  --owner-wait (from c.yaml line 2) must be a duration such as 300ms, 1.5h or 1m30s, not negative and below 24 days (got "-1s")
  local-formt in c.yaml line 3 is not an option (did you mean local-format?)
  sink in c.yaml line 4 must be one value or a list of values (got "[\\"a\\",{\\"b\\":\\"c\\"}]")
  --shard-id (from c.yaml line 6) must be below --total-shards (got 4 of 2)
  --config must be a readable YAML file (got 'c.yaml', line 8: Map keys must be unique)
  --speed (from c.yaml line 8) must be a number above 0, or max (got "faster")
  --drain-timeout (from c.yaml line 9) must be a duration such as 300ms, 1.5h or 1m30s, not negative and below 24 days (got "5")
  config in c.yaml line 11 must be left out: one file is read
`,
  });
});

test('the name of an object property is a name like any other', async () => {
  expect((await check('__proto__: {a: b}\nconstructor: x\n')).errors).toMatch(
    /__proto__ in c\.yaml line 1 must[\s\S]*constructor in c\.yaml line 2 is not an option/,
  );
});

test('settings that only fail together are faults, too', async () => {
  expect(await check('sink: file\n')).toMatchObject({
    code: 2,
    errors: 'kube-sluice: --file-path must name a file with --sink file (got nothing)\n',
  });
});

test.each([
  [['config'], 'config check needs a file: kube-sluice config check FILE'],
  [['config', 'check'], 'config check needs a file: kube-sluice config check FILE'],
  [['config', 'chek'], "'chek' is not expected here (did you mean check?)"],
  [
    ['config', 'check', '/nowhere/c.yaml'],
    "--config must be a readable YAML file (got '/nowhere/c.yaml': ENOENT: no such file or directory, open '/nowhere/c.yaml')",
  ],
  [['config', 'check', '/nowhere/c.yaml', '--sink=local'], '2 settings are wrong\n  --sink is not an option of config check'],
])('%j is refused', async (args, fault) => {
  const { context, errors } = fakeProcess();
  expect(await runCommandLine(args, [runCommand], context)).toBe(2);
  expect(errors()).toContain(`kube-sluice: ${fault}\n`);
});
