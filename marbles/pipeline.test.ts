import { concat, defer, EMPTY } from 'rxjs';
import { describe, expect } from 'vitest';
import type { Checkpoint } from '../src/model/checkpoint.ts';
import type { ShardFunction } from '../src/model/shard.ts';
import type { CheckpointStore } from '../src/ports.ts';
import { memoryStore } from '../src/transports/memoryStore.ts';
import { marble } from './marble.ts';
import { shardCluster } from './shardCluster.ts';

const totals = [3, 1, 2, 5, 16];
const functions: readonly ShardFunction[] = ['fnv1a32-mod', 'fnv1a64-range'];

/**
 * Letters are Events; a capital is a later revision of one. The first line is what the cluster does: letters
 * are written, `/` cuts every watch, `?` compacts the history too. The second is what the shards store.
 */
describe('pipeline', () => {
  for (const total of totals) {
    for (const shardFunction of functions) {
      marble(`delivers each revision once over ${total} shards by ${shardFunction}`, (t) => {
        t.setRandom(0);
        const { drive, shard, share } = shardCluster(t);
        const writes = '--a-b-A-c-d-e-B-A-f-g-h-i-j-k-F-l-m-n-o-p-q-';
        const stored = '--a-b-A-c-d-e-B-A-f-g-h-i-j-k-F-l-m-n-o-p-q-';

        drive(writes);

        for (let index = 0; index < total; index++) {
          const own = { index, total, function: shardFunction };
          t.expectObservable(shard(own), '^-------------------------------------------!').toBe(share(stored, own));
        }
      });
    }

    marble(`goes on over ${total} shards after a cut, with neither a loss nor a repeat`, (t) => {
      t.setRandom(0);
      const { drive, shard, share } = shardCluster(t);
      const writes = '--a-b-/-c-B-/-d-A-/-/-e-C-';
      const stored = '--a-b---c-B---d-A-----e-C-';

      drive(writes);

      for (let index = 0; index < total; index++) {
        const own = { index, total };
        t.expectObservable(shard(own), '^-------------------------!').toBe(share(stored, own));
      }
    });

    marble(`lists again over ${total} shards after a 410, and stores only what is new`, (t) => {
      t.setRandom(0);
      const { drive, shard, share } = shardCluster(t);
      const writes = '--a-b-c-?-d-B-?-e-';
      const stored = '--a-b-c---d-B---e-';

      drive(writes);

      for (let index = 0; index < total; index++) {
        const own = { index, total };
        t.expectObservable(shard(own), '^-----------------!').toBe(share(stored, own));
      }
    });
  }

  marble('reads what is there when it starts, the last revision of each Event', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const writes = '  a-b-A----c-';
    const reading = ' -----^-----!';
    const stored = '  -----(Ab)c-';

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }), reading).toBe(stored);
  });

  marble('resumes from its checkpoint after a crash', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const store = memoryStore();
    const writes = '  --a-b-A-c-d-----C-e-';
    const first = '   ^------!';
    const stored = '  --a-b-A';
    const second = '  ------------^-------!';
    const resumed = ' ------------(cd)C-e-';

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }, { store }), first).toBe(stored);
    t.expectObservable(shard({ index: 0, total: 1 }, { store }), second).toBe(resumed);
  });

  marble('repeats after a crash only what the sink had not acknowledged', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const slow = { store: memoryStore(), answerMs: 3, batchesMax: 10 };
    const writes = '  --a-b-A-c-d-----C-e-';
    const first = '   ^------!              '; //  a is acknowledged at 5; b and A are not when it ends
    const stored = '  --a-b-A';
    const second = '  ------------^---!';
    const resumed = ' ------------(bAcd)';

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }, slow), first).toBe(stored);
    t.expectObservable(shard({ index: 0, total: 1 }, slow), second).toBe(resumed);
  });

  marble('delivers what it has read when it is stopped, and resumes behind it', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const store = memoryStore();
    const writes = '  --a-b-A-c-d------C-e-';
    const stop = t.hot('-----x');
    const stored = '  --a--b--|'; //  b had been read; the sink takes it when it has answered a
    const second = '  ------------^---------!';
    const resumed = ' ------------(Acd)C-e-';

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }, { store, stop, answerMs: 3 })).toBe(stored);
    t.expectObservable(shard({ index: 0, total: 1 }, { store }), second).toBe(resumed);
  });

  marble('ends a list that it is amid when it is stopped, for no position can stand within one', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const store = memoryStore();
    const writes = '  abcdef-------------------g-';
    const first = '   -----^                    ';
    const stop = t.hot('-------x                  ');
    const stored = '  -----(ab)-(cd)-(ef)-|'; //  two in flight at most
    const second = '  -----------------------^---!';
    const resumed = ' -------------------------g-';

    drive(writes);
    t.expectObservable(
      shard({ index: 0, total: 1 }, { store, stop, answerMs: 5, batchesMax: 10, inFlightMax: 2, pageItems: 2 }),
      first,
    ).toBe(stored);
    t.expectObservable(shard({ index: 0, total: 1 }, { store }), second).toBe(resumed);
  });

  marble('says first that it starts, and whether it goes on from a checkpoint', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const store = memoryStore();
    const writes = '  --a-b-A-c-----C-e-';
    const first = '   ^------!';
    const stored = '  *-a-b-A';
    const second = '  ----------^-------!';
    const resumed = ' ----------(>c)C-e-';

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }, { store, announceStart: true }), first).toBe(stored);
    t.expectObservable(shard({ index: 0, total: 1 }, { store, announceStart: true }), second).toBe(resumed);
  });

  marble('holds no position back for its first entry, and leaves it out of what it tells', (t) => {
    t.setRandom(0);
    const { drive, shard, server } = shardCluster(t);
    const saved: Checkpoint[] = [];
    const kept = memoryStore();
    const store: CheckpointStore = {
      ...kept,
      save: (checkpoint) =>
        concat(
          defer(() => {
            saved.push(checkpoint);
            return EMPTY;
          }),
          kept.save(checkpoint),
        ),
    };
    const stop = t.hot('-----x');
    const writes = '  --a------';
    const stored = '  *---a---|'; //  the sink takes one batch at a time, each for 4 ms

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }, { store, stop, answerMs: 4, announceStart: true })).toBe(stored);
    t.flush();

    expect(saved.at(-1)?.positions['']?.at).toBe(server.resourceVersion());
    const told = t.signals.filter(({ type }) => ['received', 'stored'].includes(type));
    expect(told.map(({ type }) => type)).toEqual(['received', 'stored']);
    expect(t.signals).not.toContainEqual({ type: 'warning', text: expect.stringContaining('acknowledgement') });
  });

  marble('pauses reading while the sink is slow, and loses nothing', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const writes = '  -abcdef---------';
    const stored = '  -ab--cd--ef-----'; //  two in flight at most, each for 4 ms

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }, { answerMs: 4, batchesMax: 10, inFlightMax: 2 }), '^---------------!').toBe(stored);
  });

  marble('declares a gap when a revision was overwritten while nobody could read it', (t) => {
    const { drive, shard } = shardCluster(t);
    const writes = '  --a-/-A-A-?-';
    const stored = '  --a 1201ms (%A)'; //  400 ms after the cut comes the 410, 800 ms later the list; the first A is gone

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }), '^ 2s !').toBe(stored);
  });

  marble('declares a gap when the sink stood still for longer than Events live', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const writes = '  -abc 20m d 100m ?-'; //  c and d have not been read when the watch breaks, and no list shows that they were
    const stored = '  -ab 8999998ms %';

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }, { answerMs: 9_000_000, batchesMax: 10, inFlightMax: 2 }), '^ 240m !').toBe(stored);
  });

  marble('declares a gap when a crash cut the first list short, for what was overwritten since', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const store = memoryStore();
    const writes = '  a-b----A-A------';
    const first = '   ---^-!          '; //  nothing is acknowledged yet: the position is still earliest
    const stored = '  ---(ab)';
    const second = '  -----------^----!';
    const resumed = ' -----------(%Ab)';

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }, { store, answerMs: 5 }), first).toBe(stored);
    t.expectObservable(shard({ index: 0, total: 1 }, { store }), second).toBe(resumed);
  });

  marble('declares no gap in a namespace that it had not been asked to read before', (t) => {
    t.setRandom(0);
    const { drive, shard } = shardCluster(t);
    const store = memoryStore();
    const writes = '  a-b----A-A-------c-';
    const first = '   ---^-!             ';
    const second = '  -----------^------!';
    const resumed = ' -----------(Ab)--c-';

    drive(writes);
    t.expectObservable(shard({ index: 0, total: 1 }, { store, namespaces: ['web'] }), first).toBe('');
    t.expectObservable(shard({ index: 0, total: 1 }, { store, namespaces: ['web', 'shop'] }), second).toBe(resumed);
  });
});
