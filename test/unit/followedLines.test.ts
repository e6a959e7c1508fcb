import { concat, NEVER, type Observable, of } from 'rxjs';
import { describe, expect } from 'vitest';
import { marble } from '../../marbles/marble.ts';
import type { MarbleHelpers } from '../../src/marbleKit.ts';
import type { Change } from '../../src/model/change.ts';
import type { Item } from '../../src/model/occurrence.ts';
import { keepShard } from '../../src/operators/keepShard.ts';
import { mergeBookmarks } from '../../src/operators/mergeBookmarks.ts';
import { toOccurrences } from '../../src/operators/toOccurrences.ts';
import type { Frame, KubeTransport } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { events } from '../../src/sources/events.ts';
import { watchFrames } from '../../src/transports/watchFrames.ts';

const line = (resourceVersion: string, uid: string, type = 'ADDED'): string =>
  `${JSON.stringify({ type, object: { kind: 'Event', metadata: { uid: resourceVersion, resourceVersion }, involvedObject: { uid } } })}\n`;

/** A watch whose body is one chunk and then stays open. */
function watchOf(chunk: string, runtime: Runtime): Observable<Change<never>> {
  const answer = { type: 'answer', status: 200, body: Buffer.from('{"metadata":{"resourceVersion":"9"},"items":[]}') } as const;
  const transport: KubeTransport = {
    get: () => of(answer),
    stream: () => concat(of<Frame>({ type: 'opened', status: 200 }), of(Buffer.from(chunk)).pipe(watchFrames()), NEVER),
    send: () => NEVER,
  };
  return events({ namespace: '', resume: '1', shard: { index: 0, total: 2 } }, transport, of(false), runtime) as Observable<Change<never>>;
}

/** What of the chunk has come once it was read, as words. */
function itemsOf(chunk: string, { runtime, flush }: MarbleHelpers): string[] {
  const shard = { index: 0, total: 2 } as const;
  const told: string[] = [];
  const reading = watchOf(chunk, runtime)
    .pipe(toOccurrences(runtime, shard), keepShard(shard, runtime), mergeBookmarks())
    .subscribe((item: Item) => told.push(`${item.type} ${'resourceVersion' in item ? item.resourceVersion : ''}`));
  runtime.scheduler.schedule(() => reading.unsubscribe(), 100);
  flush();
  return told;
}

describe('lines of one chunk', () => {
  // With two shards, the key "a" is the first's and "b" the second's.
  marble('are passed with one bookmark for each run of foreign and deleted ones', (t) => {
    expect(itemsOf(line('2', 'b') + line('3', 'a', 'DELETED') + line('4', 'a') + line('5', 'b') + line('6', 'b'), t)).toEqual([
      'bookmark 3',
      'occurrence 4',
      'bookmark 6',
    ]);
  });

  marble('move the position to the last one that was understood, also when the chunk ends in one that was not', (t) => {
    expect(itemsOf(`${line('2', 'b')}${line('3', 'b')}no watch event\n`, t)).toEqual(['bookmark 3']);
    expect(itemsOf(`${line('2', 'b')}no watch event\n${line('3', 'b')}`, t)).toEqual(['bookmark 3']);
  });
});
