import { EMPTY, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { date, entry } from '../../marbles/builders.ts';
import { PipelineError } from '../../src/errors.ts';
import type { Sink, SinkResult } from '../../src/ports.ts';
import { cloudLoggingModel } from '../../src/simulator/cloudLoggingModel.ts';
import { virtualLogWriter } from '../../src/simulator/virtualLogWriter.ts';
import { cloudLogging } from '../../src/sinks/cloudLogging.ts';
import { file } from '../../src/sinks/file.ts';
import { local } from '../../src/sinks/local.ts';
import { memory } from '../../src/sinks/memory.ts';
import { memoryDisk } from '../disk/memoryDisk.ts';
import { linesOf, meaning, path, testRuntime } from '../unit/fileSessions.ts';

/** One implementation of the port: a fresh sink, and the insertIds it holds, in order. */
interface Made {
  readonly sink: Sink;
  held(): readonly string[];
}

function madeLocal(flushed: Observable<void> = EMPTY): Made {
  let output = '';
  const sink = local({ format: 'json' }, (text) => {
    output += text;
    return flushed;
  });
  const held = (): readonly string[] =>
    output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { insertId: string }).insertId);
  return { sink, held };
}

function madeMemory(): Made {
  const sink = memory();
  return { sink, held: () => sink.entries.map(({ insertId }) => insertId) };
}

function madeFile(): Made {
  const disk = memoryDisk();
  const sink = file({ path, disk }, testRuntime().runtime);
  sink.hold(meaning).subscribe();
  return { sink, held: () => linesOf(disk.bytes(path)).map((line) => (JSON.parse(line) as { insertId: string }).insertId) };
}

function madeCloudLogging(): Made {
  const { runtime } = testRuntime();
  const model = cloudLoggingModel({}, () => Date.parse(date));
  const sink = cloudLogging({ cluster: { project: 'p', location: 'l', name: 'c' } }, virtualLogWriter(model, {}, runtime), runtime);
  return { sink, held: () => model.stored.map(({ entry: { insertId = '' } }) => insertId) };
}

const sinks: Readonly<Record<string, () => Made>> = {
  local: () => madeLocal(),
  memory: madeMemory,
  file: madeFile,
  'cloud-logging projects/p/logs/events': madeCloudLogging,
};

/** What one write tells its subscriber. */
function watched(write: Observable<readonly SinkResult[]>): readonly unknown[] {
  const told: unknown[] = [];
  write.subscribe({
    next: (results) => told.push(results),
    error: (error: unknown) => told.push(error),
    complete: () => told.push('complete'),
  });
  return told;
}

const stored: SinkResult = { type: 'stored' };
const idsOf = (...slots: readonly number[]): readonly string[] => slots.map((slot) => entry(slot).insertId);

describe.each(Object.entries(sinks))('the sink %s', (name, make) => {
  test('names itself', () => {
    expect(make().sink.identity).toBe(name);
  });

  test('answers once, with one result per entry, and completes', () => {
    const { sink } = make();

    expect(watched(sink.write([entry(1), entry(2), entry(3)]))).toEqual([[stored, stored, stored], 'complete']);
    expect(watched(sink.write([]))).toEqual([[], 'complete']);
  });

  test('holds entries in the order of calls, and of each batch', () => {
    const { sink, held } = make();

    watched(sink.write([entry(3), entry(1)]));
    watched(sink.write([entry(2)]));

    expect(held()).toEqual(idsOf(3, 1, 2));
  });

  test('does nothing before it is subscribed to, and the write again at each subscription', () => {
    const { sink, held } = make();
    const write = sink.write([entry(1)]);
    expect(held()).toEqual([]);

    watched(write);
    watched(write);

    expect(held()).toEqual(idsOf(1, 1));
  });

  test('changes neither the batch nor its entries', () => {
    const { sink } = make();
    const batch = Object.freeze([Object.freeze(entry(1)), Object.freeze(entry(2))]);

    watched(sink.write(batch));

    expect(batch).toEqual([entry(1), entry(2)]);
  });
});

describe('a sink with a writer behind it', () => {
  test('answers when the writer has flushed, not before', () => {
    const flushed = new Subject<void>();
    const told = watched(madeLocal(flushed).sink.write([entry(1)]));
    expect(told).toEqual([]);

    flushed.complete();

    expect(told).toEqual([[stored], 'complete']);
  });

  test('answers once, whether the writer emits or only completes', () => {
    expect(watched(madeLocal(of(undefined)).sink.write([entry(1)]))).toEqual([[stored], 'complete']);
  });

  test('passes the error of the writer on and answers nothing', () => {
    const closed = new PipelineError('OUTPUT_CLOSED', 'nobody reads');

    expect(watched(madeLocal(throwError(() => closed)).sink.write([entry(1)]))).toEqual([closed]);
  });

  test('lets go of the writer when unsubscribed', () => {
    const flushed = new Subject<void>();
    const writing = madeLocal(flushed)
      .sink.write([entry(1)])
      .subscribe();
    expect(flushed.observed).toBe(true);

    writing.unsubscribe();

    expect(flushed.observed).toBe(false);
  });

  test('never answers while the writer is silent', () => {
    expect(watched(madeLocal(NEVER).sink.write([entry(1)]))).toEqual([]);
  });
});
