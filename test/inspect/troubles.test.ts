import { expect, it } from 'vitest';
import { troubleList } from '../../src/inspect/troubles.ts';
import type { Signal } from '../../src/telemetry/signals.ts';

const refused: Signal = { type: 'watchEnded', source: 'events', cause: 'status', status: 429, resumeFrom: '7', waitMs: 5 };

it('lists what went wrong, equal ones in a row as one, and not how readers begin and watches end', () => {
  const list = troubleList();
  const signals: readonly Signal[] = [
    { type: 'listStarted', source: 'events', cause: 'start', by: 'pages' },
    { type: 'watchOpened', source: 'events', resumeFrom: '7' },
    { type: 'watchEnded', source: 'events', cause: 'closed', resumeFrom: '7', waitMs: 5 },
    refused,
    refused,
    { type: 'listStarted', source: 'events', cause: 'expired', by: 'pages' },
    { type: 'gapDeclared', gap: { type: 'gap', cause: 'expired', from: '7', to: '9', date: '2026-11-30T10:00:00Z' } },
    { type: 'frameSkipped', source: 'pods', cause: 'torn', bytes: 3 },
  ];
  for (const [at, signal] of signals.entries()) list.add(signal, at);
  expect(list.troubles()).toEqual({
    relists: 1,
    gaps: 1,
    watches: 1,
    broken: 2,
    listsFailed: 0,
    skipped: 1,
    rows: [
      { atMs: 3, untilMs: 4, times: 2, source: 'events', what: 'watchBroken', detail: 'refused with HTTP 429' },
      { atMs: 5, untilMs: 5, times: 1, source: 'events', what: 'relist', detail: 'its position had expired' },
      {
        atMs: 6,
        untilMs: 6,
        times: 1,
        source: 'events',
        what: 'gap',
        detail: 'after version 7 up to 9: revisions were compacted before they were read',
      },
      { atMs: 7, untilMs: 7, times: 1, source: 'pods', what: 'lineSkipped', detail: '3 bytes, cut in the middle' },
    ],
    more: 0,
  });
});

it('keeps the first of them and counts them all', () => {
  const list = troubleList(2);
  for (const [at, source] of ['a', 'b', 'c', 'c', 'd'].entries()) list.add({ ...refused, source }, at);
  const { rows, more, broken } = list.troubles();
  expect({ sources: rows.map(({ source }) => source), more, broken }).toEqual({ sources: ['a', 'b'], more: 3, broken: 5 });
});
