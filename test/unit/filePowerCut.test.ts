import { describe, expect, test } from 'vitest';
import { entry } from '../../marbles/builders.ts';
import { messageOf } from '../../src/errors.ts';
import { isAtOrBefore } from '../../src/model/resourceVersion.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { type MemoryDisk, memoryDisk } from '../disk/memoryDisk.ts';
import { checkpoint, type Life, linesOf, live, path } from './fileSessions.ts';

const kibibyte = 1024;
const objects = 7;

/** What the API server has: entries in the order of their versions, about a few objects. */
function stream(count: number): readonly ReturnType<typeof entry>[] {
  return Array.from({ length: count }, (_, at) => entry(at + 1, { uid: `object-${at % objects}` }));
}

type Entries = ReturnType<typeof stream>;

/**
 * What a position demands, in batches, with checkpoints between them; now and then an object's entries wait for its pod.
 * `goOn` is asked before each batch.
 */
function deliver(life: Life, all: Entries, random: () => number, goOn: (batches: number) => boolean = () => true): void {
  const stored = life.resumed[0];
  if (stored === undefined) life.save(checkpoint('earliest'));
  const { at } = stored?.positions[''] ?? { at: 'earliest' };
  let left = at === 'earliest' ? [...all] : all.filter(({ resourceVersion }) => !isAtOrBefore(resourceVersion, at));
  for (let batches = 0; left.length > 0 && life.errors.length === 0 && goOn(batches); batches++) {
    const waiting = random() < 0.3 ? `object-${Math.floor(random() * objects)}` : '';
    const batch = left.slice(0, 1 + Math.floor(random() * 6)).filter(({ uid }) => uid !== waiting);
    const sent = batch.length === 0 ? left.slice(0, 1) : batch;
    const results = life.write(...sent) ?? [];
    const stored = new Set(sent.filter((_, at) => results[at]?.type === 'stored'));
    left = left.filter((each) => !stored.has(each));
    // Just before the oldest that is not stored yet.
    const oldest = left[0];
    const before = oldest === undefined ? all.length : Number(oldest.resourceVersion) - 1;
    if (random() < 0.7 || oldest === undefined) life.save(checkpoint(before === 0 ? 'earliest' : String(before)));
  }
}

/** The number of an entry's line, read without parsing it; 0 for a checkpoint or half a line. */
function numberIn(line: string): number {
  const key = '"resourceVersion":"';
  const from = line.startsWith('{"action"') ? line.indexOf(key) : -1;
  return from === -1 ? 0 : Number.parseInt(line.slice(from + key.length, from + key.length + 8), 10) || 0;
}

/** Each entry once, its text as ever, and those of an object in order. */
function check(bytes: Buffer, all: Entries, texts: readonly string[]): string | undefined {
  const lines = linesOf(bytes).filter((line) => !line.startsWith('{"checkpoint":'));
  const numbers = lines.map(numberIn);
  if (lines.some((line, at) => line !== texts[numbers[at] ?? 0])) return 'a line is none of the entries';
  if (numbers.length !== all.length || new Set(numbers).size !== all.length)
    return `${numbers.length} lines, ${new Set(numbers).size} different`;
  const last = new Map<number, number>();
  for (const number of numbers) {
    const object = number % objects;
    if ((last.get(object) ?? 0) > number) return `${number} stands after ${last.get(object)}`;
    last.set(object, number);
  }
  return undefined;
}

interface Delivered {
  readonly all: Entries;
  readonly disk: MemoryDisk;
  /** The line of each entry. */
  readonly texts: readonly string[];
}

function delivered(count: number, seed: number): Delivered {
  const all = stream(count);
  const disk = memoryDisk();
  deliver(live(disk), all, seededRandom(seed));
  const texts: string[] = [];
  for (const line of linesOf(disk.bytes(path))) if (numberIn(line) > 0) texts[numberIn(line)] = line;
  return { all, disk, texts };
}

/** A next life over what was left; what is wrong with the file at its end. A few entries have been written meanwhile. */
function afterwards(left: Buffer, { all, texts }: Delivered, seed: number): string | undefined {
  const disk = memoryDisk();
  disk.put(path, left);
  const seen = Math.max(0, ...linesOf(left).map(numberIn));
  const exposed = all.slice(0, seen + 4);
  const life = live(disk);
  if (life.errors.length > 0) return messageOf(life.errors[0]);
  deliver(life, exposed, seededRandom(seed));
  return check(disk.bytes(path), exposed, texts);
}

