import { describe, expect, test } from 'vitest';
import { date, entry } from '../../marbles/builders.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { SinkResult } from '../../src/ports.ts';
import { type CloudLoggingModel, cloudLoggingModel } from '../../src/simulator/cloudLoggingModel.ts';
import type { LoggingFault } from '../../src/simulator/loggingFaults.ts';
import { virtualLogWriter } from '../../src/simulator/virtualLogWriter.ts';
import { type CloudLoggingSettings, cloudLogging } from '../../src/sinks/cloudLogging.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { testRuntime } from './fileSessions.ts';

interface World {
  readonly model: CloudLoggingModel;
  readonly signals: readonly Signal[];
  /** What became of each entry, in one word with its reason. */
  write(batch: readonly Entry[]): readonly string[];
  /** How many entries each request held, trials apart. */
  sizes(): readonly number[];
  trials(): number;
  /** Versions of what is stored. */
  stored(): readonly string[];
}

const cluster = { project: 'p', location: 'l', name: 'c' };

function world(settings: Partial<CloudLoggingSettings> = {}): World {
  const { runtime: quiet } = testRuntime();
  const signals: Signal[] = [];
  const runtime = { ...quiet, signal: (signal: Signal) => void signals.push(signal) };
  const model = cloudLoggingModel({}, () => Date.parse(date));
  const sink = cloudLogging({ cluster, ...settings }, virtualLogWriter(model, {}, runtime), runtime);
  const wordOf = (result: SinkResult): string => (result.type === 'stored' ? 'stored' : `${result.type} ${result.reason}`);
  return {
    model,
    signals,
    write(batch) {
      let words: readonly string[] = ['no answer'];
      sink.write(batch).subscribe((results) => {
        words = results.map(wordOf);
      });
      return words;
    },
    sizes: () => model.requests.flatMap(({ write }) => (write?.dryRun === true ? [] : [write?.entries?.length ?? 0])),
    trials: () => model.requests.filter(({ write }) => write?.dryRun === true).length,
    stored: () => model.stored.map(({ entry: { insertId = '' } }) => String(Number(insertId.split('.')[0]))),
  };
}

const entries = (count: number): readonly Entry[] => Array.from({ length: count }, (_, at) => entry(at + 1));
const unexplained: LoggingFault = { type: 'answer', status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } };
const reason = 'HTTP 400 INVALID_ARGUMENT';

/** The service refuses without a word each request that holds one of these. */
function dislike({ model }: World, ...slots: readonly number[]): void {
  const ids = slots.map((slot) => entry(slot).insertId);
  model.faults.always(unexplained, (written) => written.some(({ insertId = '' }) => ids.includes(insertId)));
}

test('a batch is one request, with partial success asked for', () => {
  const on = world();
  expect(on.write(entries(3))).toEqual(['stored', 'stored', 'stored']);
  expect(on.model.requests).toHaveLength(1);
  expect(on.model.requests[0]?.write).toMatchObject({ logName: 'projects/p/logs/events', partialSuccess: true });
  expect(on.stored()).toEqual(['1', '2', '3']);
  expect(on.signals).toEqual([{ type: 'requestAnswered', code: '200' }]);
});

test('what an answer names is not stored, the rest is', () => {
  const on = world();
  on.model.faults.next({ type: 'answer', status: 400, errors: { 1: { code: 3, message: 'too old' } } });
  expect(on.write(entries(3))).toEqual(['stored', 'refused INVALID_ARGUMENT', 'stored']);
  expect(on.stored()).toEqual(['1', '3']);
});

