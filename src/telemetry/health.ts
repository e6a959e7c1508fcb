import type { Signal, SourceName } from './signals.ts';

export interface HealthSettings {
  /** Readers that must have a watch, as readerName names them: those of events, and those of pods if owner labels are wanted. */
  readonly sources: readonly SourceName[];
  /** Readers that stand still while the pipeline is paused. */
  readonly pausedSources: readonly SourceName[];
  /** A reader that has neither tried nor heard anything for so long is dead, in milliseconds. */
  readonly silentMsMax: number;
}

/** Empty: all is well. Otherwise one sentence per condition that fails. */
export type Failures = readonly string[];

/** What the probes answer. Pure: the time comes in with each call, milliseconds since 1970, never going back. */
export interface Health {
  observe(signal: Signal, nowMs: number): void;
  /** What a restart may mend: a reader that does nothing. */
  livenessFailures(nowMs: number): Failures;
  /** What keeps events from being delivered now. */
  readinessFailures(nowMs: number): Failures;
}

/** A watch that ended is opened again within the reader's backoff; only a longer time is worth a word. */
const withoutWatchMsMax = 60_000;
const listFailuresMax = 5;
const sinkAttemptsMax = 3;

interface ReaderHealth {
  /** When it last tried or heard something; moved on by the length of a pause. */
  activeAt: number;
  /** When a watch was last open. Absent: never. */
  watchedAt: number | undefined;
  watchOpen: boolean;
  listFailures: number;
  /** The API server's last answer was 401 or 403. */
  deniedBy: number | undefined;
}

/**
 * Folds signals into what the probes answer.
 *
 * State: a few fields per reader. Liveness: each reader has tried or heard something lately; while
 * it is paused its clock stands still. Readiness: pods synced, every watch open (an interruption of a minute is
 * normal), access not denied, fewer than five list failures in a row, sink not refusing, not draining.
 * Who waits for its shard is alive and ready, because a rollout waits until it is; its readers begin after that.
 */
export function health(settings: HealthSettings, startedMs: number): Health {
  const readers = new Map(settings.sources.map((source) => [source, newReader(startedMs)]));
  let podsSynced = !settings.sources.some((source) => source.split('/')[0] === 'pods');
  let draining = false;
  let claim: 'open' | 'waiting' | 'held' = 'open';
  let sinkAttempts = 0;
  let pausedSince: number | undefined;

  const claimTold = (type: 'shardWaiting' | 'shardHeld' | 'claimRetrying', nowMs: number): void => {
    if (claim === 'held') return;
    if (type !== 'claimRetrying') claim = type === 'shardHeld' ? 'held' : 'waiting';
    // Until now the readers had nothing to do.
    for (const reader of readers.values()) reader.activeAt = nowMs;
  };
  const isPaused = (source: SourceName): boolean => pausedSince !== undefined && settings.pausedSources.includes(source);
  const pause = (paused: boolean, nowMs: number): void => {
    if (pausedSince !== undefined) {
      for (const source of settings.pausedSources) {
        const reader = readers.get(source);
        if (reader !== undefined) reader.activeAt = Math.min(nowMs, reader.activeAt + nowMs - pausedSince);
      }
    }
    pausedSince = paused ? nowMs : undefined;
  };

  return {
    observe(signal, nowMs) {
      if ('source' in signal) {
        const reader = readers.get(signal.source);
        if (reader !== undefined) observeReader(reader, signal, nowMs);
        return;
      }
      if (signal.type === 'readerPaused') pause(signal.paused, nowMs);
      else if (signal.type === 'podsSynced') podsSynced = true;
      else if (signal.type === 'drainStarted') draining = true;
      else if (signal.type === 'shardWaiting' || signal.type === 'shardHeld' || signal.type === 'claimRetrying')
        claimTold(signal.type, nowMs);
      else if (signal.type === 'sinkRetrying') sinkAttempts = signal.attempt;
      else if (signal.type === 'batchAnswered' && signal.stored + signal.refused > 0) sinkAttempts = 0;
    },
    livenessFailures: (nowMs) =>
      [...readers]
        .filter(([source, { activeAt }]) => claim !== 'waiting' && !isPaused(source) && nowMs - activeAt > settings.silentMsMax)
        .map(([source, { activeAt }]) => `${source}: nothing tried and nothing heard for ${seconds(nowMs - activeAt)}`),
    readinessFailures: (nowMs) => [
      ...(draining ? ['draining: no more events are read'] : []),
      ...(podsSynced || claim === 'waiting' ? [] : ['pods: not synced yet']),
      ...[...readers].flatMap(([source, reader]) => (claim === 'waiting' ? [] : readerFailures(source, reader, isPaused(source), nowMs))),
      ...(sinkAttempts >= sinkAttemptsMax ? [`sink: not stored after ${sinkAttempts} tries`] : []),
    ],
  };
}

function newReader(startedMs: number): ReaderHealth {
  return { activeAt: startedMs, watchedAt: undefined, watchOpen: false, listFailures: 0, deniedBy: undefined };
}

function observeReader(reader: ReaderHealth, signal: Signal & { readonly source: SourceName }, nowMs: number): void {
  reader.activeAt = nowMs;
  switch (signal.type) {
    case 'watchOpened':
      reader.watchOpen = true;
      reader.watchedAt = nowMs;
      reader.deniedBy = undefined;
      return;
    case 'listDone':
      reader.listFailures = 0;
      reader.deniedBy = undefined;
      return;
    case 'watchEnded':
    case 'listFailed':
      if (reader.watchOpen) reader.watchedAt = nowMs;
      reader.watchOpen = false;
      if (signal.type === 'listFailed') reader.listFailures = signal.failures;
      reader.deniedBy = signal.status === 401 || signal.status === 403 ? signal.status : undefined;
      return;
    default:
      return;
  }
}

function readerFailures(source: SourceName, reader: ReaderHealth, paused: boolean, nowMs: number): Failures {
  const { deniedBy, listFailures, watchOpen, watchedAt } = reader;
  if (deniedBy !== undefined) return [`${source}: the API server denies access with HTTP ${deniedBy}`];
  if (listFailures >= listFailuresMax) return [`${source}: ${listFailures} lists in a row failed`];
  if (watchOpen || paused) return [];
  if (watchedAt === undefined) return [`${source}: no watch opened yet`];
  const withoutMs = nowMs - watchedAt;
  return withoutMs > withoutWatchMsMax ? [`${source}: no watch open for ${seconds(withoutMs)}`] : [];
}

function seconds(ms: number): string {
  return `${Math.floor(ms / 1000)} s`;
}
