import { describe, expect, test } from 'vitest';
import { second, shard, worldOfA } from './leaseKit.ts';
import { wire } from './leaseWorld.ts';

describe('clocks', () => {
  test.each([-10, 10])('of pods that are %i years off are never compared', (years) => {
    const { pass, pod, a } = worldOfA();
    a.skewMs = years * 365 * 86_400 * second;
    const b = pod('pod-b', shard);
    pass(600 * second);
    expect([a.state(), b.state()]).toEqual(['holding', 'waiting']);
    a.crash();
    pass(20 * second);
    expect(b.state()).toBe('holding');
  });

  test('that jump, forth or back, in the holder or in who waits, kill nobody', () => {
    const { pass, pod, a } = worldOfA();
    const b = pod('pod-b', shard);
    for (const [who, hours] of [
      [a, 1],
      [b, 1],
      [a, -2],
      [b, -2],
      [b, 5],
      [a, 7],
    ] as const) {
      pass(31 * second);
      who.skewMs += hours * 3_600 * second;
    }
    pass(600 * second);
    expect([a.state(), b.state()]).toEqual(['holding', 'waiting']);
    a.crash();
    b.skewMs -= 3_600 * second;
    pass(25 * second);
    expect(b.state()).toBe('holding');
  });

  test('that stand still leave renewals that can be seen', () => {
    const { pass, pod, a } = worldOfA();
    const b = pod('pod-b', shard);
    for (let at = 0; at < 60_000; at++) {
      pass(1);
      a.skewMs -= 1;
    }
    expect([a.state(), b.state()]).toEqual(['holding', 'waiting']);
  });

  test('that were not looked at do not count: a pod that slept does not find the other dead', () => {
    const { pass, pod, server, a } = worldOfA();
    const b = pod('pod-b', shard);
    pass(5 * second);
    const wake = server.faults.always({ stream: 'leases' }, { type: 'refuse' });
    pass(600 * second);
    wake();
    pass(600 * second);
    expect([a.state(), b.state()]).toEqual(['holding', 'waiting']);
  });
});

test('who gets an answer only now and then cannot tell whether the other is dead', () => {
  const cable = wire();
  const { pass, pod, server, a } = worldOfA(cable);
  const b = pod('pod-b', shard);
  pass(second);
  cable.isCut = true;
  for (let at = 0; at < 30; at++) {
    server.faults.next({ on: 'get' }, { type: 'refuse' });
    pass(4 * second);
  }
  cable.isCut = false;
  pass(60 * second);
  expect([a.state(), b.state()]).toEqual(['holding', 'waiting']);
});
