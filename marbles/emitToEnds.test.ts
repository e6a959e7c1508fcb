import { EMPTY, of, throwError } from 'rxjs';
import { describe, expect } from 'vitest';
import { PipelineError } from '../src/errors.ts';
import type { Outgoing } from '../src/model/entry.ts';
import { emitTo } from '../src/operators/emitTo.ts';
import type { Sink } from '../src/ports.ts';
import { marble } from './marble.ts';
import { acks, batches, retry, scripted, sent, settings, stored } from './scriptedSink.ts';

describe('emitTo at its ends', () => {
  marble('ends with the error of the sink, whatever else is under way', (t) => {
    const broken = new PipelineError('OUTPUT_CLOSED', 'nobody reads');
    const slow = t.cold('---------(r|)', { r: [stored] });
    const source = t.hot('-a-b-------|', batches);
    const expected = '    ----#       ';
    const reading = '     ^---!       ';
    const writing = '     -^--!       ';
    const sink = scripted(t, slow, t.cold('-#', {}, broken));

    t.expectObservable(source.pipe(emitTo(sink, settings, t.runtime))).toBe(expected, acks, broken);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
    t.expectSubscriptions(slow.subscriptions).toBe(writing);
  });

  marble('ends when a sink throws, answers nothing, or answers for another number of entries', (t) => {
    const mistake = new TypeError('a mistake in the sink');
    const ended = (write: Sink['write']) => t.cold('b|', batches).pipe(emitTo({ identity: 'odd', write }, settings, t.runtime));
    const message = (got: number) => `sink odd: a write of 2 entries must be answered by as many results (got ${got})`;
    const throwing = (): never => {
      throw mistake;
    };

    t.expectObservable(ended(throwing)).toBe('#', {}, mistake);
    t.expectObservable(ended(() => EMPTY)).toBe('#', {}, new PipelineError('SINK_FAILED', message(0)));
    t.expectObservable(ended(() => of([stored]))).toBe('#', {}, new PipelineError('SINK_FAILED', message(1)));
    t.expectObservable(ended(() => throwError(() => mistake))).toBe('#', {}, mistake);
  });

  marble('hurry sends at once whatever waits, and does nothing to batches that come later', (t) => {
    const source = t.hot('-a-c-----b--------------|', batches);
    const hurry = t.hot(' ------h-----------------|');
    const expected = '    -------(xw)---------(yz)|';
    const listening = '   ^-----------------------!';
    const soon = t.cold('-(r|)', { r: [stored] });
    const sink = scripted(t, of([retry]), of([retry]), soon, soon, of([retry, retry]));

    t.expectObservable(source.pipe(emitTo(sink, { batchesMax: 9, firstMs: 20, maxMs: 100, hurry }, t.runtime))).toBe(expected, acks);
    t.expectSubscriptions(hurry.subscriptions).toBe(listening);
    t.flush();

    expect(sent(sink)).toEqual([
      [1, [1]],
      [3, [4]],
      [6, [1]],
      [6, [4]],
      [9, [2, 3]],
      [19, [2, 3]],
    ]);
  });

  marble('completes after the last acknowledgement', (t) => {
    const sink = scripted(t, t.cold('---------(r|)', { r: [stored] }));

    t.expectObservable(t.hot('-a-|', batches).pipe(emitTo(sink, settings, t.runtime))).toBe('----------(x|)', acks);
  });

  marble('takes the first answer of a write, also from a sink that does not complete', (t) => {
    const answer = t.cold('-r-r-r', { r: [stored] });
    const sink = scripted(t, answer);

    t.expectObservable(t.hot('-a-|', batches).pipe(emitTo(sink, settings, t.runtime))).toBe('--x|', acks);
    t.expectSubscriptions(answer.subscriptions).toBe('-^!');
  });

  marble('passes an empty and a silent source on, and an error at once', (t) => {
    const sink = scripted(t, t.cold('-------(r|)', { r: [stored] }));

    t.expectObservable(t.cold<readonly Outgoing[]>('--|').pipe(emitTo(scripted(t), settings, t.runtime))).toBe('--|');
    t.expectObservable(t.cold<readonly Outgoing[]>('---').pipe(emitTo(scripted(t), settings, t.runtime))).toBe('---');
    t.expectObservable(t.cold('-a-#', batches).pipe(emitTo(sink, settings, t.runtime))).toBe('---#');
  });

  marble('when unsubscribed it cancels the write under way', (t) => {
    const answer = t.cold('---------(r|)', { r: [stored] });
    const source = t.hot('-a---|', batches);
    const until = '       ---!  ';
    const expected = '    ----  ';
    const reading = '     ^--!  ';
    const writing = '     -^-!  ';

    t.expectObservable(source.pipe(emitTo(scripted(t, answer), settings, t.runtime)), until).toBe(expected);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
    t.expectSubscriptions(answer.subscriptions).toBe(writing);
  });

  marble('when unsubscribed in a wait its timer is gone and nothing is sent', (t) => {
    const sink = scripted(t, of([retry]));

    t.expectObservable(t.hot('-a---|', batches).pipe(emitTo(sink, { ...settings, firstMs: 900, maxMs: 900 }, t.runtime)), '---!').toBe(
      '----',
    );
    t.flush();

    expect(sent(sink)).toEqual([[1, [1]]]);
    expect(t.scheduler.frame).toBeLessThan(100);
  });
});
