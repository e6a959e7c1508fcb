import { expect, test } from 'vitest';
import { caseOf } from './caseFile.ts';
import { checkCase, checkRun } from './checkCase.ts';
import { runScript, type ScriptRun } from './runScript.ts';
import type { ScriptStep } from './scriptSteps.ts';

function watchTimes({ server }: ScriptRun): readonly number[] {
  return server.requests.filter(({ path, name }) => path.endsWith('/events') && name.startsWith('watch')).map(({ at }) => at);
}

/** Seconds from one watch of events to the next. */
function waits(run: ScriptRun | undefined): readonly number[] {
  const times = run === undefined ? [] : watchTimes(run);
  return times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1_000);
}

test('W01 a 410, in the stream or as the answer, leads to a list of which only the new is a record', () => {
  for (const { counts } of checkCase('W01')) expect(counts.repeated).toBe(1);
});

test('W03 watches that close without a byte are a 410 in disguise', () => {
  const [run] = checkCase('W03');
  expect(run?.server.requests.filter(({ path }) => path.endsWith('/events')).map(({ name }) => name)).toEqual([
    'list',
    'watch rv=2000',
    'watch rv=2000',
    'check',
    'watch rv=2000',
    'list',
    'watch rv=2600',
  ]);
  expect(waits(run)[0]).toBeGreaterThan(0);
});

test('W04 a 429 is waited for as long as it asks', () => {
  checkCase('W04');
});

test.each([
  ['as a date', { 'Retry-After': 'Mon, 06 May 2024 10:00:05 GMT' }, 5],
  ['for no more than a minute', { 'Retry-After': '3600' }, 60],
  ['by the reader when it does not say', undefined, 0.4],
  ['by the reader when what it says is no time', { 'Retry-After': 'soon' }, 0.4],
])('W04 the time of the 429 is taken %s', (_, headers, seconds) => {
  const steps = (caseOf('W04').input.httpScript ?? []).map((step): ScriptStep => {
    const { headers: given, ...rest } = step;
    return given === undefined || headers === undefined ? rest : { ...rest, headers };
  });
  const run = runScript({ steps }, { stopAfterSeconds: 90 });
  checkRun(run);
  expect(run.records).toHaveLength(2);
  expect(waits(run)).toEqual([seconds]);
});

test('W05 a reset and a 503 are waited out, one watch at a time, from the last position', () => {
  checkCase('W05');
});

test('W06 half a line moves nothing and comes again', () => {
  const [run] = checkCase('W06');
  expect(run?.counts.readers.get('events')?.skipped).toEqual({ torn: 1 });
});

test('W07 text stays whole wherever the chunks are cut', () => {
  for (const { text } of checkCase('W07')) expect(text).not.toContain('\ufffd');
});

test('W08 stray lines are counted and change nothing, and a bare Status ends the watch', () => {
  const [plain, withStatus] = checkCase('W08');
  const named = (run: ScriptRun | undefined): unknown =>
    run?.server.requests.filter(({ path }) => path.endsWith('/events')).map(({ name }) => name);
  expect(named(plain)).toEqual(['list', 'watch rv=2000']);
  expect(named(withStatus)).toEqual(['list', 'watch rv=2000', 'watch rv=2001']);
  expect(withStatus?.counts.readers.get('events')?.watchesEnded).toEqual({ status: 1 });
});

test('W09 a bookmark is no record and moves the position', () => {
  checkCase('W09');
});

test('W11 a dead connection is left 15 seconds after its time, and the watch goes on without a list', () => {
  const [run] = checkCase('W11');
  expect(waits(run)).toEqual([450 + 15 + 0.4]);
});

test('W13 versions that outgrow a number, and one that is none, are passed back unchanged', () => {
  const [run] = checkCase('W13');
  expect(run?.records.map(({ resourceVersion }) => resourceVersion)).toEqual(['9007199254740992', '9007199254740993', 'opaque-7f']);
});

test('W14 a list below the position begins again with a gap record', () => {
  const [run] = checkCase('W14', { gaps: ['restored'] });
  expect(run?.records.map(({ resourceVersion }) => resourceVersion)).toEqual(['3000', '2900']);
  expect(run?.checkpoint?.positions['']).toEqual({ at: '2900', incarnation: 1 });
});

test('W14 a list without a version is a failed list and made again', () => {
  const steps = caseOf('W14').input.httpScript ?? [];
  const nameless: ScriptStep = { on: 'list', status: 200, json: { kind: 'EventList', metadata: { resourceVersion: '' }, items: [] } };
  const run = runScript({ steps: [...steps.slice(0, 2), nameless, ...steps.slice(2)] });
  checkRun(run, { gaps: ['restored'] });
  expect(run.records.map(({ resourceVersion }) => resourceVersion)).toEqual(['3000', '2900']);
  expect(run.counts.readers.get('events')?.listFailures).toBe(1);
});
