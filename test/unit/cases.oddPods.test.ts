import { readFileSync } from 'node:fs';
import { filter, map } from 'rxjs';
import { expect, test } from 'vitest';
import { added, deleted, pod, relistDone, relistStarted } from '../../marbles/builders.ts';
import { marble } from '../../marbles/marble.ts';
import type { Change } from '../../src/model/change.ts';
import type { EventObject, PodMetadata } from '../../src/model/kube.ts';
import { ownerOf } from '../../src/model/ownerOf.ts';
import { joinLabels } from '../../src/operators/joinLabels.ts';
import { slimOwners } from '../../src/operators/slimOwners.ts';
import { toOccurrences } from '../../src/operators/toOccurrences.ts';

interface OddPods {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly input: {
    readonly pods?: readonly PodMetadata[];
    readonly podLines?: readonly { readonly object: PodMetadata }[];
    readonly watchLines?: readonly { readonly object: EventObject }[];
  };
  readonly expect: { readonly owner?: Readonly<Record<string, Readonly<Record<string, string>> | null>> };
}

const { cases } = JSON.parse(readFileSync(new URL('../fixtures/cases.json', import.meta.url), 'utf8')) as { cases: OddPods[] };
const labelKeys: Readonly<Record<string, string>> = {
  type: 'logging.gke.io/top_level_controller_type',
  name: 'logging.gke.io/top_level_controller_name',
  restartAttempt: 'jobset.sigs.k8s.io/restart-attempt',
  jobsetUid: 'jobset.sigs.k8s.io/jobset-uid',
};

const ids = ['P01', 'P02', 'P03', 'P04', 'P05', 'P07', 'P09', 'P10', 'P14'];

test('these are the cases about one pod', () => {
  expect(cases.filter(({ group, input }) => group === 'odd pod' && input.pods !== undefined).map(({ id }) => id)).toEqual(ids);
});

test.each(cases.filter(({ id }) => ids.includes(id)))('$id $title', ({ input, expect: { owner: owners = {} } }) => {
  const pods = input.pods ?? [];
  expect(pods.map(({ metadata }) => metadata.name)).toEqual(Object.keys(owners));
  for (const pod of pods) {
    const expected = owners[pod.metadata.name ?? ''] ?? null;
    const labels = expected && Object.fromEntries(Object.entries(expected).map(([key, value]) => [labelKeys[key], value]));
    const owner = ownerOf(pod);
    expect(owner?.labels ?? null).toEqual(labels);
    expect(owner && { type: owner.kind, name: owner.name }).toEqual(
      expected ? { type: expected['type'], name: expected['name'] } : undefined,
    );
  }
});

marble('P13 (a) pod deleted, then its Killing event; (b) Scheduled event, 200 ms later the pod', (t) => {
  const { podLines = [], watchLines = [] } = cases.find(({ id }) => id === 'P13')?.input ?? {};
  const [gone, removed] = podLines.map(({ object }) => object);
  const [killing, scheduled] = watchLines.map(({ object }) => added(object.metadata.resourceVersion ?? '', object));
  const late = { ...gone?.metadata, name: 'web-5d8f7c9b64-bbbbb', uid: '0e0e0e0e-0000-4000-8000-000000000245' };
  const podChanges = {
    s: relistStarted(),
    p: added('700', gone),
    d: relistDone('700'),
    x: deleted('700', removed),
    q: added('701', pod('', late)),
  };
  const labels = { [String(labelKeys['type'])]: 'Deployment', [String(labelKeys['name'])]: 'web' };

  const pods = t.hot<Change<never>>('  (spd)-x------ 199ms q', podChanges);
  const events = t.hot<Change<never>>('-------k----b', { k: killing as Change<never>, b: scheduled as Change<never> });
  const expected = '            -------k----- 199ms b';

  const owners = pods.pipe(slimOwners({ scope: '', shard: { index: 0, total: 1 }, systemNamespaces: [] }, t.runtime));
  const entries = events.pipe(
    toOccurrences(t.runtime),
    filter((item) => item.type === 'occurrence'),
    map((item) => ({ slot: 1, item })),
    joinLabels({}, owners, () => t.cold('#'), t.runtime),
    map(({ item, labels: own }) => [item.type === 'occurrence' && item.resourceVersion, own]),
  );

  t.expectObservable(entries).toBe(expected, { k: ['5010', labels], b: ['5011', labels] });
});
