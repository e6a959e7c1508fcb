import { concat, defer, EMPTY, finalize, merge, mergeMap, of, Subject, tap } from 'rxjs';
import { describe, expect } from 'vitest';
import type { Joined, Slotted } from '../src/model/slot.ts';
import type { LookUpPod } from '../src/operators/askForPods.ts';
import { ownerReference, pod } from './builders.ts';
import { about, changes, db, join, leaving, leavingAs, noAnswer, slots } from './joining.ts';
import { marble } from './marble.ts';

describe('joinLabels asks by name after the wait', () => {
  marble('and gives what waits the labels of the pod it hears of, each by its own UID', (t) => {
    const values = {
      a: about('p', 1),
      b: about('p', 2),
      c: about('p', 3, { involved: { name: 'other' } }),
      d: about('p', 4, { namespace: 'shop', involved: { namespace: 'shop' } }),
    };
    const owners = t.hot('d-----------', changes);
    const source = t.hot('-a-b-c-d----', values);
    const expected = '    ---------(abcd)';
    const asked: string[] = [];
    const lookUpPod: LookUpPod = (namespace, name) => {
      asked.push(`${namespace}/${name}`);
      return t.cold('--x|', { x: pod('p', { ownerReferences: [ownerReference('StatefulSet', 'db')] }) });
    };

    const entries = join(t, { owners, source, lookUpPod, settings: { ownerWaitMs: 6 } });

    t.expectObservable(entries).toBe(expected, leavingAs(values, { a: db.labels, b: db.labels, c: db.labels }));
    t.flush();
    expect(asked).toEqual(['default/p']);
    expect(t.signals).toContainEqual({ type: 'ownerAsked', found: true });
  });

  marble('and stops asking when the pod is seen after all', (t) => {
    const owners = t.hot('d-------p---|', changes);
    const source = t.hot('-a-c--------|', slots);
    const lookUp = t.cold<undefined>('     ------');
    const expected = '    --------(ac)|';
    const asking = '      ------^-!';

    t.expectObservable(join(t, { owners, source, lookUpPod: () => lookUp, settings: { ownerWaitMs: 5 } })).toBe(expected, leaving);
    t.expectSubscriptions(lookUp.subscriptions).toBe(asking);
  });

  marble('and does not wait again for what it did not find, for a while', (t) => {
    const owners = t.hot('d----------------', changes);
    const source = t.hot('-a---c--a--c-----', slots);
    const expected = '    ---A-C--A----C---';
    const asked: number[] = [];
    const lookUpPod: LookUpPod = () => {
      asked.push(t.scheduler.frame);
      return of(undefined);
    };

    const entries = join(t, { owners, source, lookUpPod, settings: { ownerWaitMs: 2, missesRememberedMs: 8 } });

    t.expectObservable(entries).toBe(expected, leaving);
    t.flush();
    expect(asked).toEqual([3, 13]);
  });

  marble('and remembers no more of these than its limit', (t) => {
    const owners = t.hot('d----------------------', changes);
    const source = t.hot('-a---b---e---b---e---a-', slots);
    const expected = '    ---A---B---E-B---E-----A'; // a's was the oldest of three

    const entries = join(t, { owners, source, settings: { ownerWaitMs: 2, missesMax: 2 } });

    t.expectObservable(entries).toBe(expected, leaving);
  });

  marble('and tells when the question failed', (t) => {
    const owners = t.hot('d------', changes);
    const source = t.hot('-a-----', slots);
    const lookUp = t.cold<undefined>('  -#', {}, new Error('HTTP 403'));
    const expected = '    ----A--';

    t.expectObservable(join(t, { owners, source, lookUpPod: () => lookUp, settings: { ownerWaitMs: 2 } })).toBe(expected, leaving);
    t.flush();
    expect(t.signals).toContainEqual({ type: 'ownerMissed', cause: 'failed', message: 'HTTP 403' });
  });

  marble('and goes without labels when too many questions are queued', (t) => {
    const owners = t.hot('d-------------', changes);
    const source = t.hot('-(abe)----be--', slots);
    const lookUpTimeoutMs = t.time('---|'); //         a's from frame 3, b's from 6, e's from 13
    const expected = '    ---E--A--BB-----E'; // e was one too many first; b is remembered, e is not

    const settings = { ownerWaitMs: 2, lookUpsMax: 1, queuedMax: 1, lookUpTimeoutMs };
    t.expectObservable(join(t, { owners, source, lookUpPod: noAnswer, settings })).toBe(expected, leaving);
    t.flush();
    const failed = { type: 'ownerMissed', cause: 'failed', message: 'Timeout has occurred' };
    expect(t.signals.filter(({ type }) => type === 'ownerMissed')).toEqual([
      { type: 'ownerMissed', cause: 'queueLimit' },
      failed,
      failed,
      failed,
    ]);
  });
});

