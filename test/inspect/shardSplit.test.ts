import { describe, expect, it } from 'vitest';
import { type Split, shardSplit, skew } from '../../src/inspect/shardSplit.ts';
import { owns, shardKey } from '../../src/model/shard.ts';

const involved = (at: number) => ({ kind: 'Pod', namespace: 'shop', name: `web-${at}`, uid: at % 5 === 0 ? '' : `uid-${at}-a` });
const abouts = Array.from({ length: 300 }, (_, at) => ({ involved: involved(at % 90) }));

function owned({ function: name, total }: Split, keys: readonly string[]): readonly number[] {
  return Array.from({ length: total }, (_, index) => keys.filter((key) => owns({ index, total, function: name }, key)).length);
}

describe('shardSplit', () => {
  const split = shardSplit();
  for (const about of abouts) split.addEvent(about);
  for (const { involved: pod } of abouts) split.addPod({ uid: pod.name, namespace: pod.namespace, name: pod.name });

  it('splits by both functions into 1 to 16', () => {
    expect(split.splits().map(({ function: name, total }) => `${name} ${total}`)).toEqual(
      ['fnv1a32-mod', 'fnv1a64-range'].flatMap((name) => Array.from({ length: 16 }, (_, index) => `${name} ${index + 1}`)),
    );
  });

  it('gives each event to the shard that keeps it', () => {
    for (const each of split.splits()) expect(each.events).toEqual(owned(each, abouts.map(shardKey)));
  });

  it('gives each pod once to the shard that keeps it', () => {
    const uids = [...new Set(abouts.map(({ involved: pod }) => pod.name))];
    for (const each of split.splits()) expect(each.pods).toEqual(owned(each, uids));
    expect(split.pods()).toBe(90);
  });

  it('counts a static pod where each of its two names belongs', () => {
    const single = shardSplit({ totalMax: 8 });
    single.addPod({ uid: 'uid-1', namespace: 'kube-system', name: 'etcd', mirror: 'hash-2' });
    for (const each of single.splits()) {
      const both = Array.from({ length: each.total }, (_, index) =>
        ['uid-1', 'hash-2'].some((key) => owns({ index, total: each.total, function: each.function }, key)) ? 1 : 0,
      );
      expect(each.pods).toEqual(both);
    }
  });

  it('says when there are more pods than it can tell apart', () => {
    const few = shardSplit({ podsMax: 2 });
    for (const uid of ['a', 'b', 'a', 'c']) few.addPod({ uid, namespace: 'shop', name: uid });
    expect({ pods: few.pods(), limited: few.isPodsLimited(), counted: few.splits()[0]?.pods }).toEqual({
      pods: 2,
      limited: true,
      counted: [2],
    });
  });
});

it.each([
  [[5, 5, 5], 1],
  [[9, 0, 0], 3],
  [[4, 2], 4 / 3],
  [[0, 0], 1],
])('skew of %j is %d', (counts, expected) => {
  expect(skew(counts)).toBeCloseTo(expected, 10);
});
