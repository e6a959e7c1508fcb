import { expect, test } from 'vitest';
import { type ShardStatus, shardStatus } from '../../src/live/shardStatus.ts';
import { noCounts } from '../../src/telemetry/counts.ts';

const ended = { type: 'watchEnded', source: 'events', resumeFrom: '7', waitMs: 800 } as const;

function watching(): { readonly status: ShardStatus; readonly doing: () => readonly [string, number, string] } {
  const status = shardStatus({ index: 0, total: 1 }, 1_000);
  const doing = (): readonly [string, number, string] => {
    const { word, sinceMs, why } = status.news(noCounts(), 60_000);
    return [word, sinceMs, why];
  };
  return { status, doing };
}

test('says since when a reader fails, and counts the tries in between as failing', () => {
  const { status, doing } = watching();
  expect(doing()).toEqual(['starting', 1_000, '']);
  status.observe({ type: 'watchOpened', source: 'events', resumeFrom: '7' }, 2_000);
  status.observe({ type: 'watchOpened', source: 'events', resumeFrom: '7' }, 3_000);
  expect(doing()).toEqual(['watching', 2_000, '']);
  status.observe({ ...ended, cause: 'broken' }, 4_000);
  status.observe({ ...ended, cause: 'status', status: 403, message: 'events is forbidden' }, 5_000);
  expect(doing()).toEqual(['backing off', 4_000, 'the watch ended: refused (HTTP 403): events is forbidden']);
  status.observe({ type: 'listStarted', source: 'events', cause: 'expired', by: 'pages' }, 6_000);
  expect(doing()).toEqual(['listing', 6_000, 'again: the position had expired (410)']);
  const failed = { type: 'listFailed', source: 'events', cause: 'broken', failures: 1, waitMs: 800, message: 'reset' } as const;
  status.observe(failed, 7_000);
  expect(doing()).toEqual(['backing off', 4_000, '1 in a row failed: reset']);
  status.observe({ type: 'watchOpened', source: 'events', resumeFrom: '9' }, 8_000);
  status.observe({ ...ended, cause: 'closed' }, 9_000);
  expect(doing()).toEqual(['backing off', 9_000, 'the watch ended: closed by the server']);
});

test('says since when the sink does not store, whatever the number of tries', () => {
  const { status } = watching();
  const trouble = (): unknown => {
    const { sinkTrouble, sinkTroubleMs } = status.news(noCounts(), 60_000);
    return sinkTrouble === '' ? undefined : [sinkTrouble, sinkTroubleMs];
  };
  const retrying = (attempt: number) => ({ type: 'sinkRetrying', reason: 'busy', attempt, waitMs: 1_000 }) as const;
  status.observe(retrying(1), 2_000);
  status.observe(retrying(2), 3_000);
  expect(trouble()).toEqual(['try 2: busy', 2_000]);
  status.observe({ type: 'batchAnswered', stored: 1, refused: 0, retried: 0, tookMs: 1 }, 4_000);
  expect(trouble()).toBeUndefined();
  status.observe(retrying(1), 5_000);
  expect(trouble()).toEqual(['try 1: busy', 5_000]);
});
