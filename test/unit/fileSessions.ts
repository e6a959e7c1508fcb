import type { Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { entry } from '../../marbles/builders.ts';
import type { Checkpoint, CheckpointMeaning, Position } from '../../src/model/checkpoint.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { CheckpointStore, SinkResult } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { type FileSettings, type FileSink, file } from '../../src/sinks/file.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import type { MemoryDisk } from '../disk/memoryDisk.ts';

export const path = '/data/events.ndjson';
export const server = 'https://10.0.0.1:443';
export const meaning: CheckpointMeaning = {
  shard: { index: 0, total: 1, function: 'fnv1a32-mod' },
  selectors: { label: '', field: '' },
  sink: 'file',
};

export function checkpoint(at: Position['at'], scope = ''): Checkpoint {
  return { format: 1, ...meaning, positions: { [scope]: { at, incarnation: 0 } } };
}

/** One life of a process with the file: what it was told, and ways to end it. */
export interface Life {
  readonly sink: FileSink;
  readonly scheduler: TestScheduler;
  readonly signals: readonly Signal[];
  /** What `hold` emitted; nothing while it has not. */
  readonly resumed: readonly (Checkpoint | undefined)[];
  readonly errors: readonly unknown[];
  readonly holding: Subscription;
  write(...entries: readonly Entry[]): readonly SinkResult[] | undefined;
  save(checkpoint: Checkpoint): void;
  release(): void;
}

export function testRuntime(): { readonly runtime: Runtime; readonly scheduler: TestScheduler; readonly signals: Signal[] } {
  const scheduler = new TestScheduler(() => undefined);
  scheduler.maxFrames = Number.POSITIVE_INFINITY;
  const signals: Signal[] = [];
  return { scheduler, signals, runtime: { scheduler, random: () => 0.5, signal: (signal) => void signals.push(signal) } };
}

/** Begins a life: takes the file and reads what it says. */
export function live(disk: MemoryDisk, settings: Partial<FileSettings> = {}, means = meaning): Life {
  const { runtime, scheduler, signals } = testRuntime();
  const sink = file({ path, server, disk, ...settings }, runtime);
  const { resumed, errors, holding } = held(sink, means);
  const fail = (error: unknown): void => void errors.push(error);
  return {
    sink,
    scheduler,
    signals,
    resumed,
    errors,
    holding,
    write: (...entries) => {
      let answer: readonly SinkResult[] | undefined;
      sink.write(entries).subscribe({ next: (results) => (answer = results), error: fail });
      return answer;
    },
    save: (saved) => void sink.save(saved).subscribe({ error: fail }),
    release: () => void sink.release().subscribe({ error: fail }),
  };
}

export function held(
  store: CheckpointStore,
  means = meaning,
): { readonly resumed: (Checkpoint | undefined)[]; readonly errors: unknown[]; readonly holding: Subscription } {
  const resumed: (Checkpoint | undefined)[] = [];
  const errors: unknown[] = [];
  const holding = store.hold(means).subscribe({ next: (stored) => resumed.push(stored), error: (error: unknown) => errors.push(error) });
  return { resumed, errors, holding };
}

/** Entries by number; each number is a version, and a slot. */
export function entries(...numbers: readonly number[]): readonly Entry[] {
  return numbers.map((number) => entry(number));
}

/** The numbers of the entries in a file, in their order. */
export function numbersIn(bytes: Buffer): readonly number[] {
  return linesOf(bytes)
    .filter((line) => !line.startsWith('{"checkpoint":'))
    .map((line) => Number((JSON.parse(line) as { readonly resourceVersion: string }).resourceVersion));
}

export function linesOf(bytes: Buffer): readonly string[] {
  return bytes.toString('utf8').split('\n').slice(0, -1);
}

/** A life that has stored its first checkpoint at `earliest`, as every pipeline does before it delivers anything. */
export function begun(disk: MemoryDisk): Life {
  const life = live(disk);
  life.save(checkpoint('earliest'));
  return life;
}
