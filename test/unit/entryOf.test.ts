import { describe, expect, test } from 'vitest';
import { date, type EventFields, eventObject, gap, joined, occurrence } from '../../marbles/builders.ts';
import { entryOf } from '../../src/model/entryOf.ts';
import type { Involved, Occurrence } from '../../src/model/occurrence.ts';

test('an entry is a function of the revision, its labels and the resource model', () => {
  const event: EventFields = { type: 'Warning', count: 3, lastTimestamp: '2026-05-04T10:00:01.000002Z', reason: 'BackOff' };
  const warned = occurrence('1234', { change: 'modified', uid: 'e-1', bytes: 1_400, event });
  const labels = { 'logging.gke.io/top_level_controller_type': 'Deployment' };

  const entry = entryOf(joined(7, warned, labels), 'k8s');

  expect(entry).toEqual({
    type: 'entry',
    slot: 7,
    insertId: '00000000000000001234.e-1',
    action: 'UPDATE',
    timestamp: '2026-05-04T10:00:01.000002Z',
    severity: 'WARNING',
    resource: { type: 'k8s_pod', labels: { namespace_name: 'default', pod_name: 'web-0' } },
    labels,
    uid: 'e-1',
    resourceVersion: '1234',
    payload: { ...eventObject('1234', { ...event, metadata: { uid: 'e-1' } }) },
    bytes: 1_400,
  });
  expect(entryOf(joined(7, warned, labels), 'k8s')).toEqual(entry);
});

test('a gap record becomes an entry of its own words', () => {
  expect(entryOf(joined(8, gap('100', '250')), 'k8s')).toEqual({
    type: 'entry',
    slot: 8,
    insertId: '00000000000000000100.gap-250',
    action: 'GAP',
    timestamp: date,
    severity: 'WARNING',
    resource: { type: 'k8s_cluster', labels: {} },
    labels: {},
    uid: '',
    resourceVersion: '250',
    payload: {
      kind: 'Gap',
      cause: 'expired',
      from: '100',
      to: '250',
      message: 'Event revisions after 100 up to 250 may be missing: the API server had already compacted that part of its history.',
    },
    bytes: 183,
  });
});

test('each cause of a gap has its own sentence, and the legacy model its own resource', () => {
  const of = (cause: 'restored' | 'unwatched') => entryOf(joined(8, gap('900', '120', cause)), 'legacy');

  expect(of('restored').payload['message']).toBe(
    "Event revisions may be missing: the API server's storage went back from version 900 to 120.",
  );
  expect(of('unwatched').payload['message']).toBe(
    'Event revisions after 900 up to 120 may be missing: nothing was read for longer than the API server keeps Events, or for an unknown time.',
  );
  expect(of('restored').resource).toEqual({ type: 'gke_cluster', labels: {} });
});

test('keys sort in write order, and a gap between its last known and its first unknown revision', () => {
  const ids = [
    entryOf(joined(1, occurrence('99', { uid: 'ffff' })), 'k8s'),
    entryOf(joined(2, occurrence('100', { uid: 'ffff' })), 'k8s'),
    entryOf(joined(3, gap('100', '250')), 'k8s'),
    entryOf(joined(4, occurrence('101', { uid: '0000' })), 'k8s'),
    entryOf(joined(5, occurrence('18446744073709551615', { uid: '0000' })), 'k8s'),
  ].map(({ insertId }) => insertId);

  expect([...ids].sort()).toEqual(ids);
});

describe('severity', () => {
  for (const [type, severity] of [
    ['Warning', 'WARNING'],
    ['Normal', 'INFO'],
    ['warning', 'INFO'],
    ['Error', 'INFO'],
    ['', 'INFO'],
    [undefined, 'INFO'],
    [5, 'INFO'],
  ] as const) {
    test(`of type ${JSON.stringify(type)} is ${severity}; the type stays as written`, () => {
      const entry = entryOf(joined(1, occurrence('1', { event: { type } as EventFields })), 'k8s');
      expect([entry.severity, entry.payload['type']]).toEqual([severity, type]);
    });
  }
});

describe('resource', () => {
  function check(title: string, involved: Partial<Involved>, namespace: string, expected: unknown): void {
    test(title, () => {
      const about = occurrence('1', { involved, namespace });
      expect(entryOf(joined(1, about), 'k8s').resource).toEqual(expected);
      expect(entryOf(joined(1, about), 'legacy').resource).toEqual({ type: 'gke_cluster', labels: {} });
    });
  }
  const cluster = { type: 'k8s_cluster', labels: {} };
  const pod = { kind: 'Pod', namespace: 'shop', name: 'web-0' };

  check('a pod of the own namespace', pod, 'shop', { type: 'k8s_pod', labels: { namespace_name: 'shop', pod_name: 'web-0' } });
  check("another namespace's pod is the cluster's", pod, 'attacker', cluster);
  check('a pod without a namespace is the cluster', { ...pod, namespace: '' }, 'shop', cluster);
  check('an event without a namespace is the cluster', { ...pod, namespace: '' }, '', cluster);
  check('a node', { kind: 'Node', namespace: '', name: 'node-1' }, 'default', { type: 'k8s_node', labels: { node_name: 'node-1' } });
  check('anything else', { kind: 'Deployment', namespace: 'shop', name: 'web' }, 'shop', cluster);
  check('kinds are not guessed', { ...pod, kind: 'pod' }, 'shop', cluster);
});

describe('action', () => {
  function check(change: Occurrence['change'], event: EventFields, expected: string): void {
    test(`${change} ${JSON.stringify(event)} is ${expected}`, () => {
      expect(entryOf(joined(1, occurrence('1', { change, event })), 'k8s').action).toBe(expected);
    });
  }

  check('added', { count: 41 }, 'ADD');
  check('modified', { count: 1 }, 'UPDATE');
  check('listed', { count: 1 }, 'ADD');
  check('listed', { count: 2 }, 'UPDATE');
  check('listed', { count: null }, 'ADD');
  check('listed', { count: '2' } as never, 'ADD');
  check('listed', { count: 1, series: { count: 2 } }, 'UPDATE');
  check('listed', { count: 1, series: {} }, 'UPDATE');
  check('listed', { count: 1, series: null }, 'ADD');
});