describe('the file cut at every byte of its last 64 KiB, then resumed', () => {
  const made = delivered(100, 1);
  const bytes = made.disk.bytes(path);
  const parts = 8;
  const partBytes = (64 * kibibyte) / parts;

  test('is that long, and has checkpoints all over', () => {
    expect(bytes.length).toBeGreaterThan(64 * kibibyte);
    expect(linesOf(bytes).filter((line) => line.startsWith('{"checkpoint":')).length).toBeGreaterThan(20);
    expect(check(bytes, made.all, made.texts)).toBeUndefined();
  });

  test.each(Array.from({ length: parts }, (_, part) => part))('holds each entry once, in order per object: part %i', (part) => {
    const faults: string[] = [];
    const from = bytes.length - 64 * kibibyte + part * partBytes;
    for (let cut = from; cut < from + partBytes; cut++) {
      const fault = afterwards(bytes.subarray(0, cut), made, cut);
      if (fault !== undefined) faults.push(`cut at ${cut}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });
});

/** What a power cut may leave: of the bytes that were not made durable some pages, zeros for others, and a length somewhere between. */
function leftBy(powerCut: MemoryDisk, random: () => number): Buffer {
  const [durable, cached] = [powerCut.durable(path), powerCut.bytes(path)];
  const left = Buffer.from(cached.length >= durable.length ? cached : durable);
  durable.copy(left);
  const pageBytes = 512;
  for (let from = durable.length; from < left.length; from += pageBytes) {
    const fate = random();
    const page = left.subarray(from, from + pageBytes);
    if (fate < 0.4) page.fill(0);
    else if (fate < 0.45) page.fill('garbage \n');
  }
  const uncertain = left.length - durable.length;
  return left.subarray(0, durable.length + (random() < 0.6 ? uncertain : Math.floor(random() * uncertain)));
}

/** Many lives on one file, each ended by a kill or a power cut, and a last one that ends in order. */
function livesWithCuts(seed: number): { readonly fault: string | undefined; readonly powerCuts: number; readonly torn: number } {
  const random = seededRandom(seed);
  const { all, texts } = whole;
  let disk = memoryDisk();
  let powerCuts = 0;
  let torn = 0;
  for (let lives = 0; lives < 6; lives++) {
    const life = live(disk);
    if (life.errors.length > 0) return { fault: messageOf(life.errors[0]), powerCuts, torn };
    torn += life.signals.length;
    const batchesMax = Math.floor(random() * 10);
    // The end comes anywhere, also in the middle of a save.
    disk.troubles.stepsLeft = random() < 0.7 ? Math.floor(24 * random() ** 3) : Number.POSITIVE_INFINITY;
    // In the end there may be no room, and what was half-written cannot even be taken off.
    const trouble = random() < 0.3 ? { room: Math.floor(random() * 3_000), truncate: random() < 0.5 } : {};
    deliver(life, all.slice(0, 20 * (lives + 1)), random, (batches) => {
      if (batches === 4) Object.assign(disk.troubles, trouble);
      return batches < batchesMax && disk.troubles.stepsLeft > 0;
    });
    Object.assign(disk.troubles, { room: Number.POSITIVE_INFINITY, truncate: false, stepsLeft: Number.POSITIVE_INFINITY });
    disk.kill();
    if (random() < 0.5) continue;
    powerCuts += 1;
    const left = leftBy(disk, random);
    disk = memoryDisk();
    disk.put(path, left);
  }
  const last = live(disk);
  deliver(last, all, random);
  last.release();
  const fault = last.errors.length > 0 ? messageOf(last.errors[0]) : check(disk.bytes(path), all, texts);
  return { fault, powerCuts, torn };
}

const whole = delivered(160, 2);

test('after any kills and power cuts, with pages lost before others that stayed, each entry stands once', () => {
  const runs = Array.from({ length: 300 }, (_, seed) => livesWithCuts(seed));
  expect(runs.flatMap(({ fault }, seed) => (fault === undefined ? [] : [`seed ${seed}: ${fault}`]))).toEqual([]);
  expect(runs.reduce((sum, { powerCuts }) => sum + powerCuts, 0)).toBeGreaterThan(600);
  expect(runs.reduce((sum, { torn }) => sum + torn, 0)).toBeGreaterThan(200);
});

test.each<readonly [string, string]>([
  ['zeros, as ext4 leaves them', '\0'.repeat(5_000)],
  ['zeros with an LF among them', `${'\0'.repeat(700)}\n${'\0'.repeat(700)}\n`],
  ['garbage', 'not json at all\nnor this'],
  ['JSON that is no entry', '{"a":1}\n7\nnull\n[]\n'],
  ['half a checkpoint', '{"checkpoint":{"format":1,"posi'],
  ['a checkpoint with a hole', `{"checkpoint":{"format":1,${'\0'.repeat(50)}},"server":""}\n`],
  ['a hole, and a whole entry behind it', `${'\0'.repeat(512)}\n${whole.texts[159]}\n`],
])('a tail of %s is taken off', (_, tail) => {
  const disk = memoryDisk();
  const first = live(disk);
  deliver(first, whole.all.slice(0, 40), seededRandom(3));
  first.release();
  const good = Buffer.from(disk.bytes(path));
  disk.put(path, Buffer.concat([good, Buffer.from(tail)]));

  const next = live(disk);
  expect(next.errors).toEqual([]);
  expect(disk.bytes(path).toString()).toBe(good.toString());
  deliver(next, whole.all, seededRandom(4));
  expect(check(disk.bytes(path), whole.all, whole.texts)).toBeUndefined();
});

test.each<readonly [string, (line: Buffer) => Buffer]>([
  ['cut at every byte', (line) => line],
  ['cut, the rest zeros', (line) => Buffer.concat([line, Buffer.alloc(4_096)])],
])('a first line that was %s is a fresh start', (_, left) => {
  const disk = memoryDisk();
  live(disk).save(checkpoint('earliest'));
  const line = Buffer.from(disk.bytes(path));
  for (let cut = 0; cut < line.length; cut++) {
    disk.kill();
    disk.put(path, left(line.subarray(0, cut)));
    const next = live(disk);
    expect([cut, next.errors, next.resumed, disk.bytes(path).length]).toEqual([cut, [], [undefined], 0]);
  }
});
