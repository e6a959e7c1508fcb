import { describe, expect, it } from 'vitest';
import {
  headerLine,
  type Recorded,
  type RecordedFrame,
  type RecordingHeader,
  recordedLine,
  recordingLine,
} from '../../src/transports/recording.ts';

const header: RecordingHeader = {
  format: 'kube-sluice recording',
  version: 1,
  startedAt: '2026-11-30T16:10:26.000Z',
  recordedBy: 'kube-sluice 0.1.0',
  server: { major: '1', minor: '36', gitVersion: 'v1.36.2' },
  asked: { namespaces: [''], labelSelector: '', fieldSelector: '' },
};

function recorded(frame: RecordedFrame): Recorded {
  return { at: 1_796_054_826_123, stream: 'events', request: 3, frame };
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

describe('recordedLine', () => {
  it.each<[string, RecordedFrame]>([
    [
      '{"kind":"request","how":"get","path":"/api/v1/events","query":{"limit":"1"}}',
      { kind: 'request', how: 'get', path: '/api/v1/events', query: { limit: '1' } },
    ],
    ['{"kind":"opened","status":200,"date":"Mon"}', { kind: 'opened', status: 200, date: 'Mon' }],
    ['{"kind":"line","body":{"a" : 1.0}}', { kind: 'line', body: bytes('{"a" : 1.0}') }],
    ['{"kind":"line","text":"upstream timed \\"out"}', { kind: 'line', body: bytes('upstream timed "out') }],
    ['{"kind":"line","base64":"/yI="}', { kind: 'line', body: Buffer.of(0xff, 0x22) }],
    ['{"kind":"oversized","bytes":9}', { kind: 'oversized', bytes: 9 }],
    ['{"kind":"torn","bytes":2}', { kind: 'torn', bytes: 2 }],
    ['{"kind":"answer","status":410,"retryAfter":"5","body":[]}', { kind: 'answer', status: 410, retryAfter: '5', body: bytes('[]') }],
    ['{"kind":"answer","status":410,"text":"{\\n}"}', { kind: 'answer', status: 410, body: bytes('{\n}') }],
    ['{"kind":"answer","status":200,"lineFed":true,"body":{"a":1.0}}', { kind: 'answer', status: 200, body: bytes('{"a":1.0}\n') }],
    ['{"kind":"answer","status":200,"lineFed":true,"text":"{\\n}"}', { kind: 'answer', status: 200, body: bytes('{\n}\n') }],
    ['{"kind":"answer","status":502,"text":""}', { kind: 'answer', status: 502, body: bytes('') }],
    ['{"kind":"ended"}', { kind: 'ended' }],
    ['{"kind":"left"}', { kind: 'left' }],
    ['{"kind":"failed","reason":"host: reset"}', { kind: 'failed', reason: 'host: reset' }],
  ])('writes %s and reads it back', (wanted, frame) => {
    const line = recordedLine(recorded(frame));
    expect(line).toBe(`{"at":1796054826123,"stream":"events","request":3,${wanted.slice(1)}`);
    expect(recordingLine(line)).toEqual({ type: 'recorded', recorded: recorded(frame) });
  });

  it.each([
    '{"a":"\u2028\u0085\u{1f642}"}',
    '{"a":"\\u003cb\\u003e","a":1e400,"n":12345678901234567890}',
    '  {"a":1}\t',
    '{"a":1,"body":{"body":2}}',
    '"text"',
    'null',
    '{"a":1}\r',
    '\ufeff{"a":1}',
    '{"cut":',
  ])('gives back the same bytes of %j', (text) => {
    const read = recordingLine(recordedLine(recorded({ kind: 'line', body: bytes(text) })));
    expect(read).toMatchObject({ recorded: { frame: { kind: 'line' } } });
    expect(bodyText(read)).toBe(text);
  });

  it('gives back every byte value', () => {
    const all = Uint8Array.from({ length: 256 }, (_, value) => value);
    const read = recordingLine(recordedLine(recorded({ kind: 'line', body: all })));
    expect(read.type === 'recorded' && 'body' in read.recorded.frame && [...read.recorded.frame.body]).toEqual([...all]);
  });
});

describe('recordingLine', () => {
  it('reads a header', () => {
    expect(recordingLine(headerLine(header))).toEqual({ type: 'header', header });
  });

  it('reads a line that another program has written anew, or added to', () => {
    const line = recordedLine(recorded({ kind: 'line', body: bytes('{"a":1}') }));
    expect(bodyText(recordingLine(JSON.stringify(JSON.parse(line), undefined, 1)))).toBe('{"a":1}');
    expect(bodyText(recordingLine(`${line.slice(0, -1)},"note":"}"}`))).toBe('{"a":1}');
    expect(bodyText(recordingLine('{"kind":"line","body":{"a":1},"stream":"events","at":5}'))).toBe('{"a":1}');
  });

  it.each([
    ['{"at":1', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    ['{"type":"ADDED"}', 'not a recorded frame: at, stream and kind are needed'],
    ['{"at":"1","stream":"events","kind":"line","body":1}', 'not a recorded frame: at, stream and kind are needed'],
    ['{"at":1,"stream":"events","kind":"line"}', 'not a recorded frame of kind line'],
    ['{"at":1,"stream":"events","kind":"answer","body":1}', 'not a recorded frame of kind answer'],
    ['{"at":1,"stream":"events","kind":"request","how":"put"}', 'not a recorded frame of kind request'],
    ['{"at":1,"stream":"events","kind":"surprise"}', 'not a recorded frame of kind surprise'],
    ['{"format":"other"}', 'not a recording of kube-sluice'],
    ['{"format":"kube-sluice recording","version":2}', 'a recording of a newer format: use a newer kube-sluice'],
  ])('says of %s: %s', (line, reason) => {
    expect(recordingLine(line)).toEqual({ type: 'fault', reason });
  });
});

function bodyText(read: ReturnType<typeof recordingLine>): string | undefined {
  return read.type === 'recorded' && 'body' in read.recorded.frame ? Buffer.from(read.recorded.frame.body).toString() : undefined;
}
