import { describe, expect, test } from 'vitest';
import { type Health, health } from '../../src/telemetry/health.ts';
import type { Signal } from '../../src/telemetry/signals.ts';

const second = 1000;
const silentMsMax = 1230 * second;

function check(
  sources: readonly string[] = ['events', 'pods'],
  pausedSources: readonly string[] = ['events'],
): { state: Health; at: (seconds: number, ...signals: Signal[]) => void } {
  const state = health({ sources, pausedSources, silentMsMax }, 0);
  return {
    state,
    at: (seconds, ...signals) => {
      for (const signal of signals) state.observe(signal, seconds * second);
    },
  };
}

const opened = (source: string): Signal => ({ type: 'watchOpened', source, resumeFrom: '7' });
const ended = (source: string, status?: number): Signal => ({
  type: 'watchEnded',
  source,
  cause: 'closed',
  resumeFrom: '7',
  waitMs: 800,
  ...(status === undefined ? {} : { status }),
});
const failed = (source: string, failures: number, status?: number): Signal => ({
  type: 'listFailed',
  source,
  cause: 'broken',
  failures,
  waitMs: 800,
  message: '',
  ...(status === undefined ? {} : { status }),
});
const listed = (source: string): Signal => ({ type: 'listDone', source, resourceVersion: '7', items: 0 });
const synced: Signal = { type: 'podsSynced', pods: 3 };
const ready: readonly Signal[] = [opened('events'), opened('pods'), synced];

describe('readiness', () => {
  test('needs pods synced and a watch of each reader', () => {
    const { state, at } = check();
    expect(state.readinessFailures(0)).toEqual(['pods: not synced yet', 'events: no watch opened yet', 'pods: no watch opened yet']);
    at(1, opened('pods'), synced);
    expect(state.readinessFailures(second)).toEqual(['events: no watch opened yet']);
    at(2, opened('events'));
    expect(state.readinessFailures(2 * second)).toEqual([]);
  });

  test('does not ask for pods where no owner labels are wanted', () => {
    const { state, at } = check(['events']);
    at(0, opened('events'));
    expect(state.readinessFailures(0)).toEqual([]);
  });

  test('bears a minute without a watch, as between two of them', () => {
    const { state, at } = check();
    at(0, ...ready);
    at(100, ended('events'));
    expect(state.readinessFailures(160 * second)).toEqual([]);
    expect(state.readinessFailures(161 * second)).toEqual(['events: no watch open for 61 s']);
    at(170, ended('events'));
    expect(state.readinessFailures(170 * second)).toEqual(['events: no watch open for 70 s']);
    at(171, opened('events'));
    expect(state.readinessFailures(171 * second)).toEqual([]);
  });

  test('ends with five list failures in a row and comes back with a list', () => {
    const { state, at } = check();
    at(0, ...ready);
    for (const failures of [1, 2, 3, 4]) at(failures, failed('events', failures));
    expect(state.readinessFailures(4 * second)).toEqual([]);
    at(5, failed('events', 5));
    expect(state.readinessFailures(5 * second)).toEqual(['events: 5 lists in a row failed']);
    at(6, listed('events'));
    expect(state.readinessFailures(6 * second)).toEqual([]);
  });

  test.each([401, 403])('ends at once with a %d and comes back with a watch or a list', (status) => {
    const { state, at } = check();
    at(0, ...ready);
    at(1, ended('events', status), failed('pods', 1, status));
    expect(state.readinessFailures(second)).toEqual([
      `events: the API server denies access with HTTP ${status}`,
      `pods: the API server denies access with HTTP ${status}`,
    ]);
    at(2, opened('events'), listed('pods'));
    expect(state.readinessFailures(2 * second)).toEqual([]);
  });

  test('ends when the sink has not stored a batch three times, and comes back when it answers', () => {
    const { state, at } = check();
    at(0, ...ready);
    const retrying = (attempt: number): Signal => ({ type: 'sinkRetrying', reason: '503', attempt, waitMs: 100 });
    const answered = (stored: number, retried: number): Signal => ({ type: 'batchAnswered', stored, refused: 0, retried, tookMs: 5 });
    at(1, retrying(1), answered(0, 3), retrying(2));
    expect(state.readinessFailures(second)).toEqual([]);
    at(2, answered(0, 3), retrying(3), answered(0, 3));
    expect(state.readinessFailures(2 * second)).toEqual(['sink: not stored after 3 tries']);
    at(3, answered(3, 0));
    expect(state.readinessFailures(3 * second)).toEqual([]);
  });

  test('ends when draining', () => {
    const { state, at } = check();
    at(0, ...ready, { type: 'drainStarted', inFlight: 3 });
    expect(state.readinessFailures(0)).toEqual(['draining: no more events are read']);
  });
});

