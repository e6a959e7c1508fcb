import { describe, expect, test } from 'vitest';
import type { Shard, ShardFunction } from '../../src/model/shard.ts';
import type { Fault } from '../../src/testing.ts';
import { type ShardMaps, shardMaps, type Worker } from './shardMaps.ts';

const second = 1_000;

type Template = Pick<Required<Shard>, 'total' | 'function'>;

/** What a StatefulSet does to its pods, a step at a time: as many as the template says, replaced one by one from the last. */
function statefulSet(maps: ShardMaps, first: Template, orderly: boolean) {
  const { random, start } = maps;
  const pods: (Worker | undefined)[] = [];
  let template = first;
  let names = 0;
  const isNew = ({ shard }: Worker): boolean => shard.total === template.total && shard.function === template.function;
  const create = (index: number, of: Template, name = `pod-${index}-${names++}`): void => {
    pods[index] = start(name, { index, ...of });
  };
  return {
    pods,
    roll(next: Template) {
      template = next;
    },
    step() {
      for (const [index, pod] of pods.entries()) {
        if (pod?.isOver() !== true) continue;
        pod.crash();
        // The container comes back in the same pod, with what it was started with; or the pod is made anew.
        if (index < template.total)
          create(index, random() < 0.5 ? pod.shard : template, !isNew(pod) || random() < 0.5 ? undefined : pod.name);
        else pods[index] = undefined;
      }
      for (let index = 0; index < template.total; index++) if (pods[index] === undefined) create(index, template);
      const old = pods.findLastIndex((pod, index) => pod !== undefined && (index >= template.total || !isNew(pod)));
      if (old >= 0 && random() < 0.3) pods[old]?.stop();
    },
    crashOne() {
      if (!orderly) pods[Math.floor(random() * pods.length)]?.crash();
    },
  };
}

/** An incarnation of troubles: what is done to the leases of all, or to the network of one. */
function trouble({ world, random }: ShardMaps, pods: readonly (Worker | undefined)[], orderly: boolean): void {
  const { server, clock } = world;
  const lastsMs = random() * 40 * second;
  const until = (undo: () => void, ms = lastsMs): void => void clock.scheduler.schedule(undo, ms);
  const lost: Fault = { type: 'lost' };
  if (orderly) {
    until(server.faults.always({ stream: 'leases', on: ['create', 'update', 'delete'] }, lost), random() * 3 * second);
    return;
  }
  const faults: readonly Fault[] = [lost, { type: 'refuse' }, { type: 'hang' }, { type: 'status', status: 503 }];
  const fault = faults[Math.floor(random() * faults.length)] ?? lost;
  if (random() < 0.5) {
    const on = random() < 0.5 ? {} : ({ on: random() < 0.5 ? 'update' : 'list' } as const);
    until(server.faults.always({ stream: 'leases', ...on }, fault));
    return;
  }
  const pod = pods[Math.floor(random() * pods.length)];
  if (pod === undefined) return;
  pod.cable.isCut = true;
  until(() => {
    pod.cable.isCut = false;
  });
}

function live(seed: number, orderly: boolean): ShardMaps {
  const maps = shardMaps(seed);
  const { world, random, happen } = maps;
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const template = (): Template => ({ total: pick([1, 2, 3, 5]), function: pick<ShardFunction>(['fnv1a32-mod', 'fnv1a64-range']) });
  const set = statefulSet(maps, template(), orderly);
  for (let at = 0; at < 15 * 60; at++) {
    if (random() < 0.5) happen();
    if (random() < 0.01) set.roll(template());
    if (random() < 0.03) maps.pace = random();
    if (random() < 0.02) set.crashOne();
    if (random() < 0.02) trouble(maps, set.pods, orderly);
    set.step();
    world.pass(second);
  }
  maps.pace = 1;
  world.server.faults.clear();
  for (const pod of set.pods) if (pod !== undefined) pod.cable.isCut = false;
  for (let at = 0; at < 5 * 60; at++) {
    set.step();
    world.pass(second);
  }
  expect(
    set.pods
      .filter((pod) => pod !== undefined)
      .map((pod) => pod.pod.state())
      .filter((state) => state !== 'holding'),
  ).toEqual([]);
  for (const pod of set.pods) pod?.crash();
  return maps;
}

/** After each write: all leases that give the right to deliver are of one map. */
function mixedMaps({ world }: ShardMaps): string[] {
  const current = new Map<string, string>();
  return world.server.writes.flatMap(({ kind, type, object, resourceVersion }) => {
    if (kind !== 'Lease') return [];
    const name = object.metadata.name ?? '';
    if (type !== 'DELETED' && object.metadata.annotations?.['kube-sluice/state'] === 'current')
      current.set(name, name.replace(/^kube-sluice-\d+-of-/, ''));
    else current.delete(name);
    const now = new Set(current.values());
    return now.size > 1 ? [`${resourceVersion}: ${[...current.keys()].join(', ')}`] : [];
  });
}

function counted({ happened, deliveries }: ShardMaps): { lost: string[]; repeated: string[] } {
  const times = new Map<string, string[]>();
  for (const { version, pod, atMs } of deliveries) times.set(version, [...(times.get(version) ?? []), `${pod} at ${atMs}`]);
  return {
    lost: happened.filter(({ version }) => !times.has(version)).map(({ version }) => version),
    repeated: [...times].filter(([, by]) => by.length > 1).map(([version, by]) => `${version} by ${by.join(' and ')}`),
  };
}

const seeds = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe('shard maps that change', () => {
  test.each(seeds(8))('in order, with answers lost now and then: each once (seed %i)', (seed) => {
    const maps = live(seed, true);
    expect(mixedMaps(maps)).toEqual([]);
    expect(counted(maps)).toEqual({ lost: [], repeated: [] });
    expect(maps.happened.length).toBeGreaterThan(100);
  });

  test.each(seeds(12))('with crashes, outages and pods that are cut off: nothing is lost (seed %i)', (seed) => {
    const maps = live(seed, false);
    expect(mixedMaps(maps)).toEqual([]);
    expect(counted(maps).lost).toEqual([]);
  });
});
