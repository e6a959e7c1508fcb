import { expect } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { fieldOf } from './fieldOf.ts';
import type { ScriptRun } from './runScript.ts';
import type { LoggedRequest } from './scriptedServer.ts';

type Check<Expected> = (expected: Expected, runs: readonly ScriptRun[]) => void;
type Texts = readonly string[];
type Fields = Readonly<Record<string, unknown>>;

const never: Readonly<Record<string, (run: ScriptRun) => void>> = {
  'timestamp before 2000': ({ records }) => {
    for (const { timestamp } of records) expect(timestamp > '2000').toBe(true);
  },
  'timestamp rounded to milliseconds': ({ records }) => {
    for (const { timestamp } of records) expect(timestamp).toMatch(/\.\d{3}(?!000Z)\d{3}Z$/);
  },
  '"undefined"': ({ text }) => {
    expect(text).not.toMatch(/"(undefined|null)"/);
  },
  'involvedObject.namespace present': ({ records }) => {
    for (const record of records) expect(fieldOf(record, 'payload.involvedObject')).not.toHaveProperty('namespace');
  },
};

/** What the cases expect, one row for each word they use. Several runs are the shards or the restarts of one case. */
const table = {
  records: (expected: number, runs) => expect(recordsOf(runs)).toHaveLength(expected),
  recordsAtMost: (expected: number, runs) => expect(recordsOf(runs).length).toBeLessThanOrEqual(expected),
  recordsAtLeast: (expected: number, runs) => expect(recordsOf(runs).length).toBeGreaterThanOrEqual(expected),
  recordsAcrossAllShards: (expected: number, runs) => expect(recordsOf(runs)).toHaveLength(expected),
  written: (expected: number, runs) => expect(recordsOf(runs)).toHaveLength(expected),
  uids: (expected: Texts, runs) => expect(recordsOf(runs).map(({ uid }) => uid)).toEqual(expected),
  orderedResourceVersions: (expected: Texts, runs) => expect(recordsOf(runs).map((record) => record.resourceVersion)).toEqual(expected),
  orderedWithinUid: (expected: Readonly<Record<string, Texts>>, runs) => {
    const versions: Record<string, string[]> = {};
    for (const { uid, resourceVersion } of recordsOf(runs)) versions[uid] = [...(versions[uid] ?? []), resourceVersion];
    expect(versions).toEqual(expected);
  },
  shardOf: (expected: Readonly<Record<string, number>>, runs) => {
    const shards = runs.flatMap(({ records }, index) => records.map(({ uid }) => [uid, index] as const));
    expect(Object.fromEntries(shards)).toEqual(expected);
  },
  match: (expected: readonly Fields[], runs) => {
    for (const fields of expected) {
      const seen = recordsOf(runs).map((record) => Object.fromEntries(Object.keys(fields).map((field) => [field, fieldOf(record, field)])));
      const { ownerLabelsOneOf: oneOf, ...wanted } = fields;
      expect(seen).toContainEqual(oneOf === undefined ? wanted : { ...wanted, ownerLabelsOneOf: expect.toBeOneOf(oneOf as unknown[]) });
    }
  },
  absent: (expected: Texts, runs) => {
    for (const record of recordsOf(runs)) for (const field of expected) expect(fieldOf(record, field)).toBeUndefined();
  },
  never: (expected: Texts, runs) => {
    for (const what of expected) {
      const check = never[what];
      if (check === undefined) throw new Error(`a prohibition that nobody understands: ${what}`);
      for (const run of runs) check(run);
    }
  },
  distinct: (expected: Texts, runs) => {
    for (const field of expected) {
      const values = recordsOf(runs).map((record) => fieldOf(record, field));
      expect(new Set(values).size).toBe(values.length);
    }
  },
  distinctStored: ({ by, count }: { readonly by: Texts; readonly count: number }, runs) => {
    const keys = recordsOf(runs).map((record) => JSON.stringify(by.map((field) => fieldOf(record, field))));
    expect(new Set(keys).size).toBe(count);
  },
  owner: (expected: Fields, runs) => {
    const owners = recordsOf(runs).map((record) => [fieldOf(record, 'payload.involvedObject.name'), fieldOf(record, 'ownerLabels')]);
    expect(Object.fromEntries(owners)).toEqual(expected);
  },
  // The alternative that a case leaves open and DESIGN does not take.
  orElse: (expected: string) => expect(expected).toBe('type ReplicaSet with the full name, if specified'),
  requests: (expected: Texts, runs) => expect(asked(runs).map(({ name }) => name)).toEqual(expected),
  maxRequests: (expected: number, [run]) => expect(run?.server.requests.filter(isAboutEvents).length).toBeLessThanOrEqual(expected),
  maxOpenWatches: (expected: number, [run]) => expect(run?.server.maxOpenWatches()).toBe(expected),
  minGapSecondsBetweenWatches: (expected: number, runs) => {
    const times = watches(runs).map(({ at }) => at);
    expect(times.length).toBeGreaterThan(1);
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(expected * 1_000);
  },
  resumeResourceVersion: (expected: string, runs) => expect(watches(runs)[1]?.query['resourceVersion']).toBe(expected),
  watchQueryHas: (expected: Texts, runs) => {
    for (const { query } of watches(runs)) {
      const parts = Object.entries(query).flatMap(([key, value]) => [key, `${key}=${value}`]);
      expect(parts).toEqual(expect.arrayContaining([...expected]));
    }
  },
  neverInQuery: (expected: Texts, runs) => {
    const parts = runs.flatMap(({ server }) => server.requests.flatMap(({ query }) => Object.entries(query).map((pair) => pair.join('='))));
    for (const part of expected) expect(parts).not.toContain(part);
  },
  strayLinesCounted: (expected: number, [run]) => expect(run?.counts.readers.get('events')?.skipped).toEqual({ notWatchEvent: expected }),
  stdoutLines: (expected: number, runs) => {
    for (const ends of [/\n/, /[\n\u0085\u2028\u2029]/]) {
      expect(runs.flatMap(({ text }) => text.split(ends).slice(0, -1))).toHaveLength(expected);
    }
  },
  roundTrip: (expected: Fields, runs) => {
    for (const { text } of runs) expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ ...expected, event: expected });
  },
  errorLogLines: (expected: number, runs) => expect(runs.flatMap(({ errorLogLines }) => errorLogLines)).toHaveLength(expected),
  maxDelaySeconds: (expected: number, runs) => {
    for (const { writtenAfterMs } of runs) expect(Math.max(...writtenAfterMs)).toBeLessThanOrEqual(expected * 1_000);
  },
  exitWithinSeconds: (expected: number, [run]) => expect(run?.drainedAfterMs).toBeLessThanOrEqual(expected * 1_000),
  // That these were run is for `scriptsOf`, which refuses those that it does not understand.
  alsoRunWith: (expected: string) => expect(expected).not.toBe(''),
} satisfies Readonly<Record<string, Check<never>>>;

export const checks: Readonly<Record<string, Check<unknown> | undefined>> = table as Readonly<Record<string, Check<unknown>>>;

function recordsOf(runs: readonly ScriptRun[]): readonly Entry[] {
  return runs.flatMap(({ records }) => records);
}

function isAboutEvents({ path }: LoggedRequest): boolean {
  return path.endsWith('/events');
}

/** Lists and watches of Events; a check of the version is no list. */
function asked(runs: readonly ScriptRun[]): readonly LoggedRequest[] {
  return runs.flatMap(({ server }) => server.requests.filter((request) => isAboutEvents(request) && request.name !== 'check'));
}

function watches(runs: readonly ScriptRun[]): readonly LoggedRequest[] {
  return asked(runs).filter(({ query }) => query['watch'] === 'true');
}
