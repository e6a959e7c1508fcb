import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { runCommand } from '../../src/cli/run.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { PipelineError } from '../../src/errors.ts';
import { kubeconfig } from '../contract/kubeConfigs.ts';
import { caseOf } from './cases.ts';
import { type FakeProcess, fakeProcess } from './cliContext.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** An API server that knows nothing and counts requests; `asked` resolves at the first. */
async function server(): Promise<{ readonly path: string; readonly requests: () => number; readonly asked: Promise<void> }> {
  let requests = 0;
  let tell: () => void;
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const made = createServer((_, response) => {
    requests++;
    response.writeHead(404).end();
    tell();
  });
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    made.close();
    made.closeAllConnections();
  });
  return { path: kubeconfig({ server: `http://127.0.0.1:${(made.address() as AddressInfo).port}` }), requests: () => requests, asked };
}

const commands = [runCommand];

describe('H02 shard settings that are wrong are refused before any request', () => {
  interface Shards {
    readonly args: readonly { readonly shardId: string; readonly totalShards: string; readonly hostname?: string }[];
  }
  const { args } = caseOf<Shards>('H02').input;
  const whole = /^kube-sluice: --(shard-id|total-shards) must be [^\n]*\n$/;

  test.each(args)('H02 --shard-id "$shardId" --total-shards "$totalShards"', async ({ shardId, totalShards, hostname = 'exporter-1' }) => {
    const { path, requests } = await server();
    const { context, errors, output } = fakeProcess({ hostname });
    const code = await runCommandLine(
      ['run', '--kubeconfig', path, '--shard-id', shardId, '--total-shards', totalShards],
      commands,
      context,
    );
    expect({ code, requests: requests(), output: output() }).toEqual({ code: 2, requests: 0, output: '' });
    expect(errors()).toMatch(whole);
  });

  test('H02 the same from the environment', async () => {
    const { path, requests } = await server();
    for (const { shardId, totalShards, hostname = 'exporter-1' } of args) {
      const environment = { KUBE_SLUICE_SHARD_ID: shardId, KUBE_SLUICE_TOTAL_SHARDS: totalShards, KUBE_SLUICE_KUBECONFIG: path };
      const { context } = fakeProcess({ hostname, environment });
      expect(await runCommandLine([], commands, context)).toBe(2);
    }
    expect(requests()).toBe(0);
  });

  test.each([
    ['2', '3'],
    ['0', '1'],
  ])('H02 %s of %s is valid and reads', async (shardId, totalShards) => {
    const { path, asked } = await server();
    const { context, stops, errors } = fakeProcess();
    const args = ['--kubeconfig', path, '--shard-id', shardId, '--total-shards', totalShards, '--prometheus-endpoint=', '--log-level=info'];
    const ending = runCommandLine(args, commands, context);
    await asked;
    stops.next('drain');
    expect(await ending).toBe(0);
    expect(errors()).toContain(`"shard":{"index":${shardId},"total":${totalShards},"function":"fnv1a32-mod"}`);
  });
});

test('all faults are one message, the kubeconfig and the selectors among them, and nothing is asked', async () => {
  const { path, requests } = await server();
  const { context, errors } = fakeProcess({ environment: { KUBE_SLUICE_OWNER_WAIT: '1' } });
  const args = [
    '-total-shards',
    '3',
    '--shard-id=3',
    '--event-label-selector',
    'a b',
    '--fast',
    '--context',
    'nowhere',
    `--kubeconfig=${path}`,
    'x',
  ];
  expect(await runCommandLine(args, commands, context)).toBe(2);
  expect(requests()).toBe(0);
  expect(errors().replaceAll(path, 'PATH')).toBe(
    [
      'kube-sluice: 6 settings are wrong',
      "  'x' is not expected here",
      '  --fast is not an option',
      '  --event-label-selector must be a label selector; \'a b\' is none of key, !key, key=value, key!=value, key in (a,b), key notin (a,b), key>1, key<1 (got "a b")',
      '  --owner-wait (from KUBE_SLUICE_OWNER_WAIT) must be a duration such as 300ms, 1.5h or 1m30s, not negative and below 24 days (got "1")',
      '  --shard-id must be below --total-shards (got 3 of 3)',
      '  --kubeconfig must lead to usable credentials (kubeconfig PATH: there is no context nowhere (its contexts are x))',
      '',
    ].join('\n'),
  );
});

test('a kubeconfig that is not there is refused', async () => {
  const { context, errors } = fakeProcess();
  expect(await runCommandLine(['--kubeconfig', '/nowhere/config'], commands, context)).toBe(2);
  expect(errors()).toBe('kube-sluice: --kubeconfig must lead to usable credentials (kubeconfig /nowhere/config does not exist)\n');
});

test('a port that is taken is a failed start that names it, before anything is read', async () => {
  const { path, requests } = await server();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  closing.push(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const { context, errors } = fakeProcess();
  expect(await runCommandLine(['--kubeconfig', path, '--prometheus-endpoint', `127.0.0.1:${port}`], commands, context)).toBe(2);
  expect(errors()).toContain(`(got '127.0.0.1:${port}': the port is taken)`);
  expect(requests()).toBe(0);
});

describe('what a command makes of a failure', () => {
  async function failing(error: unknown, ...args: string[]): Promise<{ readonly code: number; readonly line: unknown }> {
    const command: Command = { ...runCommand, check: () => [], run: () => Promise.reject(error) };
    const { context, errors }: FakeProcess = fakeProcess();
    const code = await runCommandLine(args, [command], context);
    const { time: _, ...line } = JSON.parse(errors()) as Readonly<Record<string, unknown>>;
    return { code, line };
  }

  test.each([
    ['OUTPUT_CLOSED', 4],
    ['LISTEN_FAILED', 2],
    ['CREDENTIALS_INVALID', 2],
    ['CHECKPOINT_INVALID', 2],
    ['FIXTURE_INVALID', 5],
    ['NOT_ACKNOWLEDGED', 1],
    ['SINK_FAILED', 1],
  ] as const)('%s ends with %d and one line', async (errorCode, code) => {
    expect(await failing(new PipelineError(errorCode, 'as it was'))).toEqual({
      code,
      line: { level: 'error', signal: 'failed', code: errorCode, msg: 'as it was' },
    });
  });

  test('anything else ends with 1, and shows its stack at debug only', async () => {
    const line = { level: 'error', signal: 'failed', code: 'UNEXPECTED', msg: 'oh' };
    expect(await failing(new TypeError('oh'))).toEqual({ code: 1, line });
    expect(await failing(new TypeError('oh'), '--log-level=debug')).toEqual({
      code: 1,
      line: { ...line, stack: expect.stringContaining('TypeError: oh\n    at ') },
    });
  });
});

test('the help is on standard output and ends with 0, also when nobody reads it', async () => {
  const { context, output } = fakeProcess();
  expect(await runCommandLine(['--help'], commands, context)).toBe(0);
  expect(output()).toContain("run         Export a cluster's events (the default)");
  context.stdout.destroy();
  expect(await runCommandLine(['--version'], commands, context)).toBe(0);
});
