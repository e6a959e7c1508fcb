import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { type CommandLine, commandLine } from '../../src/cli/commandLine.ts';

const run = async (): Promise<0> => 0;
const commands: readonly Command[] = [
  { name: 'run', description: 'Run it', examples: [['$0 run --sink local', 'To standard output']], run },
  {
    name: 'replay',
    positional: { usage: '[file]', name: 'file', description: 'What was recorded' },
    description: 'Play it again',
    examples: [],
    run,
  },
];

function take(...args: string[]): Promise<CommandLine> {
  return commandLine(args, { commands, version: '1.2.3', columns: 80 });
}

async function flags(...args: string[]): Promise<Readonly<Record<string, unknown>>> {
  const line = await take(...args);
  return line.type === 'call' ? Object.fromEntries(line.flags) : {};
}

async function text(...args: string[]): Promise<string> {
  const line = await take(...args);
  return line.type === 'text' ? line.text : '';
}

test('run is the default command', async () => {
  expect(await take()).toEqual({ type: 'call', command: 'run', flags: new Map(), positionals: [], faults: [], bare: true });
  expect(await take('--sink=local')).toMatchObject({ command: 'run', flags: new Map([['sink', ['local']]]) });
});

test('a command takes its positional and no more', async () => {
  expect(await take('replay', 'a.gz', '--speed', 'max')).toEqual({
    type: 'call',
    command: 'replay',
    flags: new Map([['speed', ['max']]]),
    positionals: ['a.gz'],
    faults: [],
    bare: false,
  });
  expect(await take('replay', 'a.gz', 'b.gz')).toMatchObject({ positionals: ['a.gz'], faults: ["'b.gz' is not expected here"] });
  expect(await take('repla', 'a.gz')).toMatchObject({
    command: 'run',
    faults: ["'repla' is not expected here (did you mean replay?)", "'a.gz' is not expected here"],
  });
});

describe('flags are written as Go writes them, too', () => {
  test.each([
    [['-total-shards', '3'], { 'total-shards': ['3'] }],
    [['-total-shards=3'], { 'total-shards': ['3'] }],
    [['--shard-id', '-1'], { 'shard-id': ['-1'] }],
    [['--sink-opts', '-flush-delay=1s -endpoint=x'], { 'sink-opts': ['-flush-delay=1s -endpoint=x'] }],
    [['-sink-opts=-flush-delay=1s'], { 'sink-opts': ['-flush-delay=1s'] }],
    [['--event-label-selector', '!canary'], { 'event-label-selector': ['!canary'] }],
    [['--sink-opts='], { 'sink-opts': [''] }],
    [['--sink-opts', ''], { 'sink-opts': [''] }],
    [['--sink-opts="quoted"'], { 'sink-opts': ['"quoted"'] }],
    [['--sink-opts', "'quoted'"], { 'sink-opts': ["'quoted'"] }],
    [['--sink-opts=two\nlines'], { 'sink-opts': ['two\nlines'] }],
    [['--enable-pod-owner-label'], { 'enable-pod-owner-label': ['true'] }],
    [['--enable-pod-owner-label=false'], { 'enable-pod-owner-label': ['false'] }],
    [['--no-enable-pod-owner-label'], { 'enable-pod-owner-label': ['false'] }],
    [['--namespace', 'a', '--namespace=b', '-namespace', 'c'], { namespace: ['a', 'b', 'c'] }],
    [['--total-shards', '1e1'], { 'total-shards': ['1e1'] }],
    [['--total-shards', '0x10'], { 'total-shards': ['0x10'] }],
    [['--project', 'true'], { project: ['true'] }],
    [['--project', '007'], { project: ['007'] }],
    [['--kubeconfig', '--context', 'x'], { kubeconfig: [undefined], context: ['x'] }],
    [['--kubeconfig'], { kubeconfig: [undefined] }],
    [['--shard.id=1'], { 'shard.id': ['1'] }],
    [['--shardId=1'], { shardId: ['1'] }],
    [['--unknown', '--sink=local'], { unknown: [undefined], sink: ['local'] }],
    [['--kubeconfg', 'x'], { kubeconfg: ['x'] }],
    [['--kubeconfg', '--sink=local'], { kubeconfg: [undefined], sink: ['local'] }],
  ])('%j', async (args, expected) => {
    expect(await flags('run', ...args)).toEqual(expected);
  });
});

test('the version and the help are texts', async () => {
  expect(await text('--version')).toBe('kube-sluice 1.2.3');
  expect(await text('-version')).toBe('kube-sluice 1.2.3');
  expect(await text('replay', '-h')).toContain('Play it again');
  expect(await text('replay', '-help')).toContain('What was recorded');
});

test.each([80, 100])('the help shows groups, defaults, choices and examples within %d columns', async (columns) => {
  const line = await commandLine(['--help'], { commands, version: '1.2.3', columns });
  const help = line.type === 'text' ? line.text : '';
  for (const group of ['Cluster', 'Selection', 'Shard', 'Owner labels', 'Sink', 'Flow', 'Telemetry', 'General', 'Examples']) {
    expect(help).toContain(`\n${group}:\n`);
  }
  expect(help).toContain('Examples:\n  To standard output:\n    kube-sluice run --sink local\n');
  expect(help).toMatch(/--drain-timeout +How long [^[]*\[default: 20s\]/);
  expect(help).toMatch(/--start-from[^[]*One of: earliest, now\./);
  expect(help).not.toContain('--speed');
  expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns);
});

test('the completion knows commands, flags of the command, and choices', async () => {
  expect(await text('completion')).toContain('kube-sluice --get-yargs-completions');
  expect((await text('--get-yargs-completions', 'kube-sluice', 're')).split('\n')).toEqual(['run', 'replay', 'config', 'completion']);
  expect((await text('--get-yargs-completions', 'kube-sluice', 'config', '')).split('\n')).toEqual(['check']);
  expect((await text('--get-yargs-completions', 'kube-sluice', 'replay', '--s')).split('\n')).toContain('--speed');
  expect((await text('--get-yargs-completions', 'kube-sluice', 'run', '--start-from', '')).split('\n')).toEqual(['earliest', 'now']);
});
