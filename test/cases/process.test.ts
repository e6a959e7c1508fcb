import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../src/cli/exitCodes.ts';
import type { Sink } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { type CloudLoggingModel, cloudLoggingModel } from '../../src/simulator/cloudLoggingModel.ts';
import { virtualLogWriter } from '../../src/simulator/virtualLogWriter.ts';
import { cloudLogging } from '../../src/sinks/cloudLogging.ts';
import { memoryStore } from '../../src/transports/memoryStore.ts';
import { folder, kubeconfig } from '../contract/kubeConfigs.ts';
import { type CaseStep, caseOf, casesNow } from './caseFile.ts';
import { checkCase, checkExpectations, checkRun } from './checkCase.ts';
import { generatedServer, storeVersion } from './generatedServer.ts';
import { runScript } from './runScript.ts';
import { scriptsOf } from './scriptsOf.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url).pathname;

test('R01 what is in a batch that still fills is sent when the process is told to stop', () => {
  const { input, expect: expectations } = caseOf('R01');
  const { watchLines, ...settings } = input;
  expect(settings).toEqual({ buffer: { maxEntries: 100, flushSeconds: 5 }, signal: { SIGTERM: 'after 1 s' } });
  const [first] = scriptsOf({ ...caseOf('R01'), input: { watchLines: watchLines ?? [] } });
  const buffer = { batchItemsMax: 100, flushMs: 5_000 };

  // Owner labels are off: about pods that nobody knows, events would be waiting there and not in the batch.
  const run = runScript(first?.script ?? { steps: [] }, { stopAfterSeconds: 1, pipeline: { ...buffer, ownerLabels: false } });

  checkRun(run);
  // A pipeline that has drained completes, and with nothing in flight that is exit code 0; see untilStopped.
  const { exit, ...others } = expectations;
  expect([exit, run.counts.inFlight]).toEqual([0, 0]);
  expect(run.writtenAfterMs).toEqual([1_000, 1_000, 1_000]);
  checkExpectations(others, [run]);
});

test('R02 a restart without a checkpoint sends again under the same ids and times, one with a checkpoint does not', () => {
  const { input, expect: expectations } = caseOf('R02');
  const { runs = [], ...unknown } = input;
  expect(unknown).toEqual({});
  const [first = [], second = []] = runs.map(({ httpScript }) => httpScript);

  const forgetful = [first, second].map((steps) => runScript({ steps }));
  for (const run of forgetful) checkRun(run);
  checkExpectations(expectations, forgetful);
  expect(forgetful.map(({ records }) => records.length)).toEqual([2, 3]);

  // With its checkpoint the second run asks for what came after 4100. No server gives that an older version, as the case has it.
  const store = memoryStore();
  const later = JSON.parse(JSON.stringify(second).replace('"4003"', '"4203"')) as readonly CaseStep[];
  const expired: CaseStep = { on: 'watch rv=4100', status: 410, json: { kind: 'Status', code: 410, reason: 'Expired' } };
  const before = runScript({ steps: first }, { store });
  const after = runScript({ steps: [expired, ...later] }, { store });
  checkRun(before);
  checkRun(after, { gaps: ['unwatched'] });
  checkExpectations(expectations, [before, after]);
  expect([before, after].map(({ records }) => records.length)).toEqual([2, 1]);
});

const cluster = { project: 'p', location: 'l', name: 'c' };

/** Cloud Logging in virtual time, a fifth of a second away. */
function cloudLoggingIn(settings: { readonly at: string }): { readonly model: CloudLoggingModel; sink(runtime: Runtime): Sink } {
  const model = cloudLoggingModel({}, () => Date.parse(settings.at));
  return { model, sink: (runtime) => cloudLogging({ cluster }, virtualLogWriter(model, { latencyMs: 200 }, runtime), runtime) };
}

test('R01 with Cloud Logging the drain waits for its answer', () => {
  const { input, expect: expectations } = caseOf('R01');
  const [first] = scriptsOf({ ...caseOf('R01'), input: { watchLines: input.watchLines ?? [] } });
  const { model, sink } = cloudLoggingIn({ at: casesNow });
  const pipeline = { batchItemsMax: 100, flushMs: 5_000, batchesMax: 10, ownerLabels: false };

  const run = runScript(first?.script ?? { steps: [] }, { stopAfterSeconds: 1, pipeline, sink });

  checkRun(run);
  const { exit, ...others } = expectations;
  expect([exit, run.counts.inFlight, run.counts.requests]).toEqual([0, 0, { 200: 1 }]);
  expect([run.drainedAfterMs, model.stored.length]).toEqual([200, 3]);
  checkExpectations(others, [run]);
});

test('R02 with Cloud Logging what a restart sends again is one in the query', () => {
  const { input, expect: expectations } = caseOf('R02');
  const { model, sink } = cloudLoggingIn({ at: casesNow });
  for (const { httpScript: steps = [] } of input.runs ?? []) checkRun(runScript({ steps }, { sink }));
  expect([model.stored.length, { distinctStored: { by: ['insertId', 'timestamp'], count: model.query().length } }]).toEqual([
    5,
    expectations,
  ]);
});

