import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type FileFault, numberedLines } from '../../src/transports/numberedLines.ts';
import { recordedFrames } from '../../src/transports/recordedFrames.ts';
import { headerLine, type RecordingHeader, recordedLine } from '../../src/transports/recording.ts';
import { recordingWriter } from '../../src/transports/recordingWriter.ts';

function place(name: string): string {
  return join(mkdtempSync(join(tmpdir(), 'kube-sluice-')), name);
}

function fileOf(content: string | Uint8Array): string {
  const path = place('file');
  writeFileSync(path, content);
  return path;
}

async function linesOf(content: string | Uint8Array) {
  const faults: string[] = [];
  const lines: unknown[] = [];
  for await (const { number, bytes, ended } of numberedLines(fileOf(content), (fault) => faults.push(short(fault)))) {
    lines.push([number, bytes.toString(), ...(ended ? [] : ['not ended'])]);
  }
  return { lines, faults };
}

function short({ line, reason, bad }: FileFault): string {
  return `${line}: ${reason}${bad ? ', bad' : ''}`;
}

const text = '{"a":1}\n{"b":"\u{1f642}"}\r\n{"c":3}\n';
const three = [
  [1, '{"a":1}'],
  [2, '{"b":"\u{1f642}"}'],
  [3, '{"c":3}'],
];

describe('numberedLines', () => {
  it('reads plain and compressed files alike', async () => {
    expect(await linesOf(text)).toEqual({ lines: three, faults: [] });
    expect(await linesOf(gzipSync(text))).toEqual({ lines: three, faults: [] });
    expect(await linesOf(Buffer.concat([gzipSync(text.slice(0, 5)), gzipSync(text.slice(5))]))).toEqual({ lines: three, faults: [] });
  });

  it('reads nothing of an empty file', async () => {
    expect(await linesOf('')).toEqual({ lines: [], faults: [] });
  });

  it('survives a byte order mark and blank lines, and numbers the lines as an editor does', async () => {
    expect(await linesOf(`\ufeff{"a":1}\n\n \r\n{"b":2}\n`)).toEqual({
      lines: [
        [1, '{"a":1}'],
        [4, '{"b":2}'],
      ],
      faults: ['1: byte order mark', '2: blank line', '3: blank line'],
    });
  });

  it('gives a last line without its end, for others to judge', async () => {
    expect(await linesOf('{"a":1}\n{"b"')).toEqual({
      lines: [
        [1, '{"a":1}'],
        [2, '{"b"', 'not ended'],
      ],
      faults: [],
    });
    expect(await linesOf('\ufeff{"a":1}')).toEqual({ lines: [[1, '{"a":1}', 'not ended']], faults: ['1: byte order mark'] });
  });

  it('reads what a killed writer left, wherever the compressed file is cut', async () => {
    const whole = gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
    for (let cut = 12; cut <= whole.length; cut++) {
      const { lines, faults } = await linesOf(whole.subarray(0, cut));
      const ended = lines.filter((line) => (line as unknown[]).length === 2);
      expect({ cut, ended, faults }).toEqual({ cut, ended: three.slice(0, ended.length), faults: [] });
    }
  });

  it('tells where compression is broken', async () => {
    const broken = gzipSync(Buffer.from(text));
    broken[10] = 0x07; // A block of a kind that there is not.
    expect(await linesOf(broken)).toEqual({ lines: [], faults: [expect.stringMatching(/^1: the file is broken here: .*, bad$/)] });
  });

  it('throws FIXTURE_INVALID for a file that cannot be opened', async () => {
    const missing = place('missing');
    await expect(numberedLines(missing, () => undefined).next()).rejects.toMatchObject({
      code: 'FIXTURE_INVALID',
      message: expect.stringContaining(`${missing} cannot be read: `),
    });
  });
});

const header: RecordingHeader = {
  format: 'kube-sluice recording',
  version: 1,
  startedAt: '2026-11-30T16:10:26.000Z',
  recordedBy: 'test',
  server: { major: '1', minor: '36', gitVersion: 'v1.36.2' },
  asked: { namespaces: [''], labelSelector: '', fieldSelector: '' },
};

