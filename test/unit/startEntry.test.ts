import { expect, test } from 'vitest';
import { startEntry } from '../../src/model/startEntry.ts';

const start = { shard: { index: 0, total: 3 }, atMs: Date.UTC(2026, 4, 4, 10) };

test('a start without a checkpoint warns of what may be missing, from when on', () => {
  const entry = startEntry({ ...start, resumed: false, positions: { '': { at: 'earliest', incarnation: 0 } } }, 'legacy');
  expect(entry).toEqual({
    type: 'entry',
    slot: -1,
    insertId: 'start.2026-05-04T10:00:00.000Z.0-of-3',
    action: 'START',
    timestamp: '2026-05-04T10:00:00.000Z',
    severity: 'WARNING',
    resource: { type: 'gke_cluster', labels: {} },
    labels: {},
    uid: '',
    resourceVersion: '',
    payload: {
      kind: 'Start',
      resumed: false,
      from: { all: 'earliest' },
      shard: { index: 0, total: 3 },
      message:
        'Exporting events of shard 0 of 3. There is no checkpoint to go on from: it begins with what the API server still holds. What was deleted or overwritten before 2026-05-04T10:00:00.000Z may be missing.',
    },
    bytes: JSON.stringify(entry.payload).length,
  });
});

test.each([
  ['a checkpoint', true, '41', 'INFO', 'It goes on where the checkpoint ended'],
  ['a checkpoint that says no more than where it was to begin', true, 'earliest', 'WARNING', 'still holds'],
  ['no checkpoint, and only what comes', false, '41', 'WARNING', 'What was written before 2026-05-04T10:00:00.000Z may be missing'],
])('with %s', (_, resumed, at, severity, text) => {
  const entry = startEntry({ ...start, resumed, positions: { shop: { at, incarnation: 0 } } }, 'k8s');
  expect(entry).toMatchObject({ severity, payload: { resumed, from: { shop: at } }, resource: { type: 'k8s_cluster' } });
  expect(entry.payload['message']).toContain(text);
});
