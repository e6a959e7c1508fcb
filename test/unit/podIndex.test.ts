import { describe, expect, test } from 'vitest';
import { owner, slimPod } from '../../marbles/builders.ts';
import type { Involved } from '../../src/model/occurrence.ts';
import type { SlimPod } from '../../src/model/owner.ts';
import { isAbout, type PodIndex, podIndex } from '../../src/model/podIndex.ts';

const minuteMs = 60_000;

function about(pod: Partial<SlimPod>): Involved {
  return { kind: 'Pod', namespace: 'default', name: '', uid: '', ...pod };
}

function indexOf(...pods: SlimPod[]): PodIndex {
  const index = podIndex();
  for (const pod of pods) index.put(pod);
  return index;
}

describe('finding', () => {
  const web = slimPod('web', { owner: owner('Deployment', 'web') });
  const etcd = slimPod('etcd', { mirror: 'c0nf16' });
  const index = indexOf(web, etcd);

  test.each([
    ['by UID, whatever the name says', { uid: 'pod-web' }, web],
    ['by UID in another namespace', { uid: 'pod-web', namespace: 'shop' }, undefined],
    ['by UID in another namespace, the name being one here', { uid: 'pod-web', namespace: 'shop', name: 'web' }, undefined],
    ['by name without a UID', { name: 'web' }, web],
    ['by name in another namespace', { name: 'web', namespace: 'shop' }, undefined],
    ['by name with a UID that is not known: an earlier pod of that name', { name: 'web', uid: 'pod-old' }, undefined],
    ['a static pod by name and hash', { name: 'etcd', uid: 'c0nf16' }, etcd],
    ['a static pod by hash alone', { name: 'other', uid: 'c0nf16' }, undefined],
    ['a mirror pod by its own UID', { name: 'etcd', uid: 'pod-etcd' }, etcd],
    ['by nothing', {}, undefined],
  ])('%s', (_, involved, expected) => {
    expect(index.find(about(involved))).toEqual(expected);
  });

  test('a pod is what is meant exactly if it is found', () => {
    for (const uid of ['', 'pod-web', 'pod-etcd', 'c0nf16', 'pod-old']) {
      for (const name of ['', 'web', 'etcd']) {
        for (const namespace of ['default', 'shop']) {
          const involved = about({ uid, name, namespace });
          expect(index.find(involved)).toEqual([web, etcd].find((pod) => isAbout(pod, involved)));
        }
      }
    }
  });
});

describe('putting', () => {
  test('tells a new pod from a known one', () => {
    const index = podIndex();
    expect([index.put(slimPod('a')), index.put(slimPod('a')), index.put(slimPod('b'))]).toEqual([true, false, true]);
    expect(index.pods()).toBe(2);
  });

  test('equal owners are one record, kept as long as one pod uses it', () => {
    const index = indexOf(
      slimPod('a', { owner: owner('Deployment', 'web') }),
      slimPod('b', { owner: owner('Deployment', 'web') }),
      slimPod('c', { owner: owner('Job', 'web') }),
      slimPod('d'),
    );
    expect(index.owners()).toBe(2);
    expect(index.find(about({ uid: 'pod-a' }))?.owner).toBe(index.find(about({ uid: 'pod-b' }))?.owner);

    index.put(slimPod('a', { owner: owner('Deployment', 'web') }));
    index.put(slimPod('b', { owner: owner('StatefulSet', 'db') }));
    index.put(slimPod('c'));
    expect(index.owners()).toBe(2);
    expect(index.find(about({ uid: 'pod-b' }))?.owner).toEqual(owner('StatefulSet', 'db'));
    expect(index.find(about({ uid: 'pod-c' }))).toEqual(slimPod('c'));

    for (const name of ['a', 'b', 'c', 'd']) index.remove(`pod-${name}`, 0);
    index.evict(5 * minuteMs);
    expect([index.pods(), index.owners()]).toEqual([0, 0]);
  });

  test('owners with other labels are other records', () => {
    const train = owner('JobSet', 'train');
    const again = { ...train, labels: { ...train.labels, 'jobset.sigs.k8s.io/restart-attempt': '1' } };
    expect(indexOf(slimPod('a', { owner: train }), slimPod('b', { owner: again })).owners()).toBe(2);
  });

  test('a UID that comes under another name is found under that name only', () => {
    const index = indexOf(slimPod('a'), slimPod('b', { uid: 'pod-a' }));
    expect([index.pods(), index.find(about({ name: 'a' })), index.find(about({ name: 'b' }))?.uid]).toEqual([1, undefined, 'pod-a']);
  });
});

