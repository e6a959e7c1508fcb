import { describe, expect, test } from 'vitest';
import type { PlainObject } from '../../src/testing.ts';
import { annotate, second, shard, told, worldOfA, writes } from './leaseKit.ts';
import { leaseWorld, wire } from './leaseWorld.ts';

describe('the lease of a shard', () => {
  test('says who holds it, under which token, and what was saved', () => {
    const { lease, pass, a } = worldOfA();
    a.save('8');
    pass(second);
    const { metadata, spec } = lease(shard) as PlainObject;
    expect([metadata.name, metadata.labels, spec]).toMatchInlineSnapshot(`
      [
        "kube-sluice-0-of-1",
        {
          "kube-sluice/app": "kube-sluice",
        },
        {
          "acquireTime": "2026-05-04T10:00:00.004000Z",
          "holderIdentity": "pod-a",
          "leaseDurationSeconds": 15,
          "leaseTransitions": 1,
          "renewTime": "2026-05-04T10:00:02.000003Z",
        },
      ]
    `);
    expect(metadata.annotations).toEqual({ 'kube-sluice/state': 'current', 'kube-sluice/checkpoint': JSON.stringify(a.checkpoint('8')) });
  });
});

describe('two pods of one shard', () => {
  test('take turns: the second waits, says so once, and goes on where the first has ended', () => {
    const { pass, pod, leases, a } = worldOfA();
    const b = pod('pod-b', shard);
    pass(3_600 * second);
    expect([a.state(), b.state(), told(b, 'shardWaiting'), told(b, 'shardHeld')]).toEqual(['holding', 'waiting', 1, 0]);
    expect(b.signals).toContainEqual({ type: 'shardWaiting', cause: 'held', claim: 'kube-sluice-0-of-1', holder: 'pod-a' });
    const releasing = a.release();
    pass(3 * second);
    expect([releasing.state(), b.state(), b.start()]).toEqual(['released', 'holding', a.checkpoint('7')]);
    expect(leases()).toEqual(['0-of-1 current pod-b 7']);
  });

  test('wait out 15 seconds of silence when the first has died, and not much more', () => {
    const { clock, pass, pod, a } = worldOfA();
    pass(20 * second);
    a.crash();
    const b = pod('pod-b', shard);
    const diedMs = clock.now();
    pass(14_900);
    expect(b.state()).toBe('waiting');
    while (b.state() === 'waiting') pass(100);
    expect(b.start()).toEqual(a.checkpoint('7'));
    expect(clock.now() - diedMs).toBeLessThan(20 * second);
  });

  test('need not wait when they are the same pod, restarted', () => {
    const { pass, pod, lease, a } = worldOfA();
    a.crash();
    const again = pod('pod-a', shard);
    pass(second);
    expect([again.state(), again.start(), lease(shard)?.['spec']]).toMatchObject(['holding', a.checkpoint('7'), { leaseTransitions: 2 }]);
  });

  test('never both go on: who was cut off learns it at the next save, and so does its hold', () => {
    const cable = wire();
    const { pass, pod, leases, a } = worldOfA(cable);
    cable.isCut = true;
    const b = pod('pod-b', shard);
    pass(20 * second);
    expect([a.state(), b.state()]).toEqual(['holding', 'holding']);
    const lost = a.save('9');
    const kept = b.save('8');
    pass(second);
    cable.isCut = false;
    pass(6 * second);
    expect([kept.state(), lost.state(), a.state(), b.state()]).toEqual(['saved', 'SHARD_HELD', 'SHARD_HELD', 'holding']);
    expect(a.message()).toContain('lease kube-sluice-0-of-1 is held by pod-b now (its token is 2, ours was 1)');
    expect(leases()).toEqual(['0-of-1 current pod-b 8']);
  });

  test('are told apart by the token alone, when the second is the same pod', () => {
    const { pass, pod, a } = worldOfA();
    const again = pod('pod-a', shard);
    pass(second);
    const saving = a.save('8');
    pass(second);
    expect([again.state(), again.start(), saving.state()]).toEqual(['holding', a.checkpoint('7'), 'SHARD_HELD']);
  });

  test('leave a shard that was given up alone', () => {
    const world = worldOfA();
    world.a.release();
    world.pass(second);
    const before = writes(world).length;
    world.pass(600 * second);
    expect([writes(world).length - before, world.leases()]).toEqual([0, ['0-of-1 current - 7']]);
  });

  test('write no more than their saves, while these come often enough', () => {
    const world = worldOfA();
    const before = writes(world).length;
    for (let at = 10; at < 40; at++) {
      world.a.save(String(at));
      world.pass(2 * second);
    }
    expect(writes(world).length - before).toBe(30);
    world.pass(61 * second);
    expect(writes(world).length - before).toBe(42);
  });

  test('start at once: one of them creates the lease', () => {
    const world = leaseWorld();
    const pods = ['pod-a', 'pod-b', 'pod-c'].map((name) => world.pod(name, shard));
    world.pass(10 * second);
    expect(pods.map((each) => each.state()).sort()).toEqual(['holding', 'waiting', 'waiting']);
  });
});

