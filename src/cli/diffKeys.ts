import { canonicalJson, type FieldDifference, fieldDifferences, type IgnoredFields } from '../model/fieldDifferences.ts';
import { outputFields } from '../model/outputLine.ts';
import type { DiffBuckets, Side, SidedLine } from './diffBuckets.ts';

/** What two files say differently about one key. */
export type KeyDifference =
  | { readonly type: 'onlyIn'; readonly file: Side; readonly key: string; readonly line: number; readonly json: string }
  | {
      readonly type: 'changed';
      readonly key: string;
      readonly lineA: number;
      readonly lineB: number;
      readonly json: string;
      readonly fields: readonly FieldDifference[];
    }
  | { readonly type: 'repeated'; readonly key: string; readonly timesA: number; readonly timesB: number; readonly json: string };

export interface DiffKeysSettings {
  readonly ignored: IgnoredFields;
  /** True: how often a line stands in a file does not count. */
  readonly ignoreRepeats: boolean;
}

export interface DiffKeysCounts {
  /** Keys that both files have, with the same to say. */
  equal: number;
  readonly keys: Record<Side, number>;
  /** Lines beyond the first of their key. */
  readonly repeats: Record<Side, number>;
}

/** Equal lines of one key. */
interface Copies {
  readonly first: SidedLine;
  times: number;
}

/** By the line's text. */
type Lines = Map<string, Copies>;

/** Compares bucket by bucket. State: one bucket. Order: of the keys in a bucket. */
export async function* diffKeys(buckets: DiffBuckets, settings: DiffKeysSettings, counts: DiffKeysCounts): AsyncGenerator<KeyDifference> {
  for (let bucket = 0; bucket < buckets.count; bucket++) {
    const keys = new Map<string, Record<Side, Lines>>();
    for (const side of ['a', 'b'] as const) {
      for await (const line of buckets.linesOf(side, bucket)) {
        const lines = keys.get(line.key) ?? { a: new Map(), b: new Map() };
        keys.set(line.key, lines);
        addCopies(lines[side], line.json, { first: line, times: 1 });
      }
    }
    for (const key of [...keys.keys()].sort()) {
      const lines = keys.get(key);
      if (lines !== undefined) yield* differencesOf(key, lines, settings, counts);
    }
  }
}

function differencesOf(
  key: string,
  { a, b }: Readonly<Record<Side, Lines>>,
  settings: DiffKeysSettings,
  counts: DiffKeysCounts,
): readonly KeyDifference[] {
  const times = { a: timesOf(a), b: timesOf(b) };
  for (const side of ['a', 'b'] as const) {
    if (times[side] > 0) counts.keys[side]++;
    counts.repeats[side] += Math.max(times[side] - 1, 0);
  }
  const differences = isSame(a, b) ? [] : compared(key, { a, b }, times, settings);
  if (differences.length === 0) counts.equal++;
  return differences;
}

/** Takes away what is equal on both sides, compares the rest in its order, and tells what is left on one. */
function compared(
  key: string,
  lines: Readonly<Record<Side, Lines>>,
  times: Readonly<Record<Side, number>>,
  { ignored, ignoreRepeats }: DiffKeysSettings,
): readonly KeyDifference[] {
  const a = canonical(lines.a, ignored, ignoreRepeats);
  const b = canonical(lines.b, ignored, ignoreRepeats);
  for (const [text, copies] of a) {
    const others = b.get(text);
    if (others === undefined) continue;
    const both = Math.min(copies.times, others.times);
    copies.times -= both;
    others.times -= both;
  }
  const [restA, restB] = [restOf(a), restOf(b)];
  const pairs = Math.min(restA.length, restB.length);
  const changed = restA.slice(0, pairs).flatMap((inA, at): readonly KeyDifference[] => {
    const inB = restB[at];
    if (inB === undefined) return [];
    const fields = fieldDifferences(outputFields(inA.json), outputFields(inB.json), ignored);
    return [{ type: 'changed', key, lineA: inA.line, lineB: inB.line, json: inB.json, fields }];
  });
  const [left] = [...restA, ...restB].length > 2 * pairs ? [...restA.slice(pairs), ...restB.slice(pairs)] : [];
  if (left === undefined) return changed;
  const { line, json } = left;
  if (times.a === 0 || times.b === 0) return [{ type: 'onlyIn', file: times.a === 0 ? 'b' : 'a', key, line, json }];
  return [...changed, { type: 'repeated', key, timesA: times.a, timesB: times.b, json }];
}

function canonical(lines: Lines, ignored: IgnoredFields, once: boolean): Lines {
  const all: Lines = new Map();
  for (const { first, times } of lines.values()) {
    const text = canonicalJson(outputFields(first.json), ignored);
    addCopies(all, text, { first, times });
    if (once) all.set(text, { first: all.get(text)?.first ?? first, times: 1 });
  }
  return all;
}

function addCopies(lines: Lines, text: string, { first, times }: Copies): void {
  const known = lines.get(text);
  if (known === undefined) lines.set(text, { first, times });
  else known.times += times;
}

function isSame(a: Lines, b: Lines): boolean {
  return a.size === b.size && [...a].every(([text, { times }]) => b.get(text)?.times === times);
}

function timesOf(lines: Lines): number {
  return [...lines.values()].reduce((sum, { times }) => sum + times, 0);
}

/** The lines that are left, each as often as it is, up to a limit: more than this of one key nobody compares. */
function restOf(lines: Lines): readonly SidedLine[] {
  const rest: SidedLine[] = [];
  for (const { first, times } of lines.values()) for (let time = 0; time < times && rest.length < restMax; time++) rest.push(first);
  return rest;
}

const restMax = 1_000;
