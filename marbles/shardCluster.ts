import { defer, ignoreElements, map, NEVER, Observable, of, type Subscription, timer } from 'rxjs';
import type { MarbleHelpers } from '../src/marbleKit.ts';
import type { Entry } from '../src/model/entry.ts';
import type { EventObject } from '../src/model/kube.ts';
import { owns, type Shard } from '../src/model/shard.ts';
import { pipeline } from '../src/pipeline.ts';
import type { PipelineSettings } from '../src/pipelineSettings.ts';
import type { CheckpointStore, Sink, SinkResult } from '../src/ports.ts';
import { type Core, core } from '../src/simulator/core.ts';
import { seededRandom } from '../src/simulator/seededRandom.ts';
import { virtualTransport } from '../src/simulator/virtualTransport.ts';
import { noStore } from '../src/transports/memoryStore.ts';
import { date } from './builders.ts';

/** A simulated server that a diagram drives, and shards that read it. */
export interface ShardCluster {
  readonly server: Core;
  /**
   * Does what the letters say when they come: `a` to `z` create an Event of that name about a pod of its own,
   * a capital letter writes it again; `/` cuts every watch, `?` compacts the history and cuts.
   */
  drive(diagram: string): Subscription;
  /** What one shard stores, as the letters of the diagram, capitals for later revisions. */
  shard(shard: Shard, more?: ShardMore): Observable<string>;
  /** The diagram with only the letters whose Events this shard owns. */
  share(diagram: string, shard: Shard): string;
}

export interface ShardMore extends Partial<PipelineSettings> {
  readonly store?: CheckpointStore;
  /** How long the sink takes to answer, in milliseconds; it has the entries at once. Default 0. */
  readonly answerMs?: number;
  readonly stop?: Observable<unknown>;
}

const podUid = (letter: string): string =>
  `0e0e0e0e-0000-4000-8000-00000000${letter.toLowerCase().charCodeAt(0).toString(16).padStart(4, '0')}`;

export function shardCluster({ hot, scheduler, runtime }: MarbleHelpers): ShardCluster {
  const server = core({ resourceVersion: '100', minor: 36 }, { now: () => scheduler.now(), random: seededRandom(7) });
  const counts = new Map<string, number>();

  const write = (letter: string): void => {
    const name = letter.toLowerCase();
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const involvedObject = { kind: 'Pod', namespace: 'shop', name: `pod-${name}`, uid: podUid(name) };
    const event: EventObject = { metadata: { name, namespace: 'shop' }, involvedObject, count, type: 'Normal', lastTimestamp: date };
    if (count === 1) server.create('Event', event);
    else server.update('Event', event);
  };
  const happen = (letter: string): void => {
    if (letter === '?') server.compact();
    if (letter === '/' || letter === '?') server.endStreams('reset', 'events');
    else if (/[a-z]/i.test(letter)) write(letter);
  };

  return {
    server,
    drive: (diagram) => hot(diagram).subscribe(happen),
    shard: (shard, { store = noStore(), answerMs = 0, stop = NEVER, ...settings } = {}) =>
      new Observable((subscriber) => {
        const transport = virtualTransport(server, { latencyMsMax: 0 }, runtime);
        const sink: Sink = {
          identity: 'letters',
          write: (batch) =>
            defer(() => {
              for (const entry of batch) subscriber.next(letterOf(entry));
              const results = batch.map((): SinkResult => ({ type: 'stored' }));
              return answerMs === 0 ? of(results) : timer(answerMs, runtime.scheduler).pipe(map(() => results));
            }),
        };
        const checkpoints = pipeline({ ownerLabels: false, saveMs: 0, ...settings, shard }, { transport, sink, store }, stop, runtime);
        return checkpoints.pipe(ignoreElements()).subscribe(subscriber);
      }),
    share: (diagram, shard) => diagram.replace(/[a-z]/gi, (letter) => (owns(shard, podUid(letter)) ? letter : '-')),
  };
}

/** The letter of the Event, a capital if it had been written before; `%` for a gap record, `*` for a first entry, `>` for one of a start that resumed. */
function letterOf({ action, payload }: Entry): string {
  const { metadata, count } = payload as unknown as EventObject;
  if (action === 'GAP') return '%';
  if (action === 'START') return payload['resumed'] === true ? '>' : '*';
  const name = metadata.name ?? '';
  return (count ?? 1) > 1 ? name.toUpperCase() : name;
}
