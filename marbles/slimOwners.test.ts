import { describe, expect } from 'vitest';
import { PipelineError } from '../src/errors.ts';
import { bookmark, type Change } from '../src/model/change.ts';
import type { OwnerChange } from '../src/model/owner.ts';
import type { Shard } from '../src/model/shard.ts';
import { type SlimOwnersSettings, slimOwners } from '../src/operators/slimOwners.ts';
import {
  added,
  deleted,
  listed,
  modified,
  owner,
  ownerReference,
  pod,
  podKept,
  podRemoved,
  relistDone,
  relistStarted,
} from './builders.ts';
import { marble } from './marble.ts';

const shard: Shard = { index: 0, total: 2 };
const settings: SlimOwnersSettings = { scope: '', shard, systemNamespaces: ['kube-system'] };
const whole: SlimOwnersSettings = { scope: '', shard: { index: 0, total: 1 }, systemNamespaces: [] };

/** Of two shards, uid-0 and uid-2 belong to 0, uid-1 and uid-3 to 1. */
const web = pod('web', { uid: 'uid-0' });
const foreign = pod('foreign', { uid: 'uid-1' });
const system = pod('dns', { uid: 'uid-2', namespace: 'kube-system' });

const changes: Record<string, Change<never>> = {
  s: relistStarted(),
  p: listed('1', web),
  q: listed('2', foreign),
  r: listed('3', system),
  d: relistDone('9'),
  m: bookmark('10'),
  t: deleted('11', web),
  u: deleted('12', foreign),
  v: deleted('13', system),
  b: { type: 'added', resourceVersion: '14', body: { bytes: 77, read: broken } },
};

const kept: Record<string, OwnerChange> = {
  s: { type: 'relistStarted', scope: '' },
  p: podKept('web', { uid: 'uid-0' }),
  d: { type: 'relistDone', scope: '' },
  t: { type: 'podRemoved', scope: '', uid: 'uid-0' },
};

function broken(): never {
  throw new PipelineError('UNDECODABLE', 'half an object');
}

