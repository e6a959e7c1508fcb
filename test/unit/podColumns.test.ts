import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { owner } from '../../marbles/builders.ts';
import type { SlimPod } from '../../src/model/owner.ts';
import { podColumns } from '../../src/model/podColumns.ts';

test('thousands of pods that come, go and are made anew under their names are all found, and no others', () => {
  const columns = podColumns();
  const byUid = new Map<string, SlimPod>();
  const byName = new Map<string, SlimPod>();
  let random = 7;
  for (let step = 0; step < 20_000; step++) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    const [namespace, name] = [`n${random % 5}`, `p${(random >>> 8) % 2_000}`];
    const nameKey = `${namespace}/${name}`;
    const pod = { uid: `${nameKey}/${(random >>> 6) % 2}`, namespace, name, owner: owner('Job', `j${random % 40}`) };
    if ((random >>> 4) % 3 === 0) {
      columns.free(columns.byUid(pod.uid));
      byUid.delete(pod.uid);
      if (byName.get(nameKey)?.uid === pod.uid) byName.delete(nameKey);
    } else {
      expect(columns.at(columns.put(pod))).toEqual(pod);
      byUid.set(pod.uid, pod);
      byName.set(nameKey, pod);
    }
  }

  const wrong: unknown[] = [];
  for (let n = 0; n < 5; n++) {
    for (let p = 0; p < 2_000; p++) {
      const [namespace, name] = [`n${n}`, `p${p}`];
      const uids = [`${namespace}/${name}/0`, `${namespace}/${name}/1`];
      const found = [...uids.map((uid) => columns.at(columns.byUid(uid))), columns.at(columns.byName(namespace, name))];
      const expected = [...uids.map((uid) => byUid.get(uid)), byName.get(`${namespace}/${name}`)];
      if (!isDeepStrictEqual(found, expected)) wrong.push({ found, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(byUid.size).toBeGreaterThan(5_000);
  expect(columns.pods()).toBe(byUid.size);
  expect(columns.rows()).toBeLessThan(20_000);
  expect(columns.owners()).toBe(new Set([...byUid.values()].map((pod) => pod.owner?.name)).size);
});

test('a row that was freed is used again', () => {
  const columns = podColumns();
  const pod = (name: string): SlimPod => ({ uid: `uid-${name}`, namespace: 'default', name });
  const row = columns.put(pod('a'));
  columns.free(row);
  columns.free(row);
  expect([columns.at(row), columns.pods(), columns.rows()]).toEqual([undefined, 0, 1]);
  expect([columns.put(pod('b')), columns.put(pod('c'))]).toEqual([row, row + 1]);
  expect([columns.at(row), columns.byUid('uid-a'), columns.byName('default', 'a')]).toEqual([pod('b'), -1, -1]);
});
