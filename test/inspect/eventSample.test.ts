import { expect, it } from 'vitest';
import { type EventRow, sampledEvents } from '../../src/inspect/eventSample.ts';

const row = (atMs: number, reason: string): EventRow => ({
  atMs,
  type: 'Normal',
  reason,
  namespace: '',
  object: '',
  workload: '',
  count: 1,
  message: '',
});

it('keeps the last warnings and the last others, newest first, those of one moment in the order of their reading', () => {
  const sampled = sampledEvents(2);
  for (const [reason, atMs, isWarning] of [
    ['w1', 1, true],
    ['o1', 9, false],
    ['w2', 5, true],
    ['o2', 5, false],
    ['w3', 5, true],
    ['o3', 4, false],
  ] as const) {
    sampled.add(row(atMs, reason), isWarning);
  }
  const { rows, rowsMaxEach } = sampled.sample();
  expect(rows.map(({ reason }) => reason)).toEqual(['w3', 'o2', 'w2', 'o3']);
  expect(rowsMaxEach).toBe(2);
});
