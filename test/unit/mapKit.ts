import { expect } from 'vitest';
import type { Shard, ShardFunction } from '../../src/model/shard.ts';
import { type LeaseWorld, leaseWorld, type Pod, type PodSettings, wire } from './leaseWorld.ts';

export const second = 1_000;
export const minute = 60 * second;

/** Pods of all shards of a map, by index; their names are letter and index. */
export function podsOf(world: LeaseWorld, letter: string, total: number, more: { function?: ShardFunction } & PodSettings = {}): Pod[] {
  const { function: shardFunction, ...settings } = more;
  const shard = (index: number): Shard => ({ index, total, ...(shardFunction === undefined ? {} : { function: shardFunction }) });
  return Array.from({ length: total }, (_, index) => world.pod(`${letter}${index}`, shard(index), settings));
}

export const states = (pods: readonly Pod[]): string => pods.map((pod) => pod.state()).join(' ');
export const starts = (pods: readonly Pod[]): string => pods.map((pod) => pod.start()?.positions['']?.at ?? '-').join(' ');
export const told = (pod: Pod, type: string): number => pod.signals.filter((signal) => signal.type === type).length;

export function saveAll(world: LeaseWorld, pods: readonly Pod[], ...at: readonly string[]): void {
  const saves = pods.map((pod, index) => pod.save(at[index] ?? ''));
  world.pass(second);
  expect(saves.map((save) => save.state())).toEqual(saves.map(() => 'saved'));
}

/** Three pods that hold the map of three and stand at 10, 20 and 30; one cable leads to all of them. */
export function worldOfThree() {
  const world = leaseWorld();
  const cable = wire();
  const old = podsOf(world, 'a', 3, cable) as [Pod, Pod, Pod];
  world.pass(10 * second);
  expect(states(old)).toBe('holding holding holding');
  saveAll(world, old, '10', '20', '30');
  return { ...world, old, cable };
}

/** What pods of a map after that of three inherit. */
export const vectorOfThree = {
  total: 3,
  function: 'fnv1a32-mod',
  positions: { '': [10, 20, 30].map((at) => ({ at: String(at), incarnation: 0 })) },
};
