import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { recordCommand } from '../../src/cli/record.ts';
import { replayCommand } from '../../src/cli/replay.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { busyCluster, type Core, core, type HttpFace, httpFace, seededRandom } from '../../src/testing.ts';
import { type FakeProcess, fakeProcess } from '../unit/cliContext.ts';

const faces: HttpFace[] = [];

afterEach(async () => {
  await Promise.all(faces.splice(0).map((face) => face.close()));
});

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'kube-sluice-'));
}

interface Cluster {
  readonly server: Core;
  readonly kubeconfig: string;
  readonly write: (revisions: number) => void;
}

async function cluster(): Promise<Cluster> {
  const server = core({ token: 'secret-token' }, { now: Date.now, random: seededRandom(1) });
  const busy = busyCluster(server, { pods: 30 }, seededRandom(2));
  busy.stepUntil(100);
  const face = await httpFace(server, { token: 'secret-token' });
  faces.push(face);
  const kubeconfig = join(folder(), 'config');
  writeFileSync(kubeconfig, face.kubeconfig());
  return { server, kubeconfig, write: (revisions) => busy.stepUntil(revisions) };
}

async function call(...args: readonly string[]): Promise<{ code: number; lines: readonly string[]; errors: string }> {
  const faked = fakeProcess();
  const code = await runCommandLine(args, [recordCommand, replayCommand], faked.context);
  return { code, lines: linesOf(faked), errors: faked.errors() };
}

function linesOf({ output }: FakeProcess): readonly string[] {
  return output().split('\n').slice(0, -1);
}

function insertIds(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (JSON.parse(line.replace('EXPORTED_EVENT ', '')) as { insertId: string }).insertId);
}

/** Records while a hundred more revisions are written, and stops when all of them are in the file. */
async function recording({ server, kubeconfig, write }: Cluster, ...more: readonly string[]): Promise<string> {
  const output = join(folder(), 'recording.ndjson.gz');
  const faked = fakeProcess();
  const done = runCommandLine(['record', '--kubeconfig', kubeconfig, '--output', output, ...more], [recordCommand], faked.context);
  await vi.waitFor(() => expect(server.requests.some(({ stream, on }) => stream === 'events' && on === 'watchList')).toBe(true), 20_000);
  write(100);
  const last = server.writes.findLast(({ kind, type }) => kind === 'Event' && type !== 'DELETED')?.object.metadata.resourceVersion;
  await vi.waitFor(
    () => expect(gunzipSync(readFileSync(output), { finishFlush: 2 }).toString()).toContain(`"resourceVersion":"${last}"`),
    20_000,
  );
  faked.stops.next('drain');
  expect(await done).toBe(0);
  expect(faked.errors()).toContain(`MB in `);
  return output;
}

function writtenIds(server: Core): readonly string[] {
  return server.writes
    .filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED')
    .map(({ object }) => `${String(object.metadata.resourceVersion).padStart(20, '0')}.${object.metadata.uid}`)
    .sort();
}

/**
 * A line without what depends on the shards: a listed Event never asks for its pod, so without a UID it has labels only
 * where the pod is kept. Events that come by watch ask, and have them everywhere (docs/decisions/0012).
 */
function withoutLuck(line: string, listed: ReadonlySet<string>): string {
  const entry = JSON.parse(line.slice(line.indexOf('{'))) as { insertId: string; involvedUID: string; podLabels?: unknown };
  if (listed.has(entry.insertId) && entry.involvedUID === '') delete entry.podLabels;
  return JSON.stringify(entry);
}

