import type { Signal } from './signals.ts';

/** `error`: something is lost, or a person is needed. `warn`: unexpected, nothing lost. `info`: start, stop, relist. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** How one signal is logged. Its own fields go with it. */
export interface LogRow<S> {
  readonly level: LogLevel | ((signal: S) => LogLevel);
  /** Fixed text, or the signal's own. */
  readonly text: string | ((signal: S) => string);
  /** Present: signals for which this is equal are repeats, counted and not logged again for a minute. */
  readonly repeats?: (signal: S) => string;
}

type Of<Type extends Signal['type']> = Extract<Signal, { type: Type }>;

type LogTable = { readonly [Type in Signal['type']]: LogRow<Of<Type>> | undefined };

/** Every signal is here. Undefined: too many for a log, they are metrics. */
export const logTable: LogTable = {
  started: { level: 'info', text: 'started' },
  notice: { level: 'info', text: ({ text }) => text },
  warning: { level: 'warn', text: ({ text }) => text, repeats: ({ text }) => text },
  drainStarted: { level: 'info', text: 'draining: reading ends, a list that has begun is ended first; waiting for the sink' },
  failed: { level: 'error', text: ({ message }) => message },
  stopped: { level: ({ unacknowledged }) => (unacknowledged > 0 ? 'error' : 'info'), text: 'stopped' },

  shardWaiting: {
    level: 'info',
    text: ({ cause }) =>
      cause === 'held' ? 'waiting for the shard: another pod holds it' : 'waiting for a shard of another total or function to end',
  },
  shardHeld: { level: 'info', text: 'the shard is held by this pod' },
  positionsRead: {
    level: 'info',
    text: ({ resumed }) => (resumed ? 'going on from the stored checkpoint' : 'no checkpoint is stored, starting afresh'),
  },
  claimRetrying: {
    level: 'warn',
    text: 'no certain answer about the lease of the shard, it is asked again',
    repeats: ({ reason }) => reason,
  },

  listStarted: { level: 'info', text: 'list started', repeats: ({ source, cause, by }) => `${source} ${cause} ${by}` },
  listDone: { level: 'info', text: 'list done', repeats: ({ source }) => source },
  listFailed: {
    level: ({ status, failures }) => (isDenied(status) || failures >= 5 ? 'error' : 'warn'),
    text: 'list failed, it will be tried again',
    repeats: ({ source, cause, status }) => `${source} ${cause} ${status}`,
  },
  watchOpened: { level: 'debug', text: 'watch opened' },
  watchEnded: {
    level: ({ cause, status }) => (isDenied(status) ? 'error' : cause === 'closed' || cause === 'expired' ? 'debug' : 'warn'),
    text: 'watch ended, it will be resumed',
    repeats: ({ source, cause, status }) => `${source} ${cause} ${status}`,
  },
  attempted: undefined,
  frameRead: undefined,
  frameSkipped: {
    level: ({ cause }) => (cause === 'torn' ? 'debug' : cause === 'notWatchEvent' ? 'warn' : 'error'),
    text: 'a line of a watch was left out',
    repeats: ({ source, cause }) => `${source} ${cause}`,
  },
  readerPaused: {
    level: 'info',
    text: ({ paused }) => (paused ? 'reading paused: too much is unacknowledged' : 'reading goes on'),
    repeats: ({ paused }) => String(paused),
  },
  storeRestored: { level: 'warn', text: 'the API server went back in time, everything it holds is read again' },
  versionOpaque: { level: 'warn', text: 'resource versions have no order on this server, so no checkpoint is kept' },

  received: undefined,
  filtered: undefined,
  repeated: undefined,
  gapDeclared: { level: 'error', text: 'some revisions may be missing, a gap record says which' },
  refused: { level: 'error', text: 'an event revision can never be stored' },
  inFlight: undefined,
  positionMoved: undefined,
  checkpointSaving: undefined,
  checkpointSaved: { level: 'debug', text: 'checkpoint saved' },

  podsSynced: { level: 'info', text: 'pods synced' },
  podSyncTimedOut: { level: 'warn', text: 'pods are not synced in time, events go without owner labels until they are' },
  podCache: undefined,
  podCacheSize: undefined,
  foreignPod: undefined,
  ownerAsked: undefined,
  ownerMissed: { level: 'warn', text: 'an event went without owner labels', repeats: ({ cause, status }) => `${cause} ${status}` },

  requestAnswered: undefined,
  batchAnswered: { level: 'debug', text: 'batch answered' },
  stored: undefined,
  sinkRetrying: { level: 'warn', text: 'the sink did not store a batch, it will be tried again', repeats: ({ reason }) => reason },
};

function isDenied(status: number | undefined): boolean {
  return status === 401 || status === 403;
}