describe('slimOwners', () => {
  marble('keeps the shard’s pods and the ends of lists, and nothing else', (t) => {
    const source = t.hot('-s-p-q-r-d-m-t-|', changes);
    const expected = '    -s-p-----d---t-|';
    const reading = '     ^--------------!';

    const owners = source.pipe(slimOwners(settings, t.runtime));

    t.expectObservable(owners).toBe(expected, kept);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
    t.flush();
    expect(t.signals).toEqual([]);
  });

  marble('keeps of a pod what labels need, whether it is listed, added or modified', (t) => {
    const ownerReferences = [ownerReference('ReplicaSet', 'web-77')];
    const labels = { 'pod-template-hash': '77', app: 'web' };
    const full = pod('web', { labels, annotations: { note: 'x' }, managedFields: [{ time: '2026-05-04T10:00:00Z' }], ownerReferences });
    const source = t.hot('-p-q-(rs)-|', {
      p: listed('1', full),
      q: added('2', full),
      r: modified('3', full),
      s: modified('4', pod('web')),
    });
    const expected = '    -p-p-(ps)-|';

    const owners = source.pipe(slimOwners(whole, t.runtime));

    t.expectObservable(owners).toBe(expected, { p: podKept('web', { owner: owner('Deployment', 'web') }), s: podKept('web') });
  });

  marble('a mirror pod is kept by the shard of its UID and by that of its config hash', (t) => {
    const mirror = (uid: string, hash: string) => added('1', pod('etcd', { uid, annotations: { 'kubernetes.io/config.mirror': hash } }));
    const source = t.hot('-p-q-r-|', { p: mirror('uid-0', 'uid-1'), q: mirror('uid-1', 'uid-0'), r: mirror('uid-1', 'uid-3') });
    const expected = '    -p-q---|';

    const owners = source.pipe(slimOwners(settings, t.runtime));

    t.expectObservable(owners).toBe(expected, {
      p: podKept('etcd', { uid: 'uid-0', mirror: 'uid-1' }),
      q: podKept('etcd', { uid: 'uid-1', mirror: 'uid-0' }),
    });
  });

  marble('knows a static pod by either annotation, an empty one is none', (t) => {
    const annotated = (annotations: Record<string, string>) => added('1', pod('etcd', { annotations }));
    const source = t.hot('-p-q-r-|', {
      p: annotated({ 'kubernetes.io/config.hash': 'h1' }),
      q: annotated({ 'kubernetes.io/config.hash': 'h1', 'kubernetes.io/config.mirror': 'h2' }),
      r: annotated({ 'kubernetes.io/config.hash': '' }),
    });
    const expected = '    -p-q-r-|';

    const owners = source.pipe(slimOwners(whole, t.runtime));

    t.expectObservable(owners).toBe(expected, {
      p: podKept('etcd', { mirror: 'h1' }),
      q: podKept('etcd', { mirror: 'h2' }),
      r: podKept('etcd'),
    });
  });

  marble('names its scope with everything', (t) => {
    const source = t.hot('-(spdt)-|', changes);
    const expected = '    -(spdt)-|';

    const owners = source.pipe(slimOwners({ ...settings, scope: 'default' }, t.runtime));

    t.expectObservable(owners).toBe(expected, {
      s: { type: 'relistStarted', scope: 'default' },
      p: podKept('web', { uid: 'uid-0' }, 'default'),
      d: { type: 'relistDone', scope: 'default' },
      t: { ...podRemoved('web', 'default'), uid: 'uid-0' },
    });
  });

  marble('the removal of a pod that was not kept is not told either', (t) => {
    const source = t.hot('-u-v-|', changes);
    const expected = '    -----|';

    t.expectObservable(source.pipe(slimOwners(settings, t.runtime))).toBe(expected);
  });

  marble('tells a foreign pod only where the server was to leave it out', (t) => {
    const source = '  -p-q-r-|';
    const expected = '-p-----|';

    const told: string[] = [];
    const tellAs = (name: string) => ({ ...t.runtime, signal: () => told.push(name) });

    const left = t.cold(source, changes).pipe(slimOwners({ ...settings, serverShards: true }, tellAs('server shards')));
    const all = t.cold(source, changes).pipe(slimOwners(settings, tellAs('all')));

    t.expectObservable(left).toBe(expected, kept);
    t.expectObservable(all).toBe(expected, kept);
    t.flush();
    expect(told).toEqual(['server shards']);
  });

  marble('an undecodable pod is skipped and told, the next one passes', (t) => {
    const nameless = added('1', { metadata: { uid: 'uid-0', namespace: 'default' } }, 33);
    const homeless = added('2', { metadata: { uid: 'uid-0', name: 'web' } }, 34);
    const source = t.hot('-b-n-h-e-p-|', { ...changes, n: nameless, h: homeless, e: deleted('2', null, 4) });
    const expected = '    ---------p-|';

    t.expectObservable(source.pipe(slimOwners(settings, t.runtime))).toBe(expected, kept);
    t.flush();
    expect(t.signals).toEqual([77, 33, 34, 4].map((bytes) => ({ type: 'frameSkipped', source: 'pods', cause: 'undecodable', bytes })));
  });

  marble('an empty source gives nothing, a silent one never ends, an error is passed on', (t) => {
    const slimmed = (source: string) => t.cold(source, changes).pipe(slimOwners(settings, t.runtime));

    t.expectObservable(slimmed('--|')).toBe('  --|');
    t.expectObservable(slimmed('---')).toBe('  ---');
    t.expectObservable(slimmed('-s-#')).toBe(' -s-#', kept);
  });

  marble('when unsubscribed it stops reading', (t) => {
    const source = t.hot('-s-p-d-|', changes);
    const until = '       ----!   ';
    const expected = '    -s-p     ';
    const reading = '     ^---!    ';

    t.expectObservable(source.pipe(slimOwners(settings, t.runtime)), until).toBe(expected, kept);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
  });
});