function lineAt(at: number): string {
  return recordedLine({ at, stream: 'events', request: 1, frame: { kind: 'line', body: Buffer.from(`{"n":${at}}`) } });
}

async function framesOf(content: string) {
  const faults: string[] = [];
  const recording = await recordedFrames(fileOf(content), (fault) => faults.push(short(fault)));
  const at: number[] = [];
  for await (const recorded of recording.frames) at.push(recorded.at);
  return { at, faults: faults.sort(), startsAt: recording.startsAt };
}

describe('recordedFrames', () => {
  const startsAt = Date.parse(header.startedAt);

  it('leaves out what it cannot read and names its line', async () => {
    const content = [
      headerLine(header),
      lineAt(1),
      'nonsense',
      '',
      lineAt(2),
      '{"at":1}',
      headerLine(header),
      lineAt(3),
      '{"at":4,"str',
    ].join('\n');
    expect(await framesOf(content)).toEqual({
      at: [1, 2, 3],
      faults: [
        '3: not a JSON object, bad',
        '4: blank line',
        '6: not a recorded frame: at, stream and kind are needed, bad',
        '7: another recording begins here',
        '9: cut last line, bad',
      ],
      startsAt,
    });
  });

  it('takes a last line without LF that is whole', async () => {
    expect(await framesOf(`${headerLine(header)}\n${lineAt(1)}`)).toEqual({ at: [1], faults: [], startsAt });
  });

  it.each([
    ['', 'the file is empty'],
    ['{"type":"ADDED","object":{}}\n', 'not a recorded frame: at, stream and kind are needed'],
    [`${lineAt(1)}\n`, 'its header is missing'],
    ['{"format":"kube-sluice recording","version":9}\n', 'a recording of a newer format: use a newer kube-sluice'],
  ])('refuses %j: %s', async (content, reason) => {
    await expect(framesOf(content)).rejects.toMatchObject({
      code: 'FIXTURE_INVALID',
      message: expect.stringContaining(`is not a recording: ${reason}`),
    });
  });
});

describe('recordingWriter', () => {
  it('writes what numberedLines reads, compressed if the name says so', async () => {
    for (const name of ['recording.ndjson', 'recording.ndjson.gz']) {
      const path = place(name);
      const writer = recordingWriter(path);
      for (let n = 0; n < 5_000; n++) writer.write(`{"n":${n}}`);
      writer.close();
      await writer.closed;
      const bytes = readFileSync(path);
      const plain = name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
      expect(plain.toString()).toBe(Array.from({ length: 5_000 }, (_, n) => `{"n":${n}}\n`).join(''));
      expect({ written: writer.written(), mode: statSync(path).mode & 0o777 }).toEqual({ written: plain.length, mode: 0o600 });
    }
  });

  it('refuses a file that exists, and a folder that does not', () => {
    const path = fileOf('precious');
    expect(() => recordingWriter(path)).toThrow(`--output ${path} cannot be used: the file exists already`);
    expect(() => recordingWriter(join(path, 'below'))).toThrow('ENOTDIR');
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });

  it('leaves a readable file when its process is killed', async () => {
    const path = place('recording.ndjson.gz');
    const script = `
      import { recordingWriter } from ${JSON.stringify(new URL('../../src/transports/recordingWriter.ts', import.meta.url).href)};
      const writer = recordingWriter(${JSON.stringify(path)});
      for (let n = 0; n < 100; n++) writer.write('{"n":' + n + '}');
      setTimeout(() => { writer.write('{"n":100}'); writer.write('{"n":101}'); setTimeout(() => console.log('written'), 100); setInterval(() => undefined, 1000); }, 50);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await linesOf(readFileSync(path))).toEqual({
      lines: Array.from({ length: 102 }, (_, n) => [n + 1, `{"n":${n}}`]),
      faults: [],
    });
  });

  it('pauses readers while the disk is behind', async () => {
    const writer = recordingWriter(place('recording.ndjson.gz'));
    const paused: boolean[] = [];
    writer.paused.subscribe((value) => paused.push(value));
    for (let n = 0; n < 5; n++) writer.write('x'.repeat(1_000_000));
    expect(paused).toEqual([false, true]);
    writer.close();
    await writer.closed;
  });
});
