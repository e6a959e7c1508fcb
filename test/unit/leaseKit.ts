import { expect } from 'vitest';
import type { PlainObject } from '../../src/testing.ts';
import { type LeaseWorld, leaseWorld, type Pod, type PodSettings } from './leaseWorld.ts';

export const shard = { index: 0, total: 1 };
export const second = 1_000;

/** A world where pod-a holds the shard and has saved position 7. */
export function worldOfA(settings: PodSettings = {}) {
  const world = leaseWorld();
  const a = world.pod('pod-a', shard, settings);
  world.pass(second);
  const saving = a.save('7');
  world.pass(second);
  expect([a.state(), saving.state()]).toEqual(['holding', 'saved']);
  return { ...world, a };
}

/** Somebody else changes the lease, without minding its version. */
export function annotate({ server, lease }: Pick<LeaseWorld, 'server' | 'lease'>, value: string): void {
  const { metadata, ...rest } = lease(shard) as PlainObject;
  const labels = { ...metadata.labels, team: 'x' };
  server.update('Lease', { ...rest, metadata: { ...metadata, labels, annotations: { ...metadata.annotations, note: value } } });
}

export const writes = ({ server }: Pick<LeaseWorld, 'server'>): string[] =>
  server.requests.flatMap(({ method, outcome }) => (method === 'GET' ? [] : [`${method} ${outcome}`]));

export const told = (pod: Pod, type: string): number => pod.signals.filter((signal) => signal.type === type).length;