describe('liveness', () => {
  test('ends when a reader has neither tried nor heard anything for too long', () => {
    const { state, at } = check();
    at(0, ...ready);
    at(10, { type: 'frameRead', source: 'events', bytes: 900 });
    expect(state.livenessFailures(silentMsMax)).toEqual([]);
    expect(state.livenessFailures(silentMsMax + second)).toEqual(['pods: nothing tried and nothing heard for 1231 s']);
    at(1231, { type: 'attempted', source: 'pods' });
    expect(state.livenessFailures(silentMsMax + second)).toEqual([]);
    expect(state.livenessFailures(silentMsMax + 11 * second)).toEqual(['events: nothing tried and nothing heard for 1231 s']);
  });

  test('begins with the start: a reader that never tries is dead, too', () => {
    const { state } = check(['events']);
    expect(state.livenessFailures(silentMsMax)).toEqual([]);
    expect(state.livenessFailures(silentMsMax + 1)).toEqual(['events: nothing tried and nothing heard for 1230 s']);
  });

  test('stands still for the events reader while it is paused, and goes on where it was', () => {
    const { state, at } = check();
    at(0, ...ready);
    at(1000, { type: 'readerPaused', paused: true });
    at(9000, { type: 'attempted', source: 'pods' });
    expect(state.livenessFailures(9000 * second)).toEqual([]);
    at(9000, { type: 'readerPaused', paused: false });
    expect(state.livenessFailures(9230 * second)).toEqual([]);
    expect(state.livenessFailures(9231 * second)).toEqual(['events: nothing tried and nothing heard for 1231 s']);
  });

  test('goes on for pods while events are paused', () => {
    const { state, at } = check();
    at(0, ...ready, { type: 'readerPaused', paused: true });
    expect(state.livenessFailures(silentMsMax + second)).toEqual(['pods: nothing tried and nothing heard for 1231 s']);
  });

  test('a paused reader is not missed for its watch', () => {
    const { state, at } = check();
    at(0, ...ready, ended('events'), { type: 'readerPaused', paused: true });
    expect(state.readinessFailures(3600 * second)).toEqual([]);
  });
});

describe('the claim of the shard', () => {
  const waiting: Signal = { type: 'shardWaiting', cause: 'held', claim: 'kube-sluice-0-of-3', holder: 'pod-a' };
  const held: Signal = { type: 'shardHeld', claim: 'kube-sluice-0-of-3', token: 3, takenOver: false, waitedMs: 9 };
  const retrying: Signal = { type: 'claimRetrying', reason: 'HTTP 503', attempt: 1, waitMs: 9 };

  test('while it is waited for, the container is ready and alive, unless it drains', () => {
    const { state, at } = check();
    at(0, waiting);
    expect([state.readinessFailures(86_400 * second), state.livenessFailures(86_400 * second)]).toEqual([[], []]);
    at(86_400, { type: 'drainStarted', inFlight: 0 });
    expect(state.readinessFailures(86_400 * second)).toEqual(['draining: no more events are read']);
  });

  test('once it is held, readers begin', () => {
    const { state, at } = check(['events']);
    at(0, waiting);
    at(86_400, held);
    expect(state.readinessFailures(86_400 * second)).toEqual(['events: no watch opened yet']);
    expect(state.livenessFailures(86_400 * second + silentMsMax)).toEqual([]);
    expect(state.livenessFailures(86_401 * second + silentMsMax)).toEqual(['events: nothing tried and nothing heard for 1231 s']);
  });

  test('while nobody answers about it, the container is alive and not ready; later that says nothing of the readers', () => {
    const { state, at } = check(['events']);
    at(3_000, retrying);
    expect(state.livenessFailures(4_000 * second)).toEqual([]);
    expect(state.readinessFailures(4_000 * second)).toEqual(['events: no watch opened yet']);
    at(4_000, held);
    at(9_000, retrying);
    expect(state.livenessFailures(9_000 * second)).toEqual(['events: nothing tried and nothing heard for 5000 s']);
  });
});

describe('one reader per namespace', () => {
  const names = ['events/shop', 'events/web', 'pods/shop', 'pods/web'] as const;
  const checkAll = (): ReturnType<typeof check> => {
    const { state, at } = check(names, ['events/shop', 'events/web']);
    at(0, ...names.map(opened), synced);
    return { state, at };
  };

  test('is missed although the others are well', () => {
    const { state, at } = checkAll();
    expect(state.readinessFailures(0)).toEqual([]);
    at(10, ended('events/web'));
    at(80, listed('events/shop'), opened('events/shop'), opened('pods/web'));
    expect(state.readinessFailures(80 * second)).toEqual(['events/web: no watch open for 70 s']);
    at(81, ended('pods/shop', 403), opened('events/web'));
    expect(state.readinessFailures(81 * second)).toEqual(['pods/shop: the API server denies access with HTTP 403']);
  });

  test('is dead although the others are alive', () => {
    const { state, at } = checkAll();
    at(1231, ...['events/shop', 'pods/shop', 'pods/web'].map((source): Signal => ({ type: 'attempted', source })));
    expect(state.livenessFailures(1231 * second)).toEqual(['events/web: nothing tried and nothing heard for 1231 s']);
  });

  test('needs pods synced', () => {
    const { state, at } = check(names, []);
    at(0, ...names.map(opened));
    expect(state.readinessFailures(0)).toEqual(['pods: not synced yet']);
  });

  test('stands still with all readers of events while they are paused', () => {
    const { state, at } = checkAll();
    at(0, { type: 'readerPaused', paused: true });
    at(2000, { type: 'attempted', source: 'pods/shop' }, { type: 'attempted', source: 'pods/web' });
    expect(state.livenessFailures(2000 * second)).toEqual([]);
  });
});
