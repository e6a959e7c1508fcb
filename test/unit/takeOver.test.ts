import { describe, expect, test } from 'vitest';
import { leaseWorld, type Pod } from './leaseWorld.ts';
import { minute, podsOf, saveAll, second, starts, states, told, vectorOfThree, worldOfThree } from './mapKit.ts';

describe('a rollout from three shards to five', () => {
  test('pauses until the last old pod is gone, goes on from the least position, and removes what is old', () => {
    const { old, ...world } = worldOfThree();
    const fresh = [3, 4].map((index) => world.pod(`b${index}`, { index, total: 5 }));
    for (const index of [2, 1, 0]) {
      world.pass(5 * minute);
      expect([states(fresh), old[index]?.state()]).toEqual([fresh.map(() => 'waiting').join(' '), 'holding']);
      old[index]?.release();
      fresh.push(world.pod(`b${index}`, { index, total: 5 }));
    }
    world.pass(10 * second);
    expect([states(fresh), starts(fresh)]).toEqual(['holding holding holding holding holding', '10 10 10 10 10']);
    for (const pod of fresh) expect(pod.start()?.inherited).toEqual([vectorOfThree]);
    expect(fresh.map((pod) => told(pod, 'shardWaiting'))).toEqual([1, 1, 1, 1, 0]);
    world.pass(minute);
    expect(world.leases()).toEqual([0, 1, 2, 3, 4].map((index) => `${index}-of-5 current b${index} 10`));
  });

  test('need not wait for a pod that has died longer than it takes to be silent', () => {
    const { old, ...world } = worldOfThree();
    old[1].release();
    for (const pod of old) pod.crash();
    const fresh = podsOf(world, 'b', 5);
    world.pass(14_900);
    expect(states(fresh)).toBe('waiting waiting waiting waiting waiting');
    world.pass(10 * second);
    expect([states(fresh), starts(fresh)]).toEqual(['holding holding holding holding holding', '10 10 10 10 10']);
  });

  test('lets an old pod that restarts in the middle go on, and takes nothing from it', () => {
    const { old, ...world } = worldOfThree();
    const fresh = [3, 4].map((index) => world.pod(`b${index}`, { index, total: 5 }));
    old[2].release();
    old[0].crash();
    fresh.push(world.pod('b2', { index: 2, total: 5 }));
    world.pass(30 * second);
    const again = world.pod('a0', { index: 0, total: 3 });
    world.pass(minute);
    expect([states([again]), starts([again]), states(fresh)]).toEqual(['holding', '10', 'waiting waiting waiting']);
    saveAll(world, [again, old[1]], '15', '25');
    for (const pod of [again, old[1]]) pod.release();
    fresh.push(...[0, 1].map((index) => world.pod(`b${index}`, { index, total: 5 })));
    world.pass(10 * second);
    expect([states(fresh), starts(fresh)]).toEqual(['holding holding holding holding holding', '15 15 15 15 15']);
  });

  test('keeps an old pod from delivering that comes back when the new ones have begun', () => {
    const { old, ...world } = worldOfThree();
    for (const pod of old) pod.crash();
    const fresh = [1, 2, 3, 4].map((index) => world.pod(`b${index}`, { index, total: 5 }));
    world.pass(20 * second);
    expect(states(fresh)).toBe('holding holding holding holding');
    const back = world.pod('a0', { index: 0, total: 3 });
    world.pass(5 * minute);
    expect([back.state(), told(back, 'shardWaiting'), states(fresh)]).toEqual(['waiting', 1, 'holding holding holding holding']);
    expect(back.signals).toContainEqual({ type: 'shardWaiting', cause: 'otherMap', claim: 'kube-sluice-1-of-5', holder: 'b1' });
    const last = world.pod('b0', { index: 0, total: 5 });
    world.pass(10 * second);
    expect([last.state(), starts([last]), back.state()]).toEqual(['holding', '10', 'waiting']);
  });

  test('is undone: the old ones take over again, with what the new ones had done', () => {
    const { old, ...world } = worldOfThree();
    for (const pod of old) pod.release();
    const fresh = [0, 1, 2].map((index) => world.pod(`b${index}`, { index, total: 5 }));
    world.pass(10 * second);
    saveAll(world, fresh, '100', '110', '120');
    const back = podsOf(world, 'c', 3);
    world.pass(minute);
    expect(states(back)).toBe('waiting waiting waiting');
    for (const pod of fresh) pod.release();
    world.pass(10 * second);
    // Shards 3 and 4 of five never began: what is theirs stands where the three had left it.
    expect([states(back), starts(back)]).toEqual(['holding holding holding', '10 20 30']);
    const partly = {
      total: 5,
      function: 'fnv1a32-mod',
      positions: { '': [100, 110, 120].map((at) => ({ at: String(at), incarnation: 0 })).concat([null, null] as never[]) },
    };
    for (const pod of back) expect(pod.start()?.inherited).toEqual([partly]);
    world.pass(minute);
    expect(world.leases().map((line) => line.split(' ')[0])).toEqual(['0-of-3', '1-of-3', '2-of-3']);
  });

  test('waits for pods that only wait themselves; of two maps that start at once one goes on when the other is gone', () => {
    const world = leaseWorld(1);
    const [three, five] = [podsOf(world, 'a', 3), podsOf(world, 'b', 5)];
    world.pass(5 * minute);
    expect(states([...three, ...five])).toBe(Array(8).fill('waiting').join(' '));
    for (const pod of three) pod.release();
    world.pass(10 * second);
    expect([states(five), starts(five)]).toEqual(['holding holding holding holding holding', '- - - - -']);
  });
});

