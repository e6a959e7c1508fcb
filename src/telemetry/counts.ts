import type { SourceName } from './signals.ts';

/** Totals by a word from a closed set. */
export type Tally = Record<string, number>;

/** What one reader has done. Times are milliseconds since 1970. */
export interface ReaderCounts {
  watchOpen: boolean;
  watchesOpened: number;
  watchesEnded: Tally;
  lists: Tally;
  listFailures: number;
  listFailuresInRow: number;
  lines: number;
  bytes: number;
  skipped: Tally;
  /** When the last byte of a watch came; before that, when the reader was first heard of. */
  lastByteAt: number;
}

/**
 * Totals since the start, of all that was signalled. Whenever no stage is at work,
 * received = stored + refused + filtered + repeated + inFlight.
 */
export interface Counts {
  received: number;
  receivedBytes: number;
  stored: number;
  refused: number;
  filtered: number;
  repeated: number;
  inFlight: number;
  inFlightBytes: number;
  /** Since when something has been in flight. Absent: nothing is. */
  inFlightSince: number | undefined;
  gaps: Tally;
  storesRestored: number;
  /** Since when the events reader has been paused. Absent: it reads. */
  pausedSince: number | undefined;
  /** Milliseconds of the pauses that are over. */
  pausedMs: number;
  positionMovedAt: number | undefined;
  /** False: whoever runs the pipeline said that no checkpoint is kept. */
  keepsCheckpoint: boolean;
  /** Since when the position has been ahead of what was saved and is being saved. Absent: it is not. */
  unsavedSince: number | undefined;
  /** Since when the position had been ahead of what was saved, as the save under way began. Absent: none is under way. */
  savingSince: number | undefined;
  checkpointsSaved: number;
  /** Since when the shard has been waited for. Absent: it is not. */
  waitingSince: number | undefined;
  /** Answers about the shard's claim that left it open. */
  claimRetries: number;
  podsSynced: boolean;
  podCacheOperations: Tally;
  pods: number;
  owners: number;
  foreignPods: number;
  ownersAsked: Tally;
  ownersMissed: Tally;
  /** By the answer's code. */
  requests: Tally;
  batches: number;
  entriesRetried: number;
  sinkWaits: number;
  readers: Map<SourceName, ReaderCounts>;
}

export function noCounts(): Counts {
  return {
    received: 0,
    receivedBytes: 0,
    stored: 0,
    refused: 0,
    filtered: 0,
    repeated: 0,
    inFlight: 0,
    inFlightBytes: 0,
    inFlightSince: undefined,
    gaps: {},
    storesRestored: 0,
    pausedSince: undefined,
    pausedMs: 0,
    positionMovedAt: undefined,
    keepsCheckpoint: true,
    unsavedSince: undefined,
    savingSince: undefined,
    checkpointsSaved: 0,
    waitingSince: undefined,
    claimRetries: 0,
    podsSynced: false,
    podCacheOperations: {},
    pods: 0,
    owners: 0,
    foreignPods: 0,
    ownersAsked: {},
    ownersMissed: {},
    requests: {},
    batches: 0,
    entriesRetried: 0,
    sinkWaits: 0,
    readers: new Map(),
  };
}
