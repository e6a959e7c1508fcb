import { NEVER, type Observable, throwError } from 'rxjs';
import { describe, expect } from 'vitest';
import type { MarbleHelpers } from '../src/marbleKit.ts';
import type { Outgoing, Refusal } from '../src/model/entry.ts';
import { emitTo } from '../src/operators/emitTo.ts';
import type { SinkResult } from '../src/ports.ts';
import { ack, entry, unreadable } from './builders.ts';
import { marble } from './marble.ts';
import { only, refused, retry, scripted, sent, settings, stored } from './scriptedSink.ts';

/** A place for refusals that takes its time, and the slots and reasons that it was given. */
function place(kept: Observable<never>): { readonly given: unknown[]; keepRefused(refusals: readonly Refusal[]): Observable<never> } {
  const given: unknown[] = [];
  return {
    given,
    keepRefused: (refusals) => {
      given.push(refusals.map(({ outgoing, reason }) => [outgoing.slot, reason]));
      return kept;
    },
  };
}

const batches: Record<string, readonly Outgoing[]> = { a: [entry(1), entry(2), entry(3)], u: [unreadable(5), entry(6), unreadable(7)] };
const acks = { x: ack(1), y: ack(2, 'refused'), z: ack(3), u: ack(5, 'refused'), v: ack(6), w: ack(7, 'refused') };

type Answers = readonly Observable<readonly SinkResult[]>[];

function emitted(t: MarbleHelpers, source: string, keeping: ReturnType<typeof place>, ...answers: Answers) {
  const sink = scripted(t, ...answers);
  return { sink, acknowledged: t.cold(source, batches).pipe(emitTo(sink, { ...settings, keepRefused: keeping.keepRefused }, t.runtime)) };
}

describe('emitTo with a place for what is refused', () => {
  marble('acknowledges a refusal when it is kept, and at once what was stored', (t) => {
    const source = '          a-------|';
    const answer = t.cold('   -(r|)     ', { r: [stored, refused, stored] });
    const keeping = place(t.cold('-----|   '));
    const expected = '        -(xz)-y-|';

    const { acknowledged } = emitted(t, source, keeping, answer);

    t.expectObservable(acknowledged).toBe(expected, acks);
    t.flush();
    expect(keeping.given).toEqual([[[2, 'tooLarge']]]);
  });

  marble('keeps what cannot be read before it sends the rest of its batch', (t) => {
    const source = '            u----------|';
    const keeping = place(t.cold('---|       '));
    const answer = t.cold('     -----(r|)  ', { r: [stored] }); // asked at 3
    const expected = '          ---(uw)-v--|';

    const { acknowledged, sink } = emitted(t, source, keeping, answer);

    t.expectObservable(acknowledged).toBe(expected, acks);
    t.flush();
    expect(keeping.given).toEqual([
      [
        [5, 'undecodable'],
        [7, 'undecodable'],
      ],
    ]);
    expect(sent(sink)).toEqual([[3, [6]]]);
  });

  marble('keeps it before the entries of the same answer are sent again', (t) => {
    const source = '            a---------|';
    const first = t.cold('      (r|)       ', { r: [stored, refused, retry] });
    const keeping = place(t.cold('-----|    '));
    const second = t.cold('     (r|)      ', { r: [stored] }); // 2 ms after the refusal is kept
    const expected = '          x----y-z--|';

    const { acknowledged, sink } = emitted(t, source, keeping, first, second);

    t.expectObservable(acknowledged).toBe(expected, acks);
    t.flush();
    expect(sent(sink)).toEqual([
      [0, [1, 2, 3]],
      [7, [3]],
    ]);
  });

  marble('leaves the slot open while it cannot be kept, and ends with the error of the place', (t) => {
    const broken = new Error('the disk is gone');
    const answer = t.cold('(r|)', { r: [stored, refused, stored] });

    t.expectObservable(emitted(t, 'a-|', place(NEVER), answer).acknowledged).toBe('(xz)', acks);
    t.expectObservable(emitted(t, 'a-|', place(throwError(() => broken)), answer).acknowledged).toBe('(xz#)', acks, broken);
    t.flush();
    expect(only(t.signals, 'refused')).toEqual([]);
  });
});