describe('a request that is refused without a word', () => {
  test('is halved until the entry is found; the others are stored once', () => {
    const on = world();
    dislike(on, 3);
    expect(on.write(entries(5))).toEqual(['stored', 'stored', `refused ${reason}`, 'stored', 'stored']);
    expect(on.sizes()).toEqual([5, 2, 3, 1, 2]);
    expect(on.stored()).toEqual(['1', '2', '4', '5']);
    expect(on.trials()).toBe(0);
  });

  test('may hold several such entries', () => {
    const on = world();
    dislike(on, 1, 4);
    expect(on.write(entries(4))).toEqual([`refused ${reason}`, 'stored', 'stored', `refused ${reason}`]);
  });

  test('is itself at fault when every entry fails alone', () => {
    const on = world();
    on.model.faults.always(unexplained);
    const batch = entries(4);
    for (let attempt = 1; attempt <= 5; attempt++) expect(on.write(batch)).toEqual(Array(4).fill(`retry ${reason}`));
    // From the third time on an empty trial says so, too.
    expect(on.trials()).toBe(3);
    on.model.faults.clear();
    expect(on.write(batch)).toEqual(Array(4).fill('stored'));
  });

  test('with entries that fail alone again and again is not, if the service takes a trial', () => {
    const on = world();
    dislike(on, 1);
    const batch = entries(1);
    expect([1, 2, 3].map(() => on.write(batch)[0])).toEqual([`retry ${reason}`, `retry ${reason}`, `refused ${reason}`]);
    expect([on.trials(), on.stored()]).toEqual([1, []]);
  });

  test('is not halved further once the service asks for patience', () => {
    const on = world();
    on.model.faults.next(unexplained);
    on.model.faults.next({ type: 'answer', status: 429, headers: { 'retry-after': '3' } });
    expect(on.write(entries(8))).toEqual(Array(8).fill('retry HTTP 429 RESOURCE_EXHAUSTED'));
    expect(on.sizes()).toEqual([8, 4]);
  });

  test('leaves an entry that failed alone to be sent again when the others were asked to wait', () => {
    const on = world();
    on.model.faults.next(unexplained, 2);
    on.model.faults.next({ type: 'answer', status: 503 });
    expect(on.write(entries(2))).toEqual([`retry ${reason}`, 'retry HTTP 503 UNAVAILABLE']);
  });
});

test.each<readonly [string, LoggingFault, string]>([
  ['403', { type: 'answer', status: 403 }, 'retry HTTP 403 PERMISSION_DENIED: scripted 403'],
  ['a reset', { type: 'reset' }, 'retry model: connection reset'],
  ['a reset after the entries were stored', { type: 'reset', store: true }, 'retry model: connection reset'],
])('after %s all entries are sent again, with equal keys and times', (_, fault, word) => {
  const on = world();
  const batch = entries(2);
  on.model.faults.next(fault);
  expect(on.write(batch)).toEqual([word, word]);
  expect(on.write(batch)).toEqual(['stored', 'stored']);
  expect(on.model.query()).toHaveLength(2);
});

test('a batch over the limit of a request goes in several', () => {
  const on = world({ requestBytesMax: 2_000 });
  expect(on.write(entries(7))).toEqual(Array(7).fill('stored'));
  expect(on.sizes().length).toBeGreaterThan(2);
  expect(on.model.requests.every(({ bytes }) => bytes < 2_000 + 100)).toBe(true);
  expect(on.stored()).toEqual(['1', '2', '3', '4', '5', '6', '7']);
});

test('an entry over the limit of a request is sent alone', () => {
  const on = world({ requestBytesMax: 2_000 });
  const large = entry(2, { payload: { message: 'm'.repeat(5_000) } });
  expect(on.write([entry(1), large, entry(3)])).toEqual(['stored', 'stored', 'stored']);
  expect(on.sizes()).toEqual([1, 1, 1]);
});

test('what cannot be encoded is refused and never sent', () => {
  const on = world();
  const payload = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key-${at}`, at]));
  expect(on.write([entry(1), entry(2, { payload }), entry(3)])).toEqual(['stored', 'refused entryTooLarge', 'stored']);
  expect(on.write([entry(2, { payload })])).toEqual(['refused entryTooLarge']);
  expect(on.sizes()).toEqual([2]);
});

test('the largest entries are accepted by the service', () => {
  const on = world();
  const payload = { ...entry(1).payload, message: '\u0001語"'.repeat(200_000) };
  expect(on.write([entry(1, { payload }), entry(2, { payload })])).toEqual(['stored', 'stored']);
});
