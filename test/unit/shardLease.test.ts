import { describe, expect, test } from 'vitest';
import { look, unchangedMs } from '../../src/model/leaseSilence.ts';
import type { Shard } from '../../src/model/shard.ts';
import { appFault, isOurs, leaseName, leaseTime, newLease, readLease, type ShardLease, withContent } from '../../src/model/shardLease.ts';

const content = {
  holder: 'p',
  token: 3,
  state: 'current',
  checkpoint: '{}',
  acquiredAt: leaseTime(0, 0),
  renewedAt: leaseTime(1, 2),
} as const;

describe('names of leases', () => {
  test.each<[Shard, string]>([
    [{ index: 0, total: 1 }, 'sluice-0-of-1'],
    [{ index: 4, total: 12, function: 'fnv1a32-mod' }, 'sluice-4-of-12'],
    [{ index: 4, total: 12, function: 'fnv1a64-range' }, 'sluice-4-of-12-fnv1a64-range'],
  ])('stand for one shard: %j is %s', (shard, name) => {
    expect(leaseName('sluice', shard)).toBe(name);
    expect(readLease('sluice', { metadata: { name } })?.shard).toEqual({ function: 'fnv1a32-mod', ...shard });
  });

  test.each([
    'sluice',
    'sluice-3-of-3',
    'sluice-01-of-3',
    'sluice-0-of-0',
    'sluice-0-of-3-md5',
    'other-0-of-3',
    'sluice-x-0-of-3',
    'sluice--0-of-3',
  ])('%s is none', (name) => {
    expect(readLease('sluice', { metadata: { name } })).toBeUndefined();
  });

  test('need an app that they may be called by', () => {
    expect(['a', 'kube-sluice', 'x'.repeat(63)].map(appFault)).toEqual([undefined, undefined, undefined]);
    expect(appFault('Kube.Sluice')).toContain(
      'at most 63 lower-case letters, digits and dashes, with no dash at the ends (got "Kube.Sluice")',
    );
  });
});

describe('the content of a lease', () => {
  const fresh = newLease('sluice', 'ns', { index: 0, total: 3 });

  test('comes back as it was written', () => {
    for (const each of [
      content,
      { ...content, holder: '', checkpoint: undefined, state: 'superseded' as const },
      { ...content, acquiredAt: undefined, renewedAt: undefined },
    ]) {
      expect(readLease('sluice', withContent('sluice', fresh, each, 15_000))?.content).toEqual(each);
    }
  });

  test('leaves everything else as it is', () => {
    const metadata = { ...fresh.metadata, uid: 'u', labels: { team: 'x' }, annotations: { note: 'n' }, finalizers: ['f'] };
    const written = withContent('sluice', { ...fresh, metadata }, content, 400);
    expect(written).toEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        ...metadata,
        labels: { team: 'x', 'kube-sluice/app': 'sluice' },
        annotations: { note: 'n', 'kube-sluice/state': 'current', 'kube-sluice/checkpoint': '{}' },
      },
      spec: {
        holderIdentity: 'p',
        leaseDurationSeconds: 1,
        acquireTime: content.acquiredAt,
        renewTime: content.renewedAt,
        leaseTransitions: 3,
      },
    });
  });

  test('of others gives no right to deliver', () => {
    const foreign = readLease('sluice', {
      metadata: { name: 'sluice-0-of-3', annotations: { 'kube-sluice/state': 'best' } },
      spec: { holderIdentity: null },
    });
    expect(foreign?.content).toEqual({
      holder: '',
      token: 0,
      state: 'waiting',
      checkpoint: undefined,
      acquiredAt: undefined,
      renewedAt: undefined,
    });
  });

  test('shows whose it is, by its label or by its state', () => {
    const lease = (metadata: object): ShardLease => readLease('sluice', { metadata: { name: 'sluice-0-of-3', ...metadata } }) as ShardLease;
    expect(isOurs('sluice', lease({ labels: { 'kube-sluice/app': 'sluice' } }))).toBe(true);
    expect(isOurs('sluice', lease({ annotations: { 'kube-sluice/state': 'waiting' } }))).toBe(true);
    expect(isOurs('sluice', lease({ labels: { 'kube-sluice/app': 'other' }, annotations: { note: 'n' } }))).toBe(false);
  });

  test.each([
    [Date.UTC(2026, 4, 4, 10, 0, 0, 7), 12, '2026-05-04T10:00:00.007012Z'],
    [-5, 0, '1970-01-01T00:00:00.000000Z'],
    [Number.MAX_SAFE_INTEGER, 999, '9999-12-31T23:59:59.999999Z'],
  ])('has times of six decimals, whatever the clock says: %i', (ms, micros, text) => {
    expect(leaseTime(ms, micros)).toBe(text);
  });
});

describe('the silence of a holder', () => {
  const lease = (renewedAt: string, metadata: object = {}): ShardLease =>
    readLease(
      'sluice',
      withContent('sluice', { metadata: { name: 'sluice-0-of-3', uid: 'u', ...metadata } }, { ...content, renewedAt }, 15_000),
    ) as ShardLease;
  /** Looks at a time, in seconds, at a renewal; `x` is a look that failed. The answer is the silence after each, in seconds. */
  const silences = (...looks: readonly (readonly [at: number, renewal: string])[]): number[] => {
    let known: ReturnType<typeof look> | undefined;
    return looks.map(([at, renewal]) => {
      known = renewal === 'x' ? undefined : look(known, [lease(renewal)], at * 1_000, 4_000);
      return known === undefined ? 0 : unchangedMs(known, lease(renewal)) / 1_000;
    });
  };

  test('is the time for which it was seen unchanged', () => {
    expect(silences([0, 'a'], [2, 'a'], [4, 'a'], [6, 'b'], [8, 'b'])).toEqual([0, 2, 4, 0, 2]);
  });

  test('counts no more than twice the time between looks, and nothing for a clock that goes back', () => {
    expect(silences([0, 'a'], [3_600, 'a'], [3_602, 'a'], [2, 'a'], [4, 'a'])).toEqual([0, 4, 6, 6, 8]);
  });

  test('begins anew after a look that failed', () => {
    expect(silences([0, 'a'], [2, 'a'], [4, 'x'], [6, 'a'], [8, 'a'])).toEqual([0, 2, 0, 0, 2]);
  });

  test('is not ended by others that touch the lease, but by another lease of that name', () => {
    const first = look(undefined, [lease('a')], 0, 4_000);
    const touched = lease('a', { annotations: { note: 'n' }, resourceVersion: '9' });
    expect(unchangedMs(look(first, [touched], 2_000, 4_000), touched)).toBe(2_000);
    const other = lease('a', { uid: 'v' });
    expect(unchangedMs(look(first, [other], 2_000, 4_000), other)).toBe(0);
  });
});
