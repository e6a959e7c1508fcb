import type { Core } from '../simulator/core.ts';
import type { DemoShard } from './demoShard.ts';

/** Something that goes wrong once so many Event revisions are written. */
export interface DemoIncident {
  readonly afterRevisions: number;
  readonly text: string;
  readonly happen: () => void;
}

/** The troubles of the demo, in order: a cut, a 410, a restart, a hand-over. */
export function demoIncidents(server: Core, shards: readonly DemoShard[], revisions: number): readonly DemoIncident[] {
  const at = (share: number): number => Math.round(revisions * share);
  let serve = (): void => undefined;
  return [
    {
      afterRevisions: at(0.2),
      text: 'every connection that watches events is cut',
      happen: () => void server.endStreams('reset', 'events'),
    },
    {
      afterRevisions: at(0.4),
      text: 'the server is too busy for watches (429), and writes go on',
      happen: () => {
        serve = server.faults.always({ stream: 'events', on: 'watch' }, { type: 'status', status: 429, retryAfter: '1' });
        server.endStreams('close', 'events');
      },
    },
    {
      afterRevisions: at(0.5),
      text: 'the history up to now is compacted, watches are answered again: with 410',
      happen: () => {
        server.compact();
        serve();
      },
    },
    {
      afterRevisions: at(0.65),
      text: `shard ${shards[1]?.shard.index} is stopped; a second later it starts again from its checkpoint`,
      happen: () => shards[1]?.restart(1_000),
    },
    {
      afterRevisions: at(0.8),
      text: `a second process of shard ${shards[2]?.shard.index} waits for its lease; a second later the first is stopped, and it takes over`,
      happen: () => shards[2]?.handOver(1_000),
    },
  ];
}
