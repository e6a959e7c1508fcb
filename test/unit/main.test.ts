import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { kubeconfig } from '../contract/kubeConfigs.ts';

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs the real process; `onError` sees its standard error so far. */
function main(
  args: readonly string[],
  onErrors: (errors: string, kill: (signal: NodeJS.Signals) => void) => void = () => undefined,
): Promise<Ended> {
  const path = new URL('../../src/cli/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { env: { PATH: '', HOME: '/nowhere' } });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
    onErrors(errors, (signal) => child.kill(signal));
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output, errors })));
}

test('the version is that of the package', async () => {
  expect(await main(['--version'])).toEqual({ code: 0, output: expect.stringMatching(/^kube-sluice \d+\.\d+\.\d+\n$/), errors: '' });
});

test('faults of every command are one message without a stack, exit code 2', async () => {
  const ended = await Promise.all([
    main(['--bogus']),
    main(['record', '--for', 'soon', '--kubeconfig', '/nowhere']),
    main(['replay', '--speed=0']),
    main(['demo', '--sink=local']),
  ]);
  expect(ended.map(({ code, output }) => [code, output])).toEqual(Array.from({ length: 4 }, () => [2, '']));
  for (const { errors } of ended) expect(errors).toMatch(/^kube-sluice: (?!.*unexpected).*(\n {2}--.*|\n {2}replay .*)*\n$/);
  expect(ended.map(({ errors }) => errors.includes('\n    at '))).toEqual([false, false, false, false]);
});

test('SIGTERM drains, and the exit code is 0', async () => {
  const server = createServer((_, response) => response.writeHead(503).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const path = kubeconfig({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  let killed = false;
  const { code, output, errors } = await main(['--kubeconfig', path, '--prometheus-endpoint='], (errors, kill) => {
    if (killed || !errors.includes('"signal":"listFailed"')) return;
    killed = true;
    kill('SIGTERM');
  });
  server.close();
  server.closeAllConnections();
  expect([code, output]).toEqual([0, '']);
  expect(errors).toMatch(/"signal":"drainStarted".*\n.*"unacknowledged":0,"signal":"stopped","msg":"stopped"\}\n$/);
});
