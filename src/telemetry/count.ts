import type { Counts, ReaderCounts, Tally } from './counts.ts';
import type { Signal, SourceName } from './signals.ts';

type Adder<Type extends Signal['type']> = (counts: Counts, signal: Extract<Signal, { type: Type }>, nowMs: number) => void;

/** Signals that no total depends on have no row. */
const adders: { readonly [Type in Signal['type']]?: Adder<Type> } = {
  started: (counts, { checkpoint }) => {
    counts.keepsCheckpoint = checkpoint !== 'none';
  },
  attempted: (counts, { source }, nowMs) => {
    readerOf(counts, source, nowMs);
  },
  listStarted: (counts, { source, cause }, nowMs) => {
    add(readerOf(counts, source, nowMs).lists, cause);
  },
  listDone: (counts, { source }, nowMs) => {
    readerOf(counts, source, nowMs).listFailuresInRow = 0;
  },
  listFailed: (counts, { source, failures }, nowMs) => {
    const reader = readerOf(counts, source, nowMs);
    reader.listFailures += 1;
    reader.listFailuresInRow = failures;
    reader.watchOpen = false;
  },
  watchOpened: (counts, { source }, nowMs) => {
    const reader = readerOf(counts, source, nowMs);
    reader.watchOpen = true;
    reader.watchesOpened += 1;
    reader.lastByteAt = nowMs;
  },
  watchEnded: (counts, { source, cause }, nowMs) => {
    const reader = readerOf(counts, source, nowMs);
    reader.watchOpen = false;
    add(reader.watchesEnded, cause);
  },
  frameRead: (counts, { source, bytes, times = 1 }, nowMs) => {
    const reader = readerOf(counts, source, nowMs);
    reader.lines += times;
    reader.bytes += bytes;
    reader.lastByteAt = nowMs;
  },
  frameSkipped: (counts, { source, cause }, nowMs) => {
    add(readerOf(counts, source, nowMs).skipped, cause);
  },
  readerPaused: (counts, { paused }, nowMs) => {
    if (counts.pausedSince !== undefined) counts.pausedMs += nowMs - counts.pausedSince;
    counts.pausedSince = paused ? nowMs : undefined;
  },
  storeRestored: (counts) => {
    counts.storesRestored += 1;
  },
  received: (counts, { bytes, times = 1 }) => {
    counts.received += times;
    counts.receivedBytes += bytes;
  },
  filtered: (counts, { times = 1 }) => {
    counts.filtered += times;
  },
  repeated: (counts) => {
    counts.repeated += 1;
  },
  refused: (counts) => {
    counts.refused += 1;
  },
  stored: (counts, { entries }) => {
    counts.stored += entries;
  },
  gapDeclared: (counts, { gap }) => {
    add(counts.gaps, gap.cause);
  },
  inFlight: (counts, { occurrences, bytes }, nowMs) => {
    counts.inFlight = occurrences;
    counts.inFlightBytes = bytes;
    counts.inFlightSince = occurrences === 0 ? undefined : (counts.inFlightSince ?? nowMs);
  },
  positionMoved: (counts, _, nowMs) => {
    counts.positionMovedAt = nowMs;
    counts.unsavedSince ??= nowMs;
  },
  // A position that moves while another is saved stays behind.
  checkpointSaving: (counts) => {
    counts.savingSince = counts.unsavedSince;
    counts.unsavedSince = undefined;
  },
  checkpointSaved: (counts) => {
    if (counts.keepsCheckpoint) counts.checkpointsSaved += 1;
    counts.savingSince = undefined;
  },
  shardWaiting: (counts, _, nowMs) => {
    counts.waitingSince ??= nowMs;
  },
  shardHeld: (counts) => {
    counts.waitingSince = undefined;
  },
  claimRetrying: (counts) => {
    counts.claimRetries += 1;
  },
  podsSynced: (counts) => {
    counts.podsSynced = true;
  },
  podCache: (counts, { operation }) => {
    add(counts.podCacheOperations, operation);
  },
  podCacheSize: (counts, { pods, owners }) => {
    counts.pods = pods;
    counts.owners = owners;
  },
  foreignPod: (counts) => {
    counts.foreignPods += 1;
  },
  ownerAsked: (counts, { found }) => {
    add(counts.ownersAsked, String(found));
  },
  ownerMissed: (counts, { cause }) => {
    add(counts.ownersMissed, cause);
  },
  requestAnswered: (counts, { code }) => {
    add(counts.requests, code);
  },
  batchAnswered: (counts, { retried }) => {
    counts.batches += 1;
    counts.entriesRetried += retried;
  },
  sinkRetrying: (counts) => {
    counts.sinkWaits += 1;
  },
};

/** Adds one signal to the totals. Costs a few additions, so it may be called for every line. */
export function count(counts: Counts, signal: Signal, nowMs: number): void {
  const adder = adders[signal.type] as Adder<Signal['type']> | undefined;
  adder?.(counts, signal as never, nowMs);
}

function readerOf({ readers }: Counts, source: SourceName, nowMs: number): ReaderCounts {
  const known = readers.get(source);
  if (known !== undefined) return known;
  const made: ReaderCounts = {
    watchOpen: false,
    watchesOpened: 0,
    watchesEnded: {},
    lists: {},
    listFailures: 0,
    listFailuresInRow: 0,
    lines: 0,
    bytes: 0,
    skipped: {},
    lastByteAt: nowMs,
  };
  readers.set(source, made);
  return made;
}

function add(tally: Tally, word: string): void {
  tally[word] = (tally[word] ?? 0) + 1;
}