describe('a removed pod', () => {
  test('is found for five minutes more, by UID and by name', () => {
    const index = indexOf(slimPod('a'));
    index.remove('pod-a', 1_000);
    expect(index.evict(1_000 + 5 * minuteMs - 1)).toBe(0);
    expect([index.find(about({ uid: 'pod-a' })), index.find(about({ name: 'a' }))]).toEqual([slimPod('a'), slimPod('a')]);
    expect(index.evict(1_000 + 5 * minuteMs)).toBe(1);
    expect([index.find(about({ uid: 'pod-a' })), index.find(about({ name: 'a' })), index.pods()]).toEqual([undefined, undefined, 0]);
  });

  test('leaves five minutes after the first removal, also if it is removed again', () => {
    const index = indexOf(slimPod('a'));
    index.remove('pod-a', 0);
    index.remove('pod-a', minuteMs);
    expect(index.evict(5 * minuteMs)).toBe(1);
  });

  test('is there again when it is put again', () => {
    const index = indexOf(slimPod('a'));
    index.remove('pod-a', 0);
    expect(index.put(slimPod('a'))).toBe(false);
    expect([index.evict(10 * minuteMs), index.pods()]).toEqual([0, 1]);
  });

  test('leaves early, oldest first, when too many linger', () => {
    const index = podIndex({ lingeringMax: 2 });
    for (const name of ['a', 'b', 'c', 'd']) index.put(slimPod(name));
    for (const name of ['b', 'a', 'c']) index.remove(`pod-${name}`, 0);
    expect(index.evict(0)).toBe(1);
    expect(['a', 'b', 'c', 'd'].filter((name) => index.find(about({ name })) === undefined)).toEqual(['b']);
  });

  test('lingers to the end where there is no end of time', () => {
    const index = podIndex({ lingerMs: Number.POSITIVE_INFINITY });
    index.put(slimPod('a'));
    index.remove('pod-a', 0);
    expect(index.evict(Number.MAX_SAFE_INTEGER)).toBe(0);
  });

  test('takes its name along only if no later pod has it', () => {
    const index = indexOf(slimPod('web-0', { uid: 'old' }));
    index.remove('old', 0);
    index.put(slimPod('web-0', { uid: 'new' }));
    expect(index.find(about({ name: 'web-0' }))?.uid).toBe('new');
    expect(index.find(about({ name: 'web-0', uid: 'old' }))?.uid).toBe('old');
    index.evict(5 * minuteMs);
    expect(index.find(about({ name: 'web-0' }))?.uid).toBe('new');
    expect(index.find(about({ name: 'web-0', uid: 'old' }))).toBeUndefined();
  });

  test('that was never known changes nothing', () => {
    const index = indexOf(slimPod('a'));
    index.remove('pod-x', 0);
    expect([index.evict(10 * minuteMs), index.pods()]).toEqual([0, 1]);
  });
});

describe('a relist', () => {
  const names = (index: PodIndex) => ['a', 'b', 'c', 'd'].filter((name) => index.find(about({ uid: `pod-${name}` })) !== undefined);

  test('serves the old pods until it is done, and on for a while', () => {
    const index = indexOf(slimPod('a'), slimPod('b'));
    index.relistStarted('');
    index.put(slimPod('b'));
    index.put(slimPod('c'));
    expect([index.evict(20 * minuteMs), names(index)]).toEqual([0, ['a', 'b', 'c']]);
    index.relistDone('', 20 * minuteMs);
    expect([index.evict(25 * minuteMs - 1), names(index)]).toEqual([0, ['a', 'b', 'c']]);
    expect([index.evict(25 * minuteMs), names(index)]).toEqual([1, ['b', 'c']]);
  });

  test('that is started again counts from there', () => {
    const index = indexOf(slimPod('a'), slimPod('b'));
    index.relistStarted('');
    index.put(slimPod('a'));
    index.relistStarted('');
    index.put(slimPod('b'));
    index.relistDone('', 0);
    index.evict(5 * minuteMs);
    expect(names(index)).toEqual(['b']);
  });

  test('of one namespace leaves the others alone', () => {
    const index = indexOf(slimPod('a', { namespace: 'red' }), slimPod('b', { namespace: 'blue' }));
    index.relistStarted('red');
    index.relistDone('red', 0);
    index.evict(5 * minuteMs);
    expect([index.pods(), index.find(about({ uid: 'pod-b', namespace: 'blue' }))?.name]).toEqual([1, 'b']);
  });

  test('lets a pod that lingers already leave at its own time', () => {
    const index = indexOf(slimPod('a'));
    index.remove('pod-a', 0);
    index.relistStarted('');
    index.relistDone('', 4 * minuteMs);
    expect(index.evict(5 * minuteMs)).toBe(1);
  });

  test('knows a pod that came into the place of a forgotten one', () => {
    const index = indexOf(slimPod('a'), slimPod('b'));
    index.relistStarted('');
    index.remove('pod-a', 0);
    index.evict(5 * minuteMs);
    index.put(slimPod('c'));
    index.put(slimPod('b'));
    index.relistDone('', 5 * minuteMs);
    index.evict(20 * minuteMs);
    expect(names(index)).toEqual(['b', 'c']);
  });

  test('does not wait for a pod that was forgotten meanwhile', () => {
    const index = indexOf(slimPod('a'));
    index.relistStarted('');
    index.remove('pod-a', 0);
    expect(index.evict(5 * minuteMs)).toBe(1);
    index.relistDone('', 5 * minuteMs);
    expect([index.evict(20 * minuteMs), index.pods()]).toEqual([0, 0]);
  });

  test('done without a start sweeps nothing', () => {
    const index = indexOf(slimPod('a'));
    index.relistDone('', 0);
    expect([index.evict(10 * minuteMs), names(index)]).toEqual([0, ['a']]);
  });
});
