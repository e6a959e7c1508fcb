import { describe, expect, it } from 'vitest';
import { type RepeatCountsSettings, type Repeats, repeatCounts } from '../../src/inspect/repeats.ts';

type Seen = readonly [uid: string, count: unknown, series?: number];

function repeatsOf(seen: readonly Seen[], settings: RepeatCountsSettings = {}): Repeats {
  const counts = repeatCounts(settings);
  for (const [at, [uid, count, series]] of seen.entries()) {
    const event = {
      metadata: {},
      reason: 'BackOff',
      count: count as number,
      ...(series === undefined ? {} : { series: { count: series } }),
    };
    counts.add({ uid, event, atMs: at, object: `Pod ${uid}` });
  }
  return counts.repeats();
}

describe('repeatCounts', () => {
  it('sees no jump where each revision counts one up, nor in the first that it sees', () => {
    expect(
      repeatsOf([
        ['a', 1],
        ['a', 2],
        ['a', 3],
        ['b', 17],
        ['b', 18],
      ]),
    ).toEqual({
      rewrites: 4,
      countMax: 18,
      jumps: 0,
      skipped: 0,
      greatest: [],
      limited: false,
    });
  });

  it('sees what was skipped between two revisions of one Event, the greatest first', () => {
    const { jumps, skipped, greatest } = repeatsOf([
      ['a', 1],
      ['b', 1],
      ['a', 4],
      ['b', 100],
      ['a', 5],
    ]);
    expect({ jumps, skipped }).toEqual({ jumps: 2, skipped: 2 + 98 });
    expect(greatest).toEqual([
      { atMs: 3, reason: 'BackOff', object: 'Pod b', from: 1, to: 100 },
      { atMs: 2, reason: 'BackOff', object: 'Pod a', from: 1, to: 4 },
    ]);
  });

  it('counts series as well, and takes what is no count for one', () => {
    expect(
      repeatsOf([
        ['a', null, 2],
        ['a', null, 5],
        ['b', 'x'],
        ['b', 1e300],
        ['b', -4],
      ]),
    ).toMatchObject({
      rewrites: 2,
      countMax: 5,
      jumps: 1,
      skipped: 2,
    });
  });

  it('keeps the greatest only', () => {
    const seen = Array.from({ length: 10 }, (_, at): readonly Seen[] => [
      [`e${at}`, 1],
      [`e${at}`, 10 + at],
    ]).flat();
    expect(repeatsOf(seen, { greatestMax: 2 }).greatest.map(({ to }) => to)).toEqual([19, 18]);
  });

  it('forgets the Events that were read longest ago, and says so', () => {
    const three = ['a', 'b', 'c'].map((uid): Seen => [uid, 1]);
    const more = ['d', 'e', 'f'].map((uid): Seen => [uid, 1]);
    expect(repeatsOf([...three, ['a', 9]], { eventsMax: 2 })).toMatchObject({ jumps: 1, limited: false });
    expect(repeatsOf([...three, ...more, ['a', 9]], { eventsMax: 2 })).toMatchObject({ jumps: 0, limited: true });
  });
});