describe('trouble while taking over', () => {
  test('makes nobody dead of whom answers come only now and then', () => {
    const { old, cable, ...world } = worldOfThree();
    const [fresh] = podsOf(world, 'b', 1);
    world.pass(second);
    cable.isCut = true;
    for (let at = 0; at < 30; at++) {
      world.server.faults.next({ on: 'list' }, { type: 'refuse' });
      world.pass(4 * second);
    }
    cable.isCut = false;
    world.pass(minute);
    expect([states(old), fresh?.state()]).toEqual(['holding holding holding', 'waiting']);
  });

  test('makes no hot loop when old leases cannot be superseded, and ends when they can', () => {
    const { old, ...world } = worldOfThree();
    for (const pod of old) pod.release();
    world.pass(second);
    const back = world.server.faults.always({ on: 'update' }, { type: 'status', status: 503 });
    const [fresh] = podsOf(world, 'b', 1);
    const before = world.server.requests.length;
    world.pass(10 * minute);
    expect(fresh?.state()).toBe('waiting');
    expect(world.server.requests.length - before).toBeLessThan(5 * 600);
    back();
    world.pass(10 * second);
    expect([fresh?.state(), starts([fresh as Pod])]).toEqual(['holding', '10']);
  });

  test('is none for who loses a lease by which it only waits: it announces itself again', () => {
    const { old, ...world } = worldOfThree();
    const [fresh] = podsOf(world, 'b', 1);
    world.pass(second);
    world.server.remove('Lease', 'sluice', 'kube-sluice-0-of-1');
    world.pass(minute);
    expect([fresh?.state(), world.leases()[0]]).toEqual(['waiting', '0-of-1 waiting b0 -']);
    for (const pod of old) pod.release();
    world.pass(10 * second);
    expect(fresh?.state()).toBe('holding');
  });

  test('ends a pod of the old map that was cut off: its lease has another token', () => {
    const { old, cable, ...world } = worldOfThree();
    cable.isCut = true;
    const fresh = [0, 1, 2, 3].map((index) => world.pod(`b${index}`, { index, total: 5 }));
    world.pass(30 * second);
    expect(states(fresh)).toBe('holding holding holding holding');
    expect([0, 1, 2].map((index) => world.lease({ index, total: 3 })?.['spec'])).toMatchObject(
      [2, 2, 2].map((leaseTransitions) => ({ leaseTransitions })),
    );
    cable.isCut = false;
    world.pass(10 * second);
    expect(states(old)).toBe('SHARD_HELD SHARD_HELD SHARD_HELD');
  });
});

describe('another shard function', () => {
  test('is another map: it waits, and takes over', () => {
    const { old, ...world } = worldOfThree();
    const fresh = podsOf(world, 'b', 3, { function: 'fnv1a64-range' });
    world.pass(minute);
    expect(states(fresh)).toBe('waiting waiting waiting');
    for (const pod of old) pod.release();
    world.pass(10 * second);
    expect([states(fresh), starts(fresh), fresh[0]?.start()?.inherited]).toEqual(['holding holding holding', '10 10 10', [vectorOfThree]]);
    world.pass(minute);
    expect(world.leases()).toEqual([0, 1, 2].map((index) => `${index}-of-3-fnv1a64-range current b${index} 10`));
  });
});

describe('other settings', () => {
  test('of the earlier map are refused at once; reset gives up its positions and still waits', () => {
    const { old, ...world } = worldOfThree();
    const [refused] = podsOf(world, 'b', 2, { meaning: { sink: 'file' } });
    world.pass(second);
    expect(refused?.state()).toBe('CHECKPOINT_INVALID');
    expect(refused?.message()).toContain('sink: stored "memory", now "file"');
    const reset = podsOf(world, 'c', 5, { meaning: { sink: 'file' }, reset: true });
    world.pass(minute);
    expect(states(reset)).toBe('waiting waiting waiting waiting waiting');
    for (const pod of old) pod.release();
    world.pass(10 * second);
    expect([states(reset), starts(reset)]).toEqual(['holding holding holding holding holding', '- - - - -']);
  });
});
