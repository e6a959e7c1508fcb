import { defer, type SchedulerLike, switchMap, timer } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { KubeTransport } from '../../src/ports.ts';
import { minute, podsOf, saveAll, second, starts, states, worldOfThree } from './mapKit.ts';

describe('leases of an earlier map', () => {
  test('stay until each shard of the new one has begun, whoever crashes meanwhile', () => {
    const { old, ...world } = worldOfThree();
    for (const pod of old) pod.release();
    const fresh = [0, 1, 2, 3].map((index) => world.pod(`b${index}`, { index, total: 5 }));
    world.pass(10 * minute);
    expect(world.leases().filter((line) => line.includes('-of-3'))).toEqual([
      '0-of-3 superseded - 10',
      '1-of-3 superseded - 20',
      '2-of-3 superseded - 30',
    ]);
    saveAll(world, fresh, '50', '51', '52', '53');
    const last = world.pod('b4', { index: 4, total: 5 });
    world.pass(minute);
    expect([last.state(), starts([last]), world.leases().length]).toEqual(['holding', '10', 5]);
  });

  test('that were only announced do not pile up', () => {
    const { old, ...world } = worldOfThree();
    const [dead, gone] = podsOf(world, 'b', 2);
    world.pass(second);
    dead?.crash();
    gone?.release();
    const again = old.map((pod, index) => {
      pod.crash();
      return world.pod(`a${index}`, { index, total: 3 });
    });
    world.pass(5 * minute);
    expect([states(again), world.leases()]).toEqual([
      'holding holding holding',
      ['0-of-3 current a0 10', '1-of-3 current a1 20', '2-of-3 current a2 30'],
    ]);
  });

  test('are looked for only as long as there is one, and not where that is forbidden', () => {
    const { old, ...world } = worldOfThree();
    const lists = (): number => world.server.requests.filter(({ on }) => on === 'list').length;
    const before = lists();
    world.pass(10 * minute);
    expect(lists()).toBe(before);
    old[0].crash();
    world.server.access.forbid({ plural: 'leases', verb: 'list' });
    world.pod('a0', { index: 0, total: 3 });
    world.pass(10 * minute);
    expect(lists()).toBe(before + 1);
  });

  test('are not removed when somebody has taken them since they were looked at', () => {
    const { old, ...world } = worldOfThree();
    for (const pod of old) pod.release();
    world.pass(second);
    const [fresh] = podsOf(world, 'b', 1, { through: (transport, scheduler) => ({ ...transport, send: slowly(transport, scheduler) }) });
    while (fresh?.state() !== 'holding' || world.server.requests.at(-1)?.on !== 'list') world.pass(1);
    const back = podsOf(world, 'a', 3);
    world.pass(10 * second);
    const removals = world.server.requests.filter(({ on }) => on === 'delete').map(({ outcome }) => outcome);
    expect([removals, states(back)]).toEqual([[409, 409, 409], 'waiting waiting waiting']);
  });
});

/** Sends removals two seconds late. */
function slowly(transport: KubeTransport, scheduler: SchedulerLike): KubeTransport['send'] {
  return (request) => {
    const sent = defer(() => transport.send(request));
    return request.method === 'DELETE' ? timer(2_000, scheduler).pipe(switchMap(() => sent)) : sent;
  };
}