test('R03 lists of any size fit into a small heap, and the process stays up', { timeout: 120_000 }, async () => {
  const { generate, nodeOptions, ...unknown } = caseOf('R03').input as unknown as Generated;
  const { records, exit, podRequestAccept, ...others } = caseOf('R03').expect;
  expect([unknown, exit, others]).toEqual([{}, 'stays up', {}]);
  const server = await generatedServer(generate);
  const watching = new Promise((resolve) => {
    server.onAsked(({ path, query }) => path.endsWith('/events') && query.get('resourceVersion') === storeVersion && resolve('watches'));
  });
  const args = ['run', '--kubeconfig', kubeconfig({ server: server.url }), '--prometheus-endpoint', ''];
  const paging = ['--lister-watcher-options-limit', String(generate.pageSize), '--local-fields', 'short'];
  const child = spawn(process.execPath, [nodeOptions, program, ...args, ...paging], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [errors, end] = [textOf(child.stderr), ended(child)];
  onTestFinished(() => {
    child.kill('SIGKILL');
    return server.close();
  });
  const versions = new Uint8Array(generate.events + 1);
  let lines = 0;
  const read = new Promise((resolve) => createInterface({ input: child.stdout }).on('line', onLine).on('close', resolve));
  function onLine(line: string): void {
    lines += 1;
    const version = Number(/"resourceVersion":"(\d+)"/.exec(line)?.[1]);
    versions[version] = (versions[version] ?? 0) + 1;
  }

  const first = await Promise.race([watching, end]);
  expect([first, errors()]).toEqual(['watches', expect.not.stringContaining('"level":"error"')]);
  child.kill('SIGTERM');
  await read;
  expect(await end).toBe(0);

  expect(lines).toBe(records);
  expect(versions.slice(1).every((times) => times === 1)).toBe(true);
  const lists = server.asked.filter(({ query }) => query.get('limit') === String(generate.pageSize));
  const podLists = lists.filter(({ path }) => path.endsWith('/pods'));
  expect([lists.length, podLists.length]).toEqual([500, 100]);
  for (const { accept } of podLists) expect(accept).toContain(`as=${String(podRequestAccept)};`);
});

interface Generated {
  readonly generate: { readonly events: number; readonly pods: number; readonly pageSize: number };
  readonly nodeOptions: string;
}

test('R04 a reader of the output that goes away ends the process, with a short message and its own exit code', async () => {
  const { input, expect: expectations } = caseOf('R04');
  expect(input).toEqual({ run: 'exporter (stdout sink, replay of 100 events) piped into head -n 1' });
  const { exit, stackTrace, endsWithinSeconds, ...unknown } = expectations;
  expect([exit, stackTrace, unknown]).toEqual(['non-zero, documented', false, {}]);
  const events = join(folder(), 'events.json.stream');
  writeFileSync(events, hundredEvents());
  const replay = ['replay', '--events', events, '--pods', recordedPath('pods.json.stream')];

  // A shell's pipe, because one of Node's own is a socket that takes all the lines before anybody notices.
  const script = '{ "$@"; echo "exit $?" >&2; } | head -n 1';
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, program, ...replay], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, end] = [textOf(child.stdout), textOf(child.stderr), ended(child)];
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), end]);
  const firstLineAt = performance.now();
  await end;

  expect((performance.now() - firstLineAt) / 1_000).toBeLessThan(Number(endsWithinSeconds));
  expect(output().split('\n')).toEqual([expect.stringMatching(/^EXPORTED_EVENT \{/), '']);
  const [message, code, ...more] = errors().split('\n');
  expect([code, more]).toEqual(['exit 4', ['']]);
  expect(JSON.parse(message ?? '')).toMatchObject({ code: 'OUTPUT_CLOSED' });
  expect(message).not.toMatch(/\bat .*:\d+/);
  const documented = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  expect(documented).toContain(`| 4 | ${exitCodes[4]} |`);
});

test('R07 the age of an event drops nothing', () => {
  checkCase('R07');
});

/** The beginning of a recorded watch, list included. */
function hundredEvents(): string {
  const lines = readFileSync(recordedPath('events.json.stream'), 'utf8').split('\n');
  let events = 0;
  return lines
    .filter((line) => events < 100 && (/^\{"type":"(ADDED|MODIFIED)"/.test(line) ? ++events : true))
    .join('\n')
    .concat('\n');
}

function recordedPath(name: string): string {
  return new URL(`../fixtures/apiserver-1.36.2/${name}`, import.meta.url).pathname;
}

/** Resolves to the exit code, or the name of the signal that ended the process. */
function ended(child: ChildProcess): Promise<number | string | null> {
  return new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
}

function textOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
