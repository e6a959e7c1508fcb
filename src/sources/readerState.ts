import { fullJitter } from '../model/backoff.ts';
import type { RelistCause } from '../model/change.ts';
import { isBefore, type ResourceVersion } from '../model/resourceVersion.ts';
import type { Runtime } from '../runtime.ts';
import type { Ended, Outcome } from './outcome.ts';
import { type ListWatchSettings, readerLimits } from './readerSettings.ts';

/** What the reader does next. Closed: every state is an attempt, and every attempt ends in one outcome. */
export type ReaderState =
  /** A fresh start from now: learn the version. */
  | { readonly type: 'finding' }
  /** A position is known: is the store's version still at or above it? */
  | { readonly type: 'checking'; readonly position: ResourceVersion }
  /** Without a position the list holds what the server still has; with one, what came after it. */
  | { readonly type: 'listing'; readonly cause: RelistCause; readonly position?: ResourceVersion; readonly pagesOnly?: boolean }
  | { readonly type: 'watching'; readonly position: ResourceVersion };

/** The reader between two attempts. */
export interface Reader {
  readonly state: ReaderState;
  /** Milliseconds before the next attempt. */
  readonly waitMs: number;
  /** List attempts in a row that failed. */
  readonly listFailures: number;
  /** Watches in a row that brought nothing. */
  readonly watchFailures: number;
  /** Watches in a row from this position that brought no byte, and how many of them closed early. */
  readonly quietWatches: number;
  readonly earlyCloses: number;
  /** Until when all that came was read at once; absent: unknown. A watch that is open and paused counts for nothing. Milliseconds since 1970. */
  readonly watchedAt?: number;
}

export function firstReader(settings: ListWatchSettings): Reader {
  const still = { waitMs: 0, listFailures: 0, watchFailures: 0, quietWatches: 0, earlyCloses: 0 };
  if (settings.resume !== undefined) return { ...still, state: { type: 'checking', position: settings.resume } };
  if (settings.listAfter !== undefined) return { ...still, state: { type: 'listing', cause: 'start', position: settings.listAfter } };
  return { ...still, state: settings.startFrom === 'now' ? { type: 'finding' } : { type: 'listing', cause: 'start' } };
}

/** The one step function: what the reader does after an attempt ended like this. */
export function nextReader(reader: Reader, outcome: Outcome, settings: ListWatchSettings, runtime: Runtime): Reader {
  switch (outcome.type) {
    case 'exhausted':
      return reader;
    case 'checked':
      return afterCheck({ ...reader, listFailures: 0, waitMs: 0 }, outcome.resourceVersion);
    case 'listDone':
      return watchFrom({ ...reader, listFailures: 0, waitMs: 0, watchedAt: outcome.listedAt }, outcome.resourceVersion);
    case 'ended':
      if (reader.state.type === 'watching') return afterWatch(reader, reader.state.position, outcome, settings, runtime);
      // A streaming list goes on as a watch once its bracket is closed.
      if (reader.state.type === 'listing' && outcome.progressed && outcome.position !== undefined) {
        return afterWatch({ ...reader, listFailures: 0 }, outcome.position, outcome, settings, runtime);
      }
      return afterFailedList(reader, outcome, settings, runtime);
  }
}

function afterCheck(reader: Reader, resourceVersion: ResourceVersion): Reader {
  if (reader.state.type !== 'checking') return watchFrom(reader, resourceVersion);
  const { position } = reader.state;
  if (isBefore(resourceVersion, position)) return { ...reader, state: { type: 'listing', cause: 'restored', position } };
  return { ...reader, state: { type: 'watching', position } };
}

/** Starts watching at a position that is new, so nothing counts against it yet. */
function watchFrom(reader: Reader, position: ResourceVersion): Reader {
  return { ...reader, quietWatches: 0, earlyCloses: 0, state: { type: 'watching', position } };
}

function afterFailedList(reader: Reader, ended: Ended, { relistByPages = false }: ListWatchSettings, runtime: Runtime): Reader {
  const failed = { ...reader, listFailures: reader.listFailures + 1, waitMs: backoffMs(reader.listFailures, ended, runtime) };
  if (reader.state.type !== 'listing') return failed;
  // The bracket has told of the new incarnation; what follows is a list like a first one, but what was overwritten meanwhile counts.
  if (ended.restored === true) return { ...failed, state: { type: 'listing', cause: 'start', pagesOnly: relistByPages } };
  const streamRefused = ended.status === 400 || ended.status === 422 || ended.cause === 'silent';
  return streamRefused ? { ...failed, state: { ...reader.state, pagesOnly: true } } : failed;
}

function afterWatch(reader: Reader, resumedFrom: ResourceVersion, ended: Ended, settings: ListWatchSettings, runtime: Runtime): Reader {
  const position = ended.position ?? resumedFrom;
  const good = ended.progressed || ended.openMs >= readerLimits.steadyMs;
  // A stream that opens only to say 410 was no watch.
  const opened = ended.progressed || ended.openMs >= readerLimits.earlyCloseMs;
  const watchedAt = opened ? readUntil(ended, runtime.scheduler.now()) : undefined;
  const quiet = ended.cause === 'closed' && !ended.heard;
  const early = quiet && ended.openMs < readerLimits.earlyCloseMs;
  const watchFailures = good ? 0 : reader.watchFailures;
  const after: Reader = {
    ...reader,
    watchFailures: watchFailures + 1,
    waitMs: backoffMs(watchFailures, ended, runtime),
    quietWatches: quiet ? reader.quietWatches + 1 : ended.heard ? 0 : reader.quietWatches,
    earlyCloses: early ? reader.earlyCloses + 1 : ended.heard || quiet ? 0 : reader.earlyCloses,
    ...(watchedAt === undefined ? {} : { watchedAt }),
  };
  const relist: Reader = { ...after, quietWatches: 0, earlyCloses: 0, state: { type: 'listing', cause: 'expired', position } };
  if (ended.cause === 'expired') return relist;
  if (settings.closesWhenExpired === true && after.earlyCloses >= readerLimits.earlyClosesMax) return relist;
  const check = quiet && after.quietWatches % readerLimits.quietWatchesMax === 0;
  return { ...after, state: { type: check ? 'checking' : 'watching', position } };
}

/** Undefined: the watch was paused before it opened, and what was known before still holds. */
function readUntil({ openMs, pausedAt }: Ended, now: number): number | undefined {
  if (pausedAt === undefined) return now;
  return pausedAt > now - openMs ? pausedAt : undefined;
}

/** Full jitter, but never sooner than the server asked. */
function backoffMs(failures: number, ended: Ended, runtime: Runtime): number {
  const jitter = fullJitter(failures + 1, { firstMs: readerLimits.backoffFirstMs, maxMs: readerLimits.backoffMaxMs }, runtime.random);
  return Math.max(jitter, ended.retryAfterMs ?? 0);
}
