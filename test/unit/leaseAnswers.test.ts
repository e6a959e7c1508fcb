import { ReplaySubject, type SchedulerLike, switchMap, timer } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Answer, KubeTransport } from '../../src/ports.ts';
import type { Fault, FaultTarget } from '../../src/testing.ts';
import { second, shard, told, worldOfA, writes } from './leaseKit.ts';
import { leaseWorld } from './leaseWorld.ts';

describe('answers that never come', () => {
  const faults: readonly Fault[] = [
    { type: 'lost' },
    { type: 'hang' },
    { type: 'refuse' },
    { type: 'status', status: 503 },
    { type: 'status', status: 401 },
    { type: 'status', status: 429 },
  ];

  test('after a save that was done: it is found by its time, and not written again', () => {
    const world = worldOfA();
    const before = writes(world).length;
    world.server.faults.next({ on: 'update' }, { type: 'lost' });
    const saving = world.a.save('8');
    world.pass(2 * second);
    expect([saving.state(), world.leases()]).toEqual(['saved', ['0-of-1 current pod-a 8']]);
    expect(writes(world).slice(before)).toEqual(['PUT lost']);
  });

  test.each(faults)('to a save: it is tried until it is known to be done (%j)', (fault) => {
    const { pass, server, leases, a } = worldOfA();
    for (let at = 10; at < 20; at++) {
      server.faults.next({ on: 'update' }, fault, 1 + (at % 3));
      server.faults.next({ on: 'get' }, fault, at % 2);
      const saving = a.save(String(at));
      pass(60 * second);
      expect([saving.state(), leases(), a.state()]).toEqual(['saved', [`0-of-1 current pod-a ${at}`], 'holding']);
    }
  });

  test.each(faults)('to the first creation or to a taking: the shard is held without a wait for silence (%j)', (fault) => {
    const world = leaseWorld();
    world.server.faults.next({ on: 'create' }, fault);
    const first = world.pod('pod-a', shard);
    world.pass(8 * second);
    expect(first.state()).toBe('holding');
    first.save('7');
    first.release();
    world.pass(second);
    world.server.faults.next({ on: 'update' }, fault);
    const next = world.pod('pod-b', shard);
    world.pass(8 * second);
    expect([next.state(), next.start()]).toEqual(['holding', first.checkpoint('7')]);
  });

  test.each([100, 2_900, 3_100, 4_000, 6_000])(
    'to a write that arrives %i ms late, when it was given up: it replaces nothing that is newer',
    (lateMs) => {
      const cable = delays();
      const { pass, leases, server, a } = worldOfA(cable);
      cable.nextMs = lateMs;
      const saving = a.save('8');
      pass(6 * second);
      const next = a.save('9');
      pass(10 * second);
      expect([saving.state(), next.state(), a.state(), leases()]).toEqual(['saved', 'saved', 'holding', ['0-of-1 current pod-a 9']]);
      expect(server.requests.some(({ outcome }) => outcome === 409)).toBe(lateMs > 3_500);
    },
  );

  test('for minutes leave a holder delivering, and who waits takes nothing from it afterwards', () => {
    const { pass, pod, server, a } = worldOfA();
    const b = pod('pod-b', shard);
    pass(14 * second);
    const back = server.faults.always({ stream: 'leases' }, { type: 'status', status: 500 });
    const saving = a.save('8');
    pass(600 * second);
    expect([a.state(), saving.state(), told(a, 'claimRetrying') > 10]).toEqual(['holding', 'saving', true]);
    back();
    pass(60 * second);
    expect([a.state(), saving.state(), b.state()]).toEqual(['holding', 'saved', 'waiting']);
  });

  test('make no hot loop', () => {
    const { pass, pod, server } = worldOfA();
    pod('pod-b', shard);
    pass(10 * second);
    for (const target of [{ stream: 'leases' }, { on: 'update' }, { on: ['get', 'list'] }] as FaultTarget[]) {
      const back = server.faults.always(target, { type: 'status', status: 500 });
      const before = server.requests.length;
      pass(600 * second);
      expect(server.requests.length - before).toBeLessThan(1_500);
      back();
      pass(10 * second);
    }
  });

  test('to the giving up: it ends in time all the same, and says what follows', () => {
    const { pass, server, a } = worldOfA();
    server.faults.always({ stream: 'leases' }, { type: 'hang' });
    const releasing = a.release();
    pass(2_900);
    expect(releasing.state()).toBe('releasing');
    pass(200);
    expect([releasing.state(), told(a, 'warning')]).toEqual(['released', 1]);
  });
});