describe('others that touch the lease', () => {
  test('stop nobody, and what they wrote stays', () => {
    const world = worldOfA();
    for (let at = 0; at < 20; at++) {
      annotate(world, String(at));
      const saving = world.a.save(String(10 + at));
      world.pass(second);
      expect(saving.state()).toBe('saved');
    }
    annotate(world, 'last');
    world.pass(10 * second);
    const { labels, annotations } = world.lease(shard)?.metadata ?? {};
    expect([world.a.state(), labels, annotations]).toMatchObject([
      'holding',
      { team: 'x', 'kube-sluice/app': 'kube-sluice' },
      { note: 'last', 'kube-sluice/checkpoint': JSON.stringify(world.a.checkpoint('29')) },
    ]);
  });

  test('keep no dead holder alive', () => {
    const world = worldOfA();
    world.a.crash();
    const b = world.pod('pod-b', shard);
    for (let at = 0; at < 20; at++) {
      world.pass(second);
      annotate(world, String(at));
    }
    expect(b.state()).toBe('holding');
  });

  test('may take our label away: it comes back', () => {
    const { pass, server, lease, a } = worldOfA();
    const { metadata, ...rest } = lease(shard) as PlainObject;
    server.update('Lease', { ...rest, metadata: { ...metadata, labels: {} } });
    pass(10 * second);
    expect([a.state(), lease(shard)?.metadata.labels]).toEqual(['holding', { 'kube-sluice/app': 'kube-sluice' }]);
  });

  test.each<[string, (lease: PlainObject) => PlainObject]>([
    ['another holder into it', (lease) => ({ ...lease, spec: { ...(lease['spec'] as object), holderIdentity: 'pod-x' } })],
    ['another token into it', (lease) => ({ ...lease, spec: { ...(lease['spec'] as object), leaseTransitions: 7 } })],
  ])('take the shard away by writing %s', (_, change) => {
    const { pass, server, lease, a } = worldOfA();
    server.update('Lease', change(lease(shard) as PlainObject));
    pass(10 * second);
    expect(a.state()).toBe('SHARD_HELD');
  });

  test('take the shard away by making its lease anew, even with the same content', () => {
    const { pass, server, lease, a } = worldOfA();
    const { metadata, ...rest } = lease(shard) as PlainObject;
    server.remove('Lease', 'sluice', 'kube-sluice-0-of-1');
    server.create('Lease', { ...rest, metadata: { ...metadata, uid: 'another' } });
    pass(10 * second);
    expect(a.state()).toBe('SHARD_HELD');
  });

  test('take the shard away by deleting its lease', () => {
    const { pass, server, a } = worldOfA();
    server.remove('Lease', 'sluice', 'kube-sluice-0-of-1');
    const saving = a.save('8');
    pass(10 * second);
    expect([a.state(), saving.state()]).toEqual(['SHARD_HELD', 'SHARD_HELD']);
  });
});
