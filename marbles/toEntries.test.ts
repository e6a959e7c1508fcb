import { describe, expect } from 'vitest';
import { PipelineError } from '../src/errors.ts';
import { entryOf } from '../src/model/entryOf.ts';
import { noTime } from '../src/model/entryTime.ts';
import type { Joined } from '../src/model/slot.ts';
import { toEntries } from '../src/operators/toEntries.ts';
import { gap, joined, occurrence, unreadable } from './builders.ts';
import { marble } from './marble.ts';

const k8s = { resourceModel: 'k8s' } as const;

function undecodable(slot: number): Joined {
  const read = (): never => {
    throw new PipelineError('UNDECODABLE', 'not JSON');
  };
  return joined(slot, { ...occurrence(String(slot), { uid: '' }), read });
}

const slots: Record<string, Joined> = {
  a: joined(1, occurrence('1'), { team: 'blue' }),
  b: undecodable(2),
  c: joined(3),
  g: joined(4, gap('3', '9')),
};
const entries = {
  x: entryOf(slots['a'] as Joined, 'k8s'),
  y: unreadable(2),
  z: entryOf(slots['g'] as Joined, 'k8s'),
  w: entryOf(slots['c'] as Joined, 'k8s'),
};

describe('toEntries', () => {
  marble('makes an entry of each occurrence and gap, and lets one that cannot be decoded go on as unreadable', (t) => {
    const source = t.hot('-a-b-g-|', slots);
    const expected = '    -x-y-z-|';
    const reading = '     ^------!';

    t.expectObservable(source.pipe(toEntries(k8s, t.runtime))).toBe(expected, entries);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
  });

  marble('keeps slot, key and labels together', (t) => {
    expect(entries.x).toMatchObject({ slot: 1, insertId: '00000000000000000001.uid-1', labels: { team: 'blue' }, action: 'ADD' });
    expect(entries.z).toMatchObject({ slot: 4, insertId: '00000000000000000003.gap-9', labels: {}, action: 'GAP' });
    t.flush();
  });

  marble('keeps several items of one frame in their order', (t) => {
    const source = t.hot('-(gbac)-|', slots);
    const expected = '    -(zyxw)-|';

    t.expectObservable(source.pipe(toEntries(k8s, t.runtime))).toBe(expected, entries);
  });

  marble('files everything under gke_cluster in the legacy model', (t) => {
    const source = t.cold('-a-g-|', slots);
    const expected = '     -x-z-|';
    const resource = { type: 'gke_cluster', labels: {} };

    t.expectObservable(source.pipe(toEntries({ resourceModel: 'legacy' }, t.runtime))).toBe(expected, {
      x: { ...entries.x, resource },
      z: { ...entries.z, resource },
    });
  });

  marble('warns of an Event that carries no time at all', (t) => {
    const timeless = occurrence('7', { event: { metadata: { creationTimestamp: null }, firstTimestamp: null, lastTimestamp: null } });
    const seen: unknown[] = [];

    t.cold<Joined>('ab|', { a: joined(1), b: joined(2, timeless) })
      .pipe(toEntries(k8s, t.runtime))
      .subscribe((entry) => seen.push(entry));
    t.flush();

    expect(seen).toMatchObject([{ timestamp: '2026-05-04T10:00:00Z' }, { timestamp: noTime }]);
    expect(t.signals).toEqual([{ type: 'warning', text: 'an Event carries no time; its entry says 1970-01-01T00:00:00Z' }]);
  });

  marble('ends with an error that is not about one Event', (t) => {
    const broken = new TypeError('a mistake in the program');
    const read = (): never => {
      throw broken;
    };
    const source = t.hot('-a-b-|', { ...slots, b: joined(2, { ...occurrence('2'), read }) });
    const expected = '    -x-#';

    t.expectObservable(source.pipe(toEntries(k8s, t.runtime))).toBe(expected, entries, broken);
  });

  marble('passes an empty, a silent and a failing source on', (t) => {
    t.expectObservable(t.cold<Joined>('--|').pipe(toEntries(k8s, t.runtime))).toBe('--|');
    t.expectObservable(t.cold<Joined>('---').pipe(toEntries(k8s, t.runtime))).toBe('---');
    t.expectObservable(t.cold<Joined>('-a-#', slots).pipe(toEntries(k8s, t.runtime))).toBe('-x-#', entries);
  });

  marble('stops reading when unsubscribed', (t) => {
    const source = t.hot('-a-b-c-|', slots);
    const until = '       ----!   ';
    const expected = '    -x-y    ';
    const reading = '     ^---!   ';

    t.expectObservable(source.pipe(toEntries(k8s, t.runtime)), until).toBe(expected, entries);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
  });
});
