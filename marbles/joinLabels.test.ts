import { describe, expect } from 'vitest';
import { PipelineError } from '../src/errors.ts';
import type { OwnerChange } from '../src/model/owner.ts';
import type { Slotted } from '../src/model/slot.ts';
import { joinLabels } from '../src/operators/joinLabels.ts';
import { type OccurrenceFields, occurrence, podKept, slotted } from './builders.ts';
import { about, changes, db, join, leaving, leavingAs, noAnswer, slots, web } from './joining.ts';
import { marble } from './marble.ts';

describe('joinLabels', () => {
  marble('labels what is known at once, lets the rest wait, asks for what never comes', (t) => {
    const owners = t.hot('(pd)----q---------------|', changes);
    const source = t.hot('-a--b-c-d---e-----------|', slots);
    const ownerWaitMs = t.time('  ------|                '); // b's would end at frame 10
    const lookUp = t.cold('                 ---(x|)', { x: undefined });
    const expected = '    -a----c-(bd)---------e--|';
    const reading = '     ^-----------------------!';
    const asking = '      ------------------^--!';

    const entries = source.pipe(joinLabels({ ownerWaitMs }, owners, () => lookUp, t.runtime));

    t.expectObservable(entries).toBe(expected, leaving);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
    t.expectSubscriptions(owners.subscriptions).toBe(reading);
    t.expectSubscriptions(lookUp.subscriptions).toBe(asking);
  });

  marble('a gap passes with empty labels, also past what waits', (t) => {
    const owners = t.hot('(pd)-------q--|', changes);
    const source = t.hot('----b-(agc)-g-|', slots);
    const expected = '    ------(agc)bg-|';

    t.expectObservable(join(t, { owners, source })).toBe(expected, leaving);
  });

  marble('a pod that lingers after its removal still gives labels, then no more', (t) => {
    const owners = t.hot('(pd)-x------', changes);
    const source = t.hot('(a-)-a- 9ms c-b|', slots);
    const expected = '    (a-)-a- 9ms C-B|';

    t.expectObservable(join(t, { owners, source, settings: { lingerMs: 10, ownerWaitMs: 0 } })).toBe(expected, leaving);
  });

  marble('an event without a UID takes the pod of its name, a static pod’s the mirror of its hash', (t) => {
    const mirror = { t: podKept('etcd', { owner: db, mirror: 'h4sh' }) };
    const etcd = (uid: string) => about('etcd', 1, { involved: { uid } });
    const values = { a: about('p', 1, { involved: { uid: '' } }), b: etcd('h4sh'), c: etcd('pod-etcd'), f: etcd('other') };
    const owners = t.hot('(ptd)---------|', { ...changes, ...mirror });
    const source = t.hot('-----a-b-c-f--|', values);
    const expected = '    -----a-b-c----(f|)';

    const entries = join(t, { owners, source, lookUpPod: noAnswer });

    t.expectObservable(entries).toBe(expected, leavingAs(values, { a: web.labels, b: db.labels, c: db.labels }));
  });

  marble('what waits under any of a pod’s keys leaves with it', (t) => {
    const mirror = { t: podKept('etcd', { owner: db, mirror: 'h4sh' }) };
    const values = [{ uid: '' }, { uid: 'h4sh' }, { uid: 'pod-etcd' }].map((involved, slot) => about('etcd', slot, { involved }));
    const [a, b, c] = values as [Slotted, Slotted, Slotted];
    const owners = t.hot('d-----t---', { ...changes, ...mirror });
    const source = t.hot('-abc------', { a, b, c });
    const expected = '    ------(cba)';

    t.expectObservable(join(t, { owners, source })).toBe(expected, leavingAs({ a, b, c }, { a: db.labels, b: db.labels, c: db.labels }));
    t.flush();
    expect(t.scheduler.frame).toBeLessThan(1_000); // Nobody waits any more.
  });

  marble('a pod of the same name under another UID is not the one that is meant, nor one in another namespace', (t) => {
    const others = { p: podKept('p', { uid: 'newer', owner: web }), q: podKept('p', { namespace: 'shop', owner: web }) };
    const owners = t.hot('d---p-q-------', { ...changes, ...others });
    const source = t.hot('-a------------', slots);
    const expected = '    ---------A----';

    t.expectObservable(join(t, { owners, source, settings: { ownerWaitMs: 8 } })).toBe(expected, leaving);
  });
});

