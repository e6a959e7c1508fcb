import { readFileSync } from 'node:fs';
import type { Core } from '../../src/simulator/core.ts';
import type { GivenObject, PlainObject } from '../../src/simulator/object.ts';

/** Writes objects like those of a real server into a simulated one: recorded Events and pods under new names. */
export interface EventLoad {
  /** Pods of so many owners, ten to an owner. */
  pods(count: number): void;
  /** One Event about a pod that exists, or about a recorded object while there is none. Gives its name. */
  event(): string;
}

const folder = new URL('../fixtures/apiserver-1.36.2/', import.meta.url);
const podsPerOwner = 10;

export function eventLoad(server: Core): EventLoad {
  const events = recorded('events.json.stream').filter((event) => aboutOf(event)['kind'] === 'Pod');
  const [template] = recorded('pods.json.stream').filter(({ metadata }) => ownerOf(metadata)?.['kind'] === 'ReplicaSet');
  const known: PlainObject[] = [];
  let written = 0;

  return {
    pods(count) {
      if (template === undefined) throw new Error('no pod of a ReplicaSet is recorded');
      for (let at = 0; at < count; at++) {
        const pod = server.create('Pod', podLike(template, at));
        known.push({ metadata: pod.metadata });
      }
    },
    event() {
      const event = events[written % events.length];
      if (event === undefined) throw new Error('no Event about a pod is recorded');
      const pod = known[(written * 7919) % Math.max(known.length, 1)];
      written += 1;
      const { metadata, ...rest } = event;
      const about = pod === undefined ? {} : { name: pod.metadata.name, namespace: pod.metadata.namespace, uid: pod.metadata.uid };
      const involvedObject = { ...aboutOf(event), ...about };
      const name = `${String(involvedObject['name'])}.${written.toString(16).padStart(16, '0')}`;
      const namespace = String(involvedObject['namespace'] ?? 'default');
      server.create('Event', { ...rest, involvedObject, metadata: { name, namespace, managedFields: metadata['managedFields'] ?? [] } });
      return name;
    },
  };
}

function podLike({ metadata }: PlainObject, at: number): GivenObject {
  const owner = `web-${Math.floor(at / podsPerOwner)}-5d9c7b8f64`;
  const labels = { ...metadata.labels, 'pod-template-hash': '5d9c7b8f64' };
  const ownerReferences = [{ ...ownerOf(metadata), name: owner }];
  const namespace = `team-${at % 40}`;
  const suffix = at.toString(36).padStart(5, '0');
  return { metadata: { name: `${owner}-${suffix}`, namespace, labels, ownerReferences, managedFields: metadata['managedFields'] ?? [] } };
}

function ownerOf(metadata: PlainObject['metadata']): Readonly<Record<string, unknown>> | undefined {
  const owners = metadata['ownerReferences'];
  return Array.isArray(owners) ? (owners[0] as Readonly<Record<string, unknown>>) : undefined;
}

function aboutOf(event: PlainObject): Readonly<Record<string, unknown>> {
  return (event['involvedObject'] ?? {}) as Readonly<Record<string, unknown>>;
}

function recorded(file: string): PlainObject[] {
  return readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"type":"ADDED"'))
    .map((line) => (JSON.parse(line) as { readonly object: PlainObject }).object);
}
