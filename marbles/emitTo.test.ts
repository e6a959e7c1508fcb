import { of } from 'rxjs';
import { describe, expect } from 'vitest';
import type { Entry, Outgoing } from '../src/model/entry.ts';
import { entryOf } from '../src/model/entryOf.ts';
import { emitTo } from '../src/operators/emitTo.ts';
import type { SinkResult } from '../src/ports.ts';
import { ack, entry, gap, joined, unreadable } from './builders.ts';
import { marble } from './marble.ts';
import { acks, batches, only, refused, retry, scripted, sent, settings, stored } from './scriptedSink.ts';

describe('emitTo', () => {
  marble('acknowledges what the sink has answered and sends the rest again', (t) => {
    const source = t.hot('-a---b---------|', batches);
    const expected = '    --x---y--z-----|';
    const reading = '     ^--------------!';
    const sink = scripted(t, t.cold('-(r|)', { r: [stored] }), t.cold('-(r|)', { r: [stored, retry] }));

    t.expectObservable(source.pipe(emitTo(sink, settings, t.runtime))).toBe(expected, acks);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
    t.flush();

    expect(sent(sink)).toEqual([
      [1, [1]],
      [5, [2, 3]],
      [8, [3]],
    ]);
  });

  marble('sends the very same entries again, after waits that grow', (t) => {
    const source = t.hot('-b-|', batches);
    const expected = '    ----------y--------(z|)'; // answers at 2, 5, 10 and 19, after waits of 2, 4 and 8
    const sink = scripted(
      t,
      t.cold('-(r|)', { r: [retry, retry] }),
      t.cold('-(r|)', { r: [retry, retry] }),
      t.cold('-(r|)', { r: [stored, retry] }),
    );

    t.expectObservable(source.pipe(emitTo(sink, settings, t.runtime))).toBe(expected, acks);
    t.flush();

    expect(sent(sink)).toEqual([
      [1, [2, 3]],
      [4, [2, 3]],
      [9, [2, 3]],
      [18, [3]],
    ]);
    const [b2, b3] = batches['b'] as readonly Entry[];
    expect(sink.writes[1]?.batch[0]).toBe(b2);
    expect(sink.writes[3]?.batch[0]).toBe(b3);
    expect(only(t.signals, 'sinkRetrying')).toEqual([
      { type: 'sinkRetrying', reason: 'quota', attempt: 1, waitMs: 2 },
      { type: 'sinkRetrying', reason: 'quota', attempt: 2, waitMs: 4 },
      { type: 'sinkRetrying', reason: 'quota', attempt: 3, waitMs: 8 },
    ]);
  });

  marble('waits as long as the longest request of an answer', (t) => {
    const slow: SinkResult = { type: 'retry', reason: 'quota', afterMs: 20 };
    const slower: SinkResult = { type: 'retry', reason: 'busy', afterMs: 30 };
    const sink = scripted(t, of([slow, slower]));

    t.expectObservable(t.cold<readonly Outgoing[]>('b|', batches).pipe(emitTo(sink, settings, t.runtime))).toBe('31ms (yz|)', acks);
    t.flush();

    expect(only(t.signals, 'sinkRetrying')).toEqual([{ type: 'sinkRetrying', reason: 'quota', attempt: 1, waitMs: 30 }]);
  });

  marble('has at most batchesMax batches under way; the others follow in order', (t) => {
    const source = t.hot('-(abc)--|', batches);
    const expected = '    ---xw----(yz|)';
    const sink = scripted(t, t.cold('--(r|)', { r: [stored] }), t.cold('--------(r|)', { r: [stored, stored] }));

    t.expectObservable(source.pipe(emitTo(sink, settings, t.runtime))).toBe(expected, acks);
    t.flush();

    expect(sent(sink)).toEqual([
      [1, [1]],
      [1, [2, 3]],
      [3, [4]],
    ]);
  });

  marble('with one batch at a time a batch in its wait holds the next one back', (t) => {
    const source = t.hot('-(ac)---|', batches);
    const expected = '    -----xw-|';
    const sink = scripted(t, t.cold('-(r|)', { r: [retry] }));

    t.expectObservable(source.pipe(emitTo(sink, { ...settings, batchesMax: 1 }, t.runtime))).toBe(expected, acks);
    t.flush();

    expect(sent(sink)).toEqual([
      [1, [1]],
      [4, [1]],
      [5, [4]],
    ]);
  });

  marble('acknowledges unreadable items as refused and never sends them', (t) => {
    const source = t.hot('-u------|', batches);
    const expected = '    -(pq)-r-|';
    const sink = scripted(t, t.cold('-----(r|)', { r: [stored] }));
    const ends = { p: ack(5, 'refused'), q: ack(7, 'refused'), r: ack(6) };

    t.expectObservable(source.pipe(emitTo(sink, settings, t.runtime))).toBe(expected, ends);
    t.flush();

    expect(sent(sink)).toEqual([[1, [6]]]);
    expect(only(t.signals, 'refused')).toEqual([
      { type: 'refused', uid: '', resourceVersion: '5', reason: 'undecodable' },
      { type: 'refused', uid: '', resourceVersion: '7', reason: 'undecodable' },
    ]);
  });

  marble('writes nothing for a batch in which nothing is readable', (t) => {
    const sink = scripted(t);

    t.expectObservable(t.cold<readonly Outgoing[]>('-u|', { u: [unreadable(5)] }).pipe(emitTo(sink, settings, t.runtime))).toBe('-p|', {
      p: ack(5, 'refused'),
    });
    t.flush();

    expect(sent(sink)).toEqual([]);
  });

  marble('acknowledges what the sink refuses, and tells it by id', (t) => {
    const source = t.hot('-b----|', batches);
    const expected = '    --(yr)|';
    const sink = scripted(t, t.cold('-(r|)', { r: [stored, refused] }));

    t.expectObservable(source.pipe(emitTo(sink, settings, t.runtime))).toBe(expected, { y: ack(2), r: ack(3, 'refused') });
    t.flush();

    expect(t.signals).toEqual([
      { type: 'batchAnswered', stored: 1, refused: 1, retried: 0, tookMs: 1 },
      { type: 'stored', entries: 1, oldestTimestamp: '2026-05-04T10:00:00Z' },
      { type: 'refused', uid: 'uid-3', resourceVersion: '3', reason: 'tooLarge' },
    ]);
  });

  marble('tells what was stored with its oldest time, and leaves gap records out', (t) => {
    const batch = [
      entry(1, { timestamp: '2026-05-04T10:00:00.5Z' }),
      entry(2, { timestamp: '2026-05-04T10:00:00Z' }),
      entry(3, { timestamp: '2026-05-04T10:00:00.000001Z' }),
      entryOf(joined(4, gap('1', '9')), 'k8s'),
    ];
    const sink = scripted(t);

    t.cold<readonly Outgoing[]>('a|', { a: batch })
      .pipe(emitTo(sink, settings, t.runtime))
      .subscribe();
    t.flush();

    expect(t.signals).toEqual([
      { type: 'batchAnswered', stored: 4, refused: 0, retried: 0, tookMs: 1 },
      { type: 'stored', entries: 3, oldestTimestamp: '2026-05-04T10:00:00Z' },
    ]);
  });

  marble('a gap record that is refused is told by a warning', (t) => {
    const sink = scripted(t, of([refused]));
    const source = t.cold<readonly Outgoing[]>('a|', { a: [entryOf(joined(4, gap('1', '9')), 'k8s')] });

    t.expectObservable(source.pipe(emitTo(sink, settings, t.runtime))).toBe('r|', { r: ack(4, 'refused') });
    t.flush();

    expect(t.signals).toEqual([
      { type: 'batchAnswered', stored: 0, refused: 1, retried: 0, tookMs: 0 },
      { type: 'warning', text: 'the sink refused a gap record: tooLarge' },
    ]);
  });
});