describe('an entry that is not the pod’s own has no labels, waits for none and asks for none', () => {
  const others: Record<string, OccurrenceFields> = {
    'one about another kind': { involved: { kind: 'Node' } },
    'one in another namespace than its event': { namespace: 'shop' },
    'one without a namespace': { namespace: '', involved: { namespace: '' } },
    'one in a system namespace': { namespace: 'kube-system', involved: { namespace: 'kube-system' } },
  };
  for (const [what, fields] of Object.entries(others)) {
    marble(what, (t) => {
      const namespace = fields.involved?.namespace ?? 'default';
      const values = { a: about('p', 1, fields), b: about('unknown', 2, fields) };
      const owners = t.hot('(pd)---|', { ...changes, p: podKept('p', { owner: web, namespace }) });
      const source = t.hot('----a-b|', values);
      const expected = '    ----a-b|';

      const entries = join(t, { owners, source, lookUpPod: noAnswer, settings: { systemNamespaces: ['kube-system'] } });

      t.expectObservable(entries).toBe(expected, leavingAs(values));
      t.flush();
      expect(t.signals).not.toContainEqual({ type: 'podCache', operation: 'querymiss' });
    });
  }
});

describe('an unknown pod is not waited for', () => {
  const hour = '1970-01-01T01:00:00Z';
  const times = { firstTimestamp: null, lastTimestamp: null };
  const unknown: Record<string, Slotted> = {
    'by an occurrence that was listed': about('p', 1, { change: 'listed' }),
    'by one that is a minute old': about('p', 1, { event: { ...times, metadata: { creationTimestamp: '1970-01-01T00:59:00Z' } } }),
    'by one without a time': about('p', 1, { event: { ...times, metadata: { creationTimestamp: null } } }),
    'under a name that no pod can have': about('../../secrets/p', 1),
    'under no name': about('', 1),
    'by one that cannot be decoded': slotted(1, { ...occurrence('1', { involved: { name: 'p' } }), read: broken }),
  };
  for (const [what, a] of Object.entries(unknown)) {
    marble(what, (t) => {
      const owners = t.hot('d 3599999ms -----', changes);
      const source = t.hot('- 3599999ms a----', { a });
      const expected = '    - 3599999ms a----';

      t.expectObservable(join(t, { owners, source, lookUpPod: noAnswer })).toBe(expected, leavingAs({ a }));
    });
  }

  marble('but for one whose newest time is younger, be it the time of its last write', (t) => {
    const old = { ...times, metadata: { creationTimestamp: '1970-01-01T00:00:00Z' } };
    const values = {
      a: about('p', 1, { event: { ...old, metadata: { ...old.metadata, managedFields: [{ time: '1970-01-01T00:59:01Z' }, {}] } } }),
      b: about('q', 2, { event: { ...old, lastTimestamp: '1970-01-01T00:59:01Z' } }),
      c: about('r', 3, { change: 'modified', event: { ...old, series: { lastObservedTime: '1970-01-01T00:59:00.001Z' } } }),
      d: about('s', 4, { event: { ...old, eventTime: hour } }),
    };
    const owners = t.hot('d 3599999ms -----', changes);
    const source = t.hot('- 3599999ms (abcd)', values);
    const expected = '    - 3599999ms 5ms (abcd)';

    const entries = join(t, { owners, source, settings: { ownerWaitMs: 5 } });

    t.expectObservable(entries).toBe(expected, leavingAs(values));
  });

  marble('before every scope has been listed', (t) => {
    const scoped = { r: { type: 'relistDone', scope: 'red' }, b: { type: 'relistDone', scope: 'blue' } } satisfies Record<
      string,
      OwnerChange
    >;
    const owners = t.hot('--r---r---b---r-b---', scoped);
    const source = t.hot('-a---b---e---e------', slots);
    const expected = '    -A---B---E--------E-';

    const entries = join(t, { owners, source, settings: { scopes: ['red', 'blue'], ownerWaitMs: 5 } });

    t.expectObservable(entries).toBe(expected, leaving);
    t.flush();
    expect(t.signals.filter(({ type }) => type === 'podsSynced')).toEqual([{ type: 'podsSynced', pods: 0 }]);
  });
});

function broken(): never {
  throw new PipelineError('UNDECODABLE', 'half an object');
}