/** A network that can hold one write back. What was sent arrives, whether its sender still waits or not. */
function delays() {
  const self = {
    nextMs: 0,
    through: (transport: KubeTransport, scheduler: SchedulerLike): KubeTransport => ({
      ...transport,
      send(request) {
        const afterMs = self.nextMs;
        self.nextMs = 0;
        if (afterMs === 0) return transport.send(request);
        const arrived = new ReplaySubject<Answer>(1);
        timer(afterMs, scheduler)
          .pipe(switchMap(() => transport.send(request)))
          .subscribe(arrived);
        return arrived;
      },
    }),
  };
  return self;
}

describe('what is refused', () => {
  test.each(['get', 'create', 'list'] as const)('access to leases at the start names the rule that is missing: %s', (verb) => {
    const world = leaseWorld();
    world.server.access.forbid({ plural: 'leases', verb });
    const a = world.pod('pod-a', shard);
    world.pass(second);
    expect(a.state()).toBe('LEASES_FORBIDDEN');
    expect(a.message()).toContain(
      `the service account may not ${verb} leases in namespace sluice: give it a Role with the rule {apiGroups: [coordination.k8s.io]`,
    );
    expect(a.message()).toContain('--checkpoint none');
  });

  test('access that is taken away later is waited for', () => {
    const { pass, server, a } = worldOfA();
    const allow = server.access.forbid({ plural: 'leases' });
    const saving = a.save('8');
    pass(60 * second);
    expect([a.state(), saving.state()]).toEqual(['holding', 'saving']);
    allow();
    pass(10 * second);
    expect(saving.state()).toBe('saved');
  });

  test('a lease that the server finds faulty', () => {
    const { pass, server, a } = worldOfA();
    server.faults.next({ on: 'update' }, { type: 'status', status: 422 });
    const saving = a.save('8');
    pass(second);
    expect(saving.state()).toBe('LEASE_REFUSED');
  });

  test('a checkpoint of other settings, while another holds it, too; reset gives it up', () => {
    const { pass, pod, a, leases } = worldOfA();
    const other = pod('pod-b', shard, { meaning: { sink: 'file' } });
    pass(second);
    expect([other.state(), a.state()]).toEqual(['CHECKPOINT_INVALID', 'holding']);
    a.release();
    const reset = pod('pod-c', shard, { meaning: { sink: 'file' }, reset: true });
    pass(5 * second);
    expect([reset.state(), reset.start(), leases()]).toEqual(['holding', undefined, ['0-of-1 current pod-c -']]);
  });

  test.each([
    [
      'a newer format',
      { 'kube-sluice/state': 'current', 'kube-sluice/checkpoint': '{"format":2}' },
      'it has format 2, which a newer version wrote; this one reads format 1',
    ],
    ['no format', { 'kube-sluice/state': 'current', 'kube-sluice/checkpoint': '{}' }, 'its format must be 1 (got none)'],
    [
      'half a checkpoint',
      { 'kube-sluice/state': 'current', 'kube-sluice/checkpoint': '{"format":1,"positions":{}}' },
      'a field is missing or has another type',
    ],
    ['no JSON', { 'kube-sluice/state': 'current', 'kube-sluice/checkpoint': 'x' }, 'it is not JSON of a checkpoint'],
    ['no sign of us', {}, 'lease kube-sluice-0-of-1 exists, but no shard of this app has made it'],
  ])('%s; reset gives it up', (_, annotations, message) => {
    const world = leaseWorld();
    world.server.create('Lease', { metadata: { name: 'kube-sluice-0-of-1', namespace: 'sluice', annotations } });
    const a = world.pod('pod-a', shard);
    world.pass(second);
    expect(a.state()).toBe('CHECKPOINT_INVALID');
    expect(a.message()).toContain(message);
    expect(a.message()).toContain('--checkpoint-reset');
    expect(writes(world)).toEqual([]);
    const reset = world.pod('pod-a', shard, { reset: true });
    world.pass(second);
    expect([reset.state(), reset.start()]).toEqual(['holding', undefined]);
  });

  test.each(['', 'Sluice', 'a.b', '-a', 'x'.repeat(64)])('the app name %j', (app) => {
    const world = leaseWorld();
    const a = world.pod('pod-a', shard, { app });
    world.pass(second);
    expect([a.state(), world.server.requests]).toEqual(['CONFIG_INVALID', []]);
  });
});
