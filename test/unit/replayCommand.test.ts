import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replayCommand } from '../../src/cli/replay.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { headerLine, recordedLine } from '../../src/transports/recording.ts';
import { fakeProcess } from './cliContext.ts';
import { recordingHeader } from './recordingHeader.ts';

async function call(args: readonly string[], environment: Readonly<Record<string, string>> = {}, terminal = false) {
  const faked = fakeProcess({ environment });
  if (terminal) Object.assign(faked.context.stderr, { isTTY: true, columns: 120 });
  const code = await runCommandLine(args, [replayCommand], faked.context);
  return { code, output: faked.output(), lines: faked.output().split('\n').slice(0, -1), errors: faked.errors() };
}

const fixture = (name: string): string => new URL(`../fixtures/apiserver-1.36.2/${name}`, import.meta.url).pathname;
const bodies = ['--events', fixture('events.json.stream'), '--pods', fixture('pods.json.stream'), '--speed', 'max'];

function event(resourceVersion: number, more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: `web.${resourceVersion}`, namespace: 'shop', uid: `u${resourceVersion}`, resourceVersion: String(resourceVersion) },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'p1' },
    reason: 'BackOff',
    type: 'Warning',
    count: 3,
    lastTimestamp: '2026-11-30T10:00:00Z',
    message: 'Back-off',
    ...more,
  };
}

const startsAt = Date.parse('2026-11-30T10:00:00Z');

/** A recording of one watch of events, each so many milliseconds after the beginning. */
function recordingOf(events: readonly (readonly [afterMs: number, event: unknown])[]): string {
  const at = (afterMs: number): { at: number; stream: string; request: number } => ({
    at: startsAt + afterMs,
    stream: 'events',
    request: 1,
  });
  const path = join(mkdtempSync(join(tmpdir(), 'kube-sluice-')), 'recording.ndjson');
  const lines = [
    headerLine(recordingHeader(startsAt)),
    recordedLine({ ...at(0), frame: { kind: 'request', how: 'stream', path: '/api/v1/events', query: { watch: 'true' } } }),
    recordedLine({ ...at(0), frame: { kind: 'opened', status: 200 } }),
    ...events.map(([afterMs, object]) =>
      recordedLine({ ...at(afterMs), frame: { kind: 'line', body: Buffer.from(JSON.stringify({ type: 'ADDED', object })) } }),
    ),
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

describe('replay --dry-run', () => {
  it('shows each event once, with its shard and its labels, and what the chosen shard leaves out', async () => {
    const { code, lines, errors } = await call(['replay', ...bodies, '--total-shards', '3', '--shard-id', '1', '--dry-run']);
    expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 218 });
    expect(lines.find((line) => line.includes('Created pod: web-7ffc9bd664-pcwgk'))).toBe(
      '2026-11-30T16:11:07Z         1/3    export  ADD     Normal   SuccessfulCreate    ReplicaSet shop/web-7ffc9bd664  []  Created pod: web-7ffc9bd664-pcwgk',
    );
    expect(lines.filter((line) => line.includes('  export  ')).every((line) => line.includes('  1/3  '))).toBe(true);
    expect(lines.some((line) => line.includes('[Deployment/web]'))).toBe(true);
    const exported = (await call(['replay', ...bodies, '--total-shards', '3', '--shard-id', '1'])).lines;
    expect(lines.filter((line) => line.includes('  export  '))).toHaveLength(exported.length);
    expect(errors).toMatchInlineSnapshot(`
      "shard  received  exported  filtered  repeated  refused  gaps  with labels  warnings
      0/3         218        56       162         0        0     0           31        21  not this shard
      1/3         218        83       135         0        0     0           23        12
      2/3         218        79       139         0        0     0           64        21  not this shard
      0 bad lines
      "
    `);
  });

  it('lets no text of an event act on the terminal', async () => {
    const hostile = '\u001b[2J\u202egnp.exe\ud800\u0007\n<b>';
    const path = recordingOf([
      [
        0,
        event(5, {
          message: hostile,
          reason: hostile,
          type: hostile,
          involvedObject: { kind: hostile, namespace: hostile, name: hostile },
        }),
      ],
      [0, event(6, { message: 'x'.repeat(300_000) })],
      [0, event(7, { message: { not: 'text' }, reason: 7 })],
    ]);
    const { output, lines } = await call(['replay', path, '--speed', 'max', '--dry-run']);
    expect(lines).toHaveLength(3);
    expect(output).not.toMatch(/[^\P{C}\n]|\p{Zl}/u);
    expect(lines[0]).toContain('\\u{1b}[2J\\u{202e}gnp.exe\\u{d800}\\u{7}\\n<b>');
    expect(lines[1]?.length).toBeLessThan(300);
  });
});

describe('replay', () => {
  it('offers no sink that it refuses', async () => {
    expect(await call(['replay', ...bodies, '--sink', 'file'])).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/--sink must be one of local, .*\(got "file"\)/),
    });
    const { output } = await call(['replay', '--help']);
    expect(output).toMatch(/--sink +Where entries go/);
    expect(output).not.toContain('--file-path');
  });

  it('waits for no pods where there are none', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'kube-sluice-')), 'late.stream');
    const [first, ...rest] = readFileSync(fixture('events.json.stream'), 'utf8').split('\n');
    writeFileSync(path, [first, ...rest].join('\n'));
    for (const more of [[], ['--total-shards', '3']]) {
      const { code, errors, lines } = await call(['replay', '--events', path, '--speed', '1', ...more]);
      expect({ code, lines: lines.length, warned: errors.includes('podSyncTimedOut') }).toEqual({ code: 0, lines: 218, warned: false });
    }
  });

  it('squeezes long pauses, and exports the same', async () => {
    const path = recordingOf([
      [0, event(5)],
      [3_600_000, event(6)],
      [7_200_000, event(7)],
    ]);
    const began = Date.now();
    const squeezed = await call(['replay', path, '--speed', '1', '--pause-max', '100ms', '--enable-pod-owner-label=false']);
    const tookMs = Date.now() - began;
    expect({ code: squeezed.code, tookMs, inTime: tookMs >= 195 && tookMs < 10_000 }).toMatchObject({ code: 0, inTime: true });
    const whole = await call(['replay', path, '--speed', 'max', '--enable-pod-owner-label=false']);
    expect(squeezed.lines).toEqual(whole.lines);
    expect(squeezed.lines).toHaveLength(3);
  });

  it('shows progress on a terminal, and nothing elsewhere', async () => {
    const path = recordingOf([
      [0, event(5)],
      [600, event(6)],
    ]);
    const args = ['replay', path, '--speed', '1', '--enable-pod-owner-label=false'];
    const shown = await call(args, {}, true);
    expect(shown.errors).toMatch(/[=-]{30} \d+%, \d events?, \d+\/s, \d:\d\d left/);
    expect((await call(args)).errors).toBe(
      'shard  received  exported  filtered  repeated  refused  gaps\n0/1           2         2         0         0        0     0\n0 bad lines\n',
    );
  });
});