describe('joinLabels at the limit of what may wait', () => {
  marble('lets another object go without labels, and counts it', (t) => {
    const owners = t.hot('d------q---', changes);
    const source = t.hot('-b-d-a-----', slots);
    const expected = '    -----A-(bd)';

    t.expectObservable(join(t, { owners, source, settings: { waitingMax: 2 } })).toBe(expected, leaving);
    t.flush();
    expect(t.signals.filter(({ type }) => type === 'ownerMissed')).toEqual([{ type: 'ownerMissed', cause: 'waitLimit' }]);
  });

  marble('lets all of an object that waits go, in their order, and has room again', (t) => {
    const values = { ...slots, c: about('q', 8), C: about('q', 8) };
    const owners = t.hot('d-----------p---', changes);
    const source = t.hot('-b-d-c----a-----', values);
    const expected = '    -----(BDC)--a---';

    const gone = leavingAs({ C: values.c });
    t.expectObservable(join(t, { owners, source, settings: { waitingMax: 2 } })).toBe(expected, { ...leaving, ...gone });
    t.flush();
    expect(t.signals.filter(({ type }) => type === 'ownerMissed')).toHaveLength(3);
  });
});

describe('joinLabels keeps the order of each object', () => {
  marble('also for occurrences that get no labels themselves', (t) => {
    const values = { ...slots, c: about('p', 8, { namespace: 'shop' }), d: about('p', 9, { involved: { kind: 'Node' } }) };
    const owners = t.hot('d-------p----', changes);
    const source = t.hot('-a-c-d-e-----', values);
    const expected = '    --------(acd)';
    const until = '       ------------!';

    const entries = join(t, { owners, source });

    t.expectObservable(entries, until).toBe(expected, { ...leaving, ...leavingAs({ c: values.c, d: values.d }) });
  });

  marble('also when one more comes while the others leave', (t) => {
    const owners = t.hot('d---p-----', changes);
    const source = new Subject<Slotted>();
    const first = t.hot('  -a-a------', slots);
    const expected = '    ----(aac)-';
    let more = 1;

    const entries = join(t, { owners, source: merge(first, source) }).pipe(
      tap(() => {
        if (more-- > 0) source.next(slots['c'] as Slotted);
      }),
    );

    t.expectObservable(entries).toBe(expected, leaving);
  });

  marble('also when the source ends while the others leave: none is lost, none comes twice', (t) => {
    const owners = t.hot('d', changes);
    const source = new Subject<Slotted>();
    const expected = '    ----(acE|)';
    const ownerReferences = [ownerReference('StatefulSet', 'db')];
    const lookUpPod: LookUpPod = (_, name) => of(name === 'p' ? pod('p', { ownerReferences }) : undefined);
    const endAfter = (slot: Joined) =>
      concat(
        of(slot),
        defer(() => EMPTY.pipe(finalize(() => source.complete()))),
      );

    t.hot('-(ace)-', slots).subscribe((slot) => source.next(slot));
    const entries = join(t, { owners, source, lookUpPod, settings: { ownerWaitMs: 3 } }).pipe(mergeMap(endAfter));

    t.expectObservable(entries).toBe(expected, { ...leaving, ...leavingAs(slots, { a: db.labels, c: db.labels }) });
  });
});

marble('joinLabels tells what it keeps and whether it helped', (t) => {
  const owners = t.hot('(spqd)-p-x-r---', changes);
  const source = t.hot('------------a-e', slots);
  const expected = '    -------------AE';

  t.expectObservable(join(t, { owners, source, settings: { lingerMs: 3, ownerWaitMs: 1 } })).toBe(expected, leaving);
  t.flush();
  expect(t.signals).toEqual([
    { type: 'podCache', operation: 'add' },
    { type: 'podCache', operation: 'add' },
    { type: 'podsSynced', pods: 2 },
    { type: 'podCacheSize', pods: 2, owners: 2 },
    { type: 'podCache', operation: 'add' },
    { type: 'podCacheSize', pods: 3, owners: 2 },
    { type: 'podCache', operation: 'evict' },
    { type: 'podCacheSize', pods: 2, owners: 1 },
    { type: 'podCache', operation: 'querymiss' },
    { type: 'ownerAsked', found: false },
    { type: 'podCache', operation: 'queryhit' },
  ]);
});
