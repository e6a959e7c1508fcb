import { describe, expect, test } from 'vitest';
import { type LoggerSettings, logger } from '../../src/telemetry/logger.ts';
import type { Signal } from '../../src/telemetry/signals.ts';

const second = 1000;
const minute = 60 * second;

function log(settings: Partial<LoggerSettings> = {}): {
  lines: string[];
  at: (atMs: number, ...signals: Signal[]) => void;
  flush: (atMs: number) => void;
} {
  const lines: string[] = [];
  const made = logger({ level: 'debug', pretty: false, ...settings }, (line) => lines.push(line));
  return {
    lines,
    at: (atMs, ...signals) => {
      for (const signal of signals) made.observe(signal, atMs);
    },
    flush: (atMs) => made.flush(atMs),
  };
}

const reset: Signal = { type: 'watchEnded', source: 'events', cause: 'broken', resumeFrom: '7', waitMs: 800, message: 'connection reset' };
const closed: Signal = { type: 'watchEnded', source: 'events', cause: 'closed', resumeFrom: '7', waitMs: 0 };
const attempted: Signal = { type: 'attempted', source: 'events' };

test('a signal is one JSON line: level, time, its fields, its name and a fixed text', () => {
  const { lines, at } = log();
  at(90_061_007, reset);
  expect(lines).toEqual([
    '{"level":"warn","time":"1970-01-02T01:01:01.007Z","source":"events","cause":"broken","resumeFrom":"7","waitMs":800,"message":"connection reset","signal":"watchEnded","msg":"watch ended, it will be resumed"}\n',
  ]);
});

test('for a terminal it is time, level, text and the fields', () => {
  const { lines, at } = log({ pretty: true });
  at(0, reset, { type: 'started', version: '1.2.3', shard: { index: 0, total: 3 }, sink: 'local', checkpoint: 'none' });
  at(0, { type: 'failed', code: 'OUTPUT_CLOSED', message: 'standard output is closed' });
  expect(lines).toEqual([
    '00:00:00 warn  watch ended, it will be resumed source=events cause=broken resumeFrom=7 waitMs=800 message="connection reset"\n',
    '00:00:00 info  started version=1.2.3 shard={"index":0,"total":3} sink=local checkpoint=none\n',
    '00:00:00 error standard output is closed code=OUTPUT_CLOSED\n',
  ]);
});

describe('the level goes by the consequence', () => {
  const failed = { type: 'listFailed', source: 'pods', cause: 'status', failures: 1, waitMs: 0, message: '' } as const;

  test.each<[string, Signal]>([
    ['debug', closed],
    ['debug', { ...closed, cause: 'expired', status: 410 }],
    ['warn', { ...closed, cause: 'silent' }],
    ['warn', { ...closed, cause: 'status', status: 503 }],
    ['error', { ...closed, cause: 'status', status: 403 }],
    ['warn', { ...failed, status: 429 }],
    ['error', { ...failed, status: 401 }],
    ['error', { ...failed, status: 500, failures: 5 }],
    ['debug', { type: 'frameSkipped', source: 'events', cause: 'torn', bytes: 60 }],
    ['warn', { type: 'frameSkipped', source: 'events', cause: 'notWatchEvent', bytes: 4 }],
    ['error', { type: 'frameSkipped', source: 'events', cause: 'oversized', bytes: 9_000_000 }],
    ['error', { type: 'refused', uid: 'u', resourceVersion: '7', reason: 'undecodable' }],
    ['error', { type: 'gapDeclared', gap: { type: 'gap', cause: 'expired', from: '1', to: '9', date: '2024-05-06T10:00:00Z' } }],
    ['info', { type: 'stopped', code: 0, unacknowledged: 0 }],
    ['error', { type: 'stopped', code: 1, unacknowledged: 3 }],
  ])('%s: %j', (level, signal) => {
    const { lines, at } = log();
    at(0, signal);
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual([level]);
  });

  test('below the wanted level nothing is written or counted', () => {
    const { lines, at, flush } = log({ level: 'warn' });
    at(0, closed, closed, { type: 'podsSynced', pods: 3 });
    flush(minute);
    expect(lines).toEqual([]);
  });
});

test('signals that come for every line or entry are no log lines', () => {
  const { lines, at } = log();
  at(
    0,
    attempted,
    { type: 'frameRead', source: 'events', bytes: 900 },
    { type: 'received', bytes: 900 },
    { type: 'filtered' },
    { type: 'repeated' },
    { type: 'inFlight', occurrences: 1, bytes: 900 },
    { type: 'positionMoved', scope: '', at: '7' },
    { type: 'podCache', operation: 'add' },
    { type: 'stored', entries: 1, oldestTimestamp: '2024-05-06T10:00:00Z' },
  );
  expect(lines).toEqual([]);
});

describe('repeats are counted', () => {
  /** What was written, as second, text, repeats. */
  function summary(lines: readonly string[]): unknown[] {
    return lines.map((line) => {
      const { time, source, cause, repeats } = JSON.parse(line) as Record<string, unknown>;
      return [Date.parse(String(time)) / second, source, cause, repeats];
    });
  }

  test('the first is written at once, the rest as one line after a minute, brought out by any later signal', () => {
    const { lines, at } = log();
    at(0, reset);
    at(1 * second, reset);
    at(59 * second, reset, attempted);
    expect(summary(lines)).toEqual([[0, 'events', 'broken', undefined]]);
    at(60 * second, attempted);
    at(61 * second, reset);
    at(121 * second, attempted);
    expect(summary(lines)).toEqual([
      [0, 'events', 'broken', undefined],
      [60, 'events', 'broken', 2],
      [121, 'events', 'broken', 1],
    ]);
  });

  test('after a minute without a repeat the next is a first one', () => {
    const { lines, at } = log();
    at(0, reset);
    at(61 * second, reset);
    expect(summary(lines)).toEqual([
      [0, 'events', 'broken', undefined],
      [61, 'events', 'broken', undefined],
    ]);
  });

  test('by source, cause, status and level', () => {
    const { lines, at } = log();
    const denied: Signal = { ...reset, cause: 'status', status: 403 };
    at(0, reset, { ...reset, source: 'pods' }, closed, denied, { ...denied, status: 500 }, { ...reset, waitMs: 9 }, denied);
    expect(lines.length).toBe(5);
  });

  test('at the end what was only counted is written', () => {
    const { lines, at, flush } = log();
    at(0, reset, reset, reset);
    flush(5 * second);
    flush(6 * second);
    expect(summary(lines)).toEqual([
      [0, 'events', 'broken', undefined],
      [5, 'events', 'broken', 2],
    ]);
  });

  test('refusals and gaps are written each, because each names what is lost', () => {
    const { lines, at } = log();
    at(
      0,
      { type: 'refused', uid: 'u', resourceVersion: '7', reason: 'x' },
      { type: 'refused', uid: 'u', resourceVersion: '8', reason: 'x' },
    );
    expect(lines.length).toBe(2);
  });

  test('a thousand causes are held, then the table starts over and loses no count', () => {
    const { lines, at, flush } = log();
    for (let cause = 0; cause < 1500; cause++) at(0, { type: 'warning', text: `w${cause}` }, { type: 'warning', text: `w${cause}` });
    flush(1);
    expect(lines.length).toBe(3000);
  });
});