describe('record and replay', () => {
  it('brings each revision of the cluster that was recorded once, whole and in shards', { timeout: 60_000 }, async () => {
    const there = await cluster();
    const listed = new Set(writtenIds(there.server));
    const path = await recording(there);
    const all = await call('replay', path, '--speed', 'max');
    expect({ code: all.code, errors: all.errors }).toMatchObject({ code: 0, errors: expect.stringContaining('0 bad lines') });
    const ids = [...insertIds(all.lines)].sort();
    expect(new Set(ids).size).toBe(ids.length);
    // Of what was there before, a list tells only the newest revision of each event.
    expect(ids.filter((id) => !listed.has(id))).toEqual(writtenIds(there.server).filter((id) => !listed.has(id)));

    const shards = await call('replay', path, '--speed', 'max', '--total-shards', '3');
    const comparable = (lines: readonly string[]): string[] => lines.map((line) => withoutLuck(line, listed)).sort();
    expect(comparable(shards.lines)).toEqual(comparable(all.lines));
    const one = await call('replay', path, '--speed', 'max', '--total-shards', '3', '--shard-id', '1');
    expect(one.lines.length).toBeGreaterThan(10);
    expect(one.lines.filter((line) => !shards.lines.includes(line))).toEqual([]);
  });

  it('writes a header and no credential', { timeout: 60_000 }, async () => {
    const there = await cluster();
    const text = gunzipSync(readFileSync(await recording(there))).toString();
    expect(JSON.parse(text.slice(0, text.indexOf('\n')))).toEqual({
      format: 'kube-sluice recording',
      version: 1,
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      recordedBy: 'kube-sluice 1.2.3',
      server: { major: '1', minor: '36', gitVersion: expect.stringContaining('1.36') },
      asked: { namespaces: [''], labelSelector: '', fieldSelector: '' },
    });
    expect(text).not.toContain('secret-token');
  });

  it('writes no name and no message with --redact, and what replays alike', { timeout: 60_000 }, async () => {
    const there = await cluster();
    const path = await recording(there, '--redact');
    const text = gunzipSync(readFileSync(path)).toString();
    expect(text.startsWith('{"format":"kube-sluice recording","version":1,')).toBe(true);
    expect(text).not.toContain('secret-token');
    const told = there.server.writes.filter(({ kind }) => kind === 'Event' || kind === 'Pod').map(({ object }) => object);
    const hidden = told.flatMap((object) => {
      const { metadata, message, source } = object as typeof object & {
        readonly message?: string;
        readonly source?: { readonly host?: string };
      };
      return [metadata.name, metadata.uid, message, source?.host].filter((word): word is string => word !== undefined && word.length > 3);
    });
    expect(hidden.length).toBeGreaterThan(500);
    // What every cluster has is no secret.
    const secret = [...new Set(hidden)].filter((word) => !word.startsWith('kube-proxy.'));
    expect(secret.filter((word) => text.includes(`"${word}"`))).toEqual([]);
    const { code, lines } = await call('replay', path, '--speed', 'max', '--local-format', 'json');
    const ids = (all: readonly string[]): readonly string[] =>
      all.map((line) => (JSON.parse(line) as { resourceVersion: string }).resourceVersion.padStart(20, '0')).sort();
    const written = there.server.writes.filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED').slice(-100);
    expect(code).toBe(0);
    expect(ids(lines).slice(-100)).toEqual(written.map(({ object }) => String(object.metadata.resourceVersion).padStart(20, '0')).sort());
    expect(lines.some((line) => line.includes('"logging.gke.io/top_level_controller_type":"Deployment"'))).toBe(true);
  });

  it('ends by itself after the time that --for says', { timeout: 60_000 }, async () => {
    const { kubeconfig } = await cluster();
    const output = join(folder(), 'recording.ndjson');
    const { code, errors } = await call('record', '--kubeconfig', kubeconfig, '--output', output, '--for', '1s');
    expect({ code, errors }).toMatchObject({ code: 0, errors: expect.stringMatching(/recorded \d+ lines, .* MB in \d+ s into /) });
    expect(readFileSync(output, 'utf8').split('\n').at(-2)).toContain('"kind":"left"');
  });

  it('ends a replay that is stopped, in the middle of an hour', { timeout: 60_000 }, async () => {
    const path = await recording(await cluster());
    const [header, ...lines] = gunzipSync(readFileSync(path)).toString().split('\n');
    const late = lines
      .filter((line) => line !== '')
      .map((line, n) => (n < 20 ? line : line.replace(/"at":(\d+)/, (_, at) => `"at":${Number(at) + 3_600_000}`)));
    const slow = join(folder(), 'slow.ndjson');
    writeFileSync(slow, [header, ...late, ''].join('\n'));
    const faked = fakeProcess();
    const done = runCommandLine(['replay', slow], [replayCommand], faked.context);
    setTimeout(() => faked.stops.next('drain'), 500);
    expect(await done).toBe(0);
    expect(faked.errors()).toContain('0 bad lines');
  });

  it('reports every bad line of a damaged recording, replays the rest and exits 5', { timeout: 60_000 }, async () => {
    const path = await recording(await cluster());
    const lines = gunzipSync(readFileSync(path)).toString().split('\n');
    const whole = await call('replay', path, '--speed', 'max');
    const damaged = join(folder(), 'damaged.ndjson.gz');
    const at = lines.findLastIndex((line) => line.includes('"kind":"line"') && line.includes('"stream":"events"'));
    const cut = [...lines.slice(0, 5), 'nonsense', '', ...lines.slice(5, at), lines[at]?.slice(0, 100)].join('\n');
    writeFileSync(damaged, gzipSync(`\ufeff${cut}`));
    const { code, errors, lines: exported } = await call('replay', damaged, '--speed', 'max');
    expect(code).toBe(5);
    expect(errors).toContain(
      `${damaged}:1: byte order mark\n${damaged}:6: not a JSON object\n${damaged}:7: blank line\n${damaged}:${at + 3}: cut last line\n`,
    );
    expect(errors).toContain('2 bad lines');
    expect(exported).toHaveLength(whole.lines.length - 1);
  });
});

describe('faults of the command line', () => {
  it('are all told at once, and nothing is done', async () => {
    const taken = join(folder(), 'taken.ndjson');
    writeFileSync(taken, '');
    const missing = join(folder(), 'missing');
    expect(await call('record', '--output', taken, '--kubeconfig', missing)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/--kubeconfig .*does not exist.*\n.*--output must name a file that does not exist/),
    });
    expect(await call('replay')).toMatchObject({ code: 2, errors: expect.stringContaining('replay needs a recording') });
    expect(await call('replay', missing, '--events', missing, '--pods', missing)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/replay takes a recording or --events, not both/),
    });
    expect(await call('replay', taken, '--pods', taken)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--pods goes with --events'),
    });
    expect(await call('replay', '--events', folder())).toMatchObject({ code: 2, errors: expect.stringContaining('so they must be files') });
    expect(await call('replay', taken)).toMatchObject({
      code: 5,
      errors: expect.stringContaining('is not a recording: the file is empty'),
    });
  });
});
