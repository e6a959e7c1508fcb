import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { inspectCommand } from '../../src/cli/inspect.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import type { KubeObject } from '../../src/model/kube.ts';
import { busyCluster, core, httpFace, seededRandom } from '../../src/testing.ts';
import { headerLine } from '../../src/transports/recording.ts';
import { fakeProcess } from '../unit/cliContext.ts';
import { busyRecording } from './busyRecording.ts';

const fixture = (name: string): string => new URL(`../fixtures/apiserver-1.36.2/${name}`, import.meta.url).pathname;
const bodies = ['--events', fixture('events.json.stream'), '--pods', fixture('pods.json.stream')];

let folder: string;
let report: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kube-sluice-'));
  report = join(folder, 'report.html');
});

async function inspect(...args: readonly string[]) {
  const { context, output, errors } = fakeProcess();
  const code = await runCommandLine(['inspect', '-o', report, ...args], [inspectCommand], context);
  return { code, output: output(), errors: errors() };
}

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface RecordedLine {
  readonly stream?: string;
  readonly body?: { readonly type?: string; readonly object?: KubeObject; readonly items?: readonly KubeObject[] };
}

/** The revisions of Events that a recording tells of, written by watch or in a list, each once. */
function revisionsIn(recording: string): ReadonlySet<string> {
  const lines = recording.trimEnd().split('\n');
  const objects = lines.flatMap((line) => {
    const { stream, body } = JSON.parse(line) as RecordedLine;
    if (stream !== 'events') return [];
    return body?.type === 'ADDED' || body?.type === 'MODIFIED' ? (body.object ?? []) : (body?.items ?? []);
  });
  return new Set(objects.map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`));
}

const header = headerLine({
  format: 'kube-sluice recording',
  version: 1,
  startedAt: '2026-11-30T10:00:00Z',
  recordedBy: 'a test',
  server: { major: '1', minor: '36', gitVersion: 'v1.36.2' },
  asked: { namespaces: [''], labelSelector: '', fieldSelector: '' },
});

describe('inspect', () => {
  it('sums up the raw bodies of a real server, and says nothing about times that they do not have', async () => {
    expect(await inspect(...bodies)).toEqual({
      code: 0,
      errors: '',
      output: `revisions   218, from 2026-11-30 16:10:20 to 2026-11-30 16:18:19 UTC
warnings    54 (24.8 %)
reasons     SuccessfulCreate 48, FailedScheduling 36, Scheduled 18, Pulled 18, Created 18, and 10 others
namespaces  shop 150, batch 43, kube-system 18, default 7
workloads   Deployment web in shop 59, StatefulSet db in shop 20, Deployment flaky in shop 15, DaemonSet agent in kube-system 15, Job migrate in batch 14, and 2 others
repeats     3 revisions write an Event again, 0 repetitions have none of their own
delay       not known
shards      busiest against an even share: 2: 1.21, 4: 1.87, 8: 2.68, 16: 4.70
relists     0, gaps 0, broken watches 0
report      ${report}
`,
    });
    expect(readFileSync(report, 'utf8')).toContain('Raw bodies of watches do not say when a line came');
    expect(statSync(report).mode & 0o777).toBe(0o600);
  });

  it('counts without pods, too', async () => {
    const { code, output } = await inspect('--events', fixture('events.json.stream'));
    expect({ code, revisions: output.includes('revisions   218'), workloads: output.includes('workloads   none') }).toEqual({
      code: 0,
      revisions: true,
      workloads: true,
    });
  });

  it('finds relists, gaps, jumps and delays in a recording, the same each time', async () => {
    const text = busyRecording({ minutes: 20, pods: 40, stepsPerSecond: 0.5 });
    const recording = written('busy.ndjson', text);
    const first = await inspect(recording);
    expect(first).toMatchObject({ code: 0, errors: '' });
    expect(first.output).toContain(`revisions   ${revisionsIn(text).size.toLocaleString('en-US')}, from`);
    expect(first.output).toMatch(/\nrelists {5}1, gaps 1, broken watches \d+\n/);
    expect(first.output).toMatch(/\ndelay {7}50 % \d/);
    expect((await inspect(recording)).output).toBe(first.output);
  });

  it('reports what has no events', async () => {
    const { code, output } = await inspect(written('empty.ndjson', `${header}\n`));
    expect({ code, output: output.split('\n')[0] }).toEqual({ code: 0, output: 'revisions   0' });
    expect(readFileSync(report, 'utf8')).toContain('No events were read.');
  });

  it('reports what can be read, names bad lines, and ends with 5', async () => {
    const { code, output, errors } = await inspect(written('cut.ndjson', `${header}\n{"at":1\n`));
    expect({ code, errors, written: existsSync(report) }).toEqual({
      code: 5,
      errors: `${join(folder, 'cut.ndjson')}:2: not a JSON object\n`,
      written: true,
    });
    expect(output).toContain('revisions   0');
  });

  it('inspects a live cluster for as long as it is told', async () => {
    const random = seededRandom(1);
    const server = core({ token: 'secret' }, { now: Date.now, random });
    busyCluster(server, { pods: 10 }, random).stepUntil(50);
    const face = await httpFace(server, { token: 'secret' });
    try {
      const { code, output } = await inspect('--kubeconfig', written('kubeconfig', face.kubeconfig()), '--for', '1s');
      expect({ code, revisions: Number(/^revisions +(\d+)/.exec(output)?.[1]) > 30 }).toEqual({ code: 0, revisions: true });
      expect(readFileSync(report, 'utf8')).not.toContain('secret');
    } finally {
      await face.close();
    }
  });
});

describe('inspect refuses', () => {
  it.each([
    [[], 'inspect needs a recording, --events with the raw body of a watch, or a cluster by --kubeconfig'],
    [[...bodies, '--for', '10m'], /inspect reads a file or a live cluster, not both/],
    [['/no/such/file'], /\/no\/such\/file cannot be read/],
    [['--pods', fixture('pods.json.stream')], /--pods goes with --events/],
  ])('%j', async (args, message) => {
    const { code, errors } = await inspect(...args);
    expect(code).toBe(2);
    expect(errors).toEqual(message instanceof RegExp ? expect.stringMatching(message) : expect.stringContaining(message));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('to write over anything but an older report', async () => {
    const recording = written('events.ndjson', `${header}\n`);
    expect(await inspect(recording, '-o', recording)).toMatchObject({
      code: 2,
      errors: `kube-sluice: --output must name a new file or an older report (got ${recording}, which is something else)\n`,
    });
    expect(readFileSync(recording, 'utf8')).toBe(`${header}\n`);
    writeFileSync(report, '');
    expect((await inspect(recording)).code).toBe(2);
  });

  it('a folder that is not there', async () => {
    const { code, errors } = await inspect(...bodies, '-o', join(folder, 'none', 'report.html'));
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('--output cannot be written: ENOENT') });
  });
});

it('an older report is taken over', async () => {
  await inspect(...bodies);
  const older = readFileSync(report, 'utf8');
  expect((await inspect('--events', fixture('events.json.stream'))).code).toBe(0);
  expect(readFileSync(report, 'utf8')).not.toBe(older);
  expect(readdirSync(folder)).toEqual(['report.html']);
});
