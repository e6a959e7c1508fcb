import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayCommand } from '../../src/cli/replay.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { record } from '../../src/transports/record.ts';
import { headerLine } from '../../src/transports/recording.ts';
import { fakeProcess } from '../unit/cliContext.ts';
import { checkCase } from './checkCase.ts';
import type { ScriptRun } from './runScript.ts';

const actions = (runs: readonly ScriptRun[]): readonly string[] => runs.flatMap(({ records }) => records.map(({ action }) => action));

test('E01 an event without a classic time has its eventTime, to the microsecond, and no count that it did not carry', () => {
  const [run] = checkCase('E01');
  expect(run?.text).not.toMatch(/"count":/);
});

test('E02 the time of a series is when it was last observed', () => {
  expect(actions(checkCase('E02'))).toEqual(['UPDATE']);
});

test('E04 each write of one event is a record of its own', () => {
  expect(actions(checkCase('E04'))).toEqual(['ADD', 'UPDATE', 'UPDATE']);
});

test('E05 a jump of the count invents nothing, and an event made again under its name is a new one', () => {
  const [run] = checkCase('E05');
  expect(run?.records.map(({ payload }) => payload['count'])).toEqual([2, 41, 17]);
});

test('E06 a deletion is no record and moves the position, also the one that is saved', () => {
  const [run] = checkCase('E06');
  expect(run?.checkpoint?.positions['']?.at).toBe('1051');
});

test('E07 a revision that is told three times is one record', () => {
  const [run] = checkCase('E07');
  expect(run?.counts.repeated).toBe(2);
});

test('E09 an event about something without a namespace asks for no pod and gets no labels', () => {
  const [run] = checkCase('E09');
  expect(run?.server.requests.map(({ name }) => name)).not.toContain('pod');
});

test('E10 every event is one shard of three', () => {
  checkCase('E10');
});

test('E13 a type of any spelling stays as it is, and only Warning is a warning', () => {
  checkCase('E13');
});

test('E15 text of any kind is one line, parses back, and is the same when it is recorded and replayed', async () => {
  const frames: string[] = [];
  const [run] = checkCase('E15', { through: (transport, { scheduler }) => record(transport, (line) => frames.push(line), { scheduler }) });
  const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-'));
  const file = join(folder, 'recording.ndjson');
  const header = headerLine({
    format: 'kube-sluice recording',
    version: 1,
    startedAt: '2024-05-06T10:00:00.000Z',
    recordedBy: 'a test',
    server: { major: '1', minor: '31', gitVersion: 'v1.31.0' },
    asked: { namespaces: [''], labelSelector: '', fieldSelector: '' },
  });
  writeFileSync(file, `${[header, ...frames].join('\n')}\n`);

  const { context, output, errors } = fakeProcess();
  const code = await runCommandLine(['replay', file, '--speed', 'max'], [replayCommand], context);
  rmSync(folder, { recursive: true });

  expect([code, errors()]).toEqual([0, expect.stringContaining('0 bad lines')]);
  expect(output()).toBe(run?.text);
});

test('E17 managedFields go, everything else stays', () => {
  checkCase('E17');
});

test('E18 events that differ in their UID alone are two, and a related object is payload only', () => {
  const [run] = checkCase('E18');
  expect(run?.records.map(({ resource }) => resource.labels['pod_name'])).toEqual(['web-0', 'web-0', 'web-0']);
});
