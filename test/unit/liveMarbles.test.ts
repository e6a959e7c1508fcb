import { expect, test } from 'vitest';
import { type Marbles, marbles, marblesMax } from '../../src/live/marbles.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Occurrence } from '../../src/model/occurrence.ts';

function occurrence(at: number): Occurrence {
  const involved = { uid: `p${at}`, namespace: 'shop', name: `web-${at}`, kind: 'Pod' };
  return {
    type: 'occurrence',
    change: 'added',
    uid: `u${at}`,
    resourceVersion: `${at}`,
    namespace: 'shop',
    involved,
    bytes: 1,
    read: () => ({ metadata: {} }),
  };
}

function entry(at: number, payload: Readonly<Record<string, unknown>> = { type: 'Normal' }): Entry {
  const of = { uid: `u${at}`, resourceVersion: `${at}`, labels: {}, payload, bytes: 1, slot: at };
  const resource = { type: 'k8s_cluster', labels: {} } as const;
  return { type: 'entry', insertId: `${at}`, action: 'ADD', timestamp: '2026-11-30T10:00:00Z', severity: 'INFO', resource, ...of };
}

/** Brings one to its end. */
function pass(sample: Marbles, at: number): void {
  sample.read(occurrence(at));
  sample.joined(entry(at));
  sample.handed([entry(at)]);
  sample.answered([entry(at)], [{ type: 'stored' }]);
}

test('follows twenty events each time it is asked for more, and counts the others', () => {
  const sample = marbles(() => 1_000);
  let at = 0;
  const passHundred = (): void => {
    for (const end = at + 100; at < end; at++) pass(sample, at);
  };
  passHundred();
  expect(sample.changed()).toHaveLength(20);
  passHundred();
  passHundred();
  expect(sample.changed()).toHaveLength(20);
  passHundred();
  sample.takeMore();
  passHundred();
  expect(sample.all()).toHaveLength(80);
  passHundred();
  expect(sample.all()).toHaveLength(100);
  expect(sample.waiting).toEqual({ atJoin: 0, atSink: 0 });
});

test('takes no more while sixty are under way, so that those that wait stay in the picture', () => {
  const sample = marbles(() => 0);
  for (let at = 0; at < 1_000; at++) {
    if (at % 100 === 0) sample.changed();
    sample.read(occurrence(at));
    sample.joined(entry(at));
  }
  expect(sample.all()).toHaveLength(60);
  expect(sample.all().every(({ place }) => place === 'queue')).toBe(true);
  for (let at = 0; at < 1_000; at++) {
    sample.handed([entry(at)]);
    sample.answered([entry(at)], [{ type: 'stored' }]);
  }
  for (let at = 1_000; at < 9_000; at++) {
    if (at % 100 === 0) sample.changed();
    pass(sample, at);
  }
  expect(sample.all()).toHaveLength(marblesMax);
});

test('says where an event is, and goes back to the queue with one that is asked for again', () => {
  const sample = marbles(() => 0);
  const place = (): unknown => sample.all().map(({ place: of, retries }) => [of, retries]);
  sample.read(occurrence(1));
  expect([place(), sample.waiting]).toEqual([[['join', 0]], { atJoin: 1, atSink: 0 }]);
  sample.joined(entry(1, { type: 'Warning', message: 'x'.repeat(10_000), reason: 7 }));
  expect(place()).toEqual([['queue', 0]]);
  expect(sample.all()[0]).toMatchObject({ type: 'Warning', reason: '', message: `${'x'.repeat(400)}…`, object: 'Pod web-1' });
  sample.handed([entry(1)]);
  expect([place(), sample.waiting]).toEqual([[['sink', 0]], { atJoin: 0, atSink: 1 }]);
  sample.answered([entry(1)], [{ type: 'retry', reason: 'busy' }]);
  expect(place()).toEqual([['queue', 1]]);
  sample.handed([entry(1)]);
  sample.answered([entry(1)], [{ type: 'refused', reason: 'too large' }]);
  expect([place(), sample.waiting]).toEqual([[['refused', 1]], { atJoin: 0, atSink: 0 }]);
});
