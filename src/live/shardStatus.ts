import { shownLine } from '../inspect/shownText.ts';
import type { Shard } from '../model/shard.ts';
import type { Counts } from '../telemetry/counts.ts';
import type { Signal, SourceName } from '../telemetry/signals.ts';
import type { Doing, ReaderNews, ShardNews } from './news.ts';

/** What is not added up elsewhere: what each reader is doing, the position, the last trouble. */
export interface ShardStatus {
  /** Hears all but those that come for every event. */
  observe(signal: Signal): void;
  /** The one of these that is not only counted. */
  moved(signal: Extract<Signal, { readonly type: 'positionMoved' }>): void;
  /** The shard is held: a pipeline begins, and nothing is known of its readers. */
  begin(): void;
  /** The shard is given up. */
  end(): void;
  news(counts: Readonly<Counts>, nowMs: number): StatusNews;
}

/** How a reader's list came, while that matters. */
interface ReaderDoing extends Doing {
  readonly by: 'stream' | 'pages' | undefined;
}

export type StatusNews = Omit<ShardNews, 'marbles' | 'happenings' | 'points' | 'atJoin' | 'atSink'>;

const textLengthMax = 300;
const positionsMax = 20;

/**
 * Folds signals into what a person wants to know of a shard at a glance.
 *
 * State: a few fields per reader, a position per namespace. Time: comes in with each call, milliseconds since 1970.
 */
export function shardStatus(shard: Shard): ShardStatus {
  const readers = new Map<SourceName, ReaderDoing>();
  const positions = new Map<string, string>();
  const told = { sink: '', keptIn: 'none', lastGap: '', sinkTrouble: '', waitsFor: '', end: undefined as Doing | undefined };

  return {
    observe(signal) {
      if ('source' in signal) observeReader(readers, signal);
      else observeShard(told, signal);
    },
    moved: ({ scope, at }) => void positions.set(scope, at),
    begin() {
      told.end = undefined;
      readers.clear();
    },
    end() {
      told.end = { word: 'stopped', why: 'its position is saved; whoever is next goes on from there' };
    },
    news(counts, nowMs) {
      const lagSince = counts.keepsCheckpoint ? (counts.savingSince ?? counts.unsavedSince) : undefined;
      const { inFlightSince, positionMovedAt = 0 } = counts;
      const paused = counts.pausedSince !== undefined;
      return {
        index: shard.index,
        total: shard.total,
        ...doing(told, [...readers], counts, nowMs),
        readers:
          told.end?.word === 'stopped' ? [] : [...readers].map(([source, { word, why }]) => readerNews(source, { word, why }, paused)),
        positions: [...positions].slice(0, positionsMax),
        sink: told.sink,
        keptIn: told.keptIn,
        lagMs: lagSince === undefined ? 0 : nowMs - lagSince,
        standsMs: inFlightSince === undefined ? 0 : nowMs - Math.max(inFlightSince, positionMovedAt),
        received: counts.received,
        filtered: counts.filtered,
        repeated: counts.repeated,
        stored: counts.stored,
        refused: counts.refused,
        gaps: Object.values(counts.gaps).reduce((sum, each) => sum + each, 0),
        pods: counts.pods,
        inFlight: counts.inFlight,
        inFlightBytes: counts.inFlightBytes,
        lastGap: told.lastGap,
        sinkTrouble: told.sinkTrouble,
      };
    },
  };
}

/** A streamed list comes in the watch itself: its watch is open before the list is over. */
function observeReader(readers: Map<SourceName, ReaderDoing>, signal: Signal & { readonly source: SourceName }): void {
  const known = readers.get(signal.source);
  const set = (word: Doing['word'], why: string, by = known?.by): void => {
    readers.set(signal.source, { word, why: shownLine(why, textLengthMax), by });
  };
  switch (signal.type) {
    case 'listStarted':
      set('listing', listing[signal.cause], signal.by);
      return;
    case 'listDone':
      if (known?.by === 'stream') set('watching', '', undefined);
      else set('listing', `${signal.items} listed, about to watch`);
      return;
    case 'listFailed':
      set('backing off', `${signal.failures} in a row failed${statusText(signal.status)}: ${signal.message}`);
      return;
    case 'watchOpened':
      if (known?.word !== 'listing' || known.by !== 'stream') set('watching', '', undefined);
      return;
    case 'watchEnded':
      set('backing off', `the watch ended: ${ends[signal.cause]}${statusText(signal.status)}`);
      return;
    default:
      if (known === undefined) set('starting', '');
  }
}

const listing = {
  start: 'the first list',
  expired: 'again: the position had expired (410)',
  restored: 'again: the API server went back in time',
} as const;

const ends = {
  closed: 'closed by the server',
  silent: 'nothing was heard for too long',
  broken: 'the connection broke',
  status: 'refused',
  expired: 'the position had expired',
  invalid: 'what came was no watch',
} as const;

function statusText(status: number | undefined): string {
  return status === undefined ? '' : ` (HTTP ${status})`;
}

interface Told {
  sink: string;
  keptIn: string;
  lastGap: string;
  sinkTrouble: string;
  waitsFor: string;
  end: Doing | undefined;
}

function observeShard(told: Told, signal: Signal): void {
  switch (signal.type) {
    case 'started':
      told.sink = shownLine(signal.sink, textLengthMax);
      told.keptIn = shownLine(signal.checkpoint, textLengthMax);
      return;
    case 'shardWaiting': {
      const { cause, claim, holder } = signal;
      const whom = cause === 'held' ? `${holder} holds ${claim}` : `${holder} holds ${claim}, of another total or function`;
      told.waitsFor = shownLine(`${whom}; this one reads nothing until it ends`, textLengthMax);
      return;
    }
    case 'gapDeclared':
      told.lastGap = shownLine(`after ${signal.gap.from} up to ${signal.gap.to} (${signal.gap.cause}), ${signal.gap.date}`, textLengthMax);
      return;
    case 'sinkRetrying':
      told.sinkTrouble = shownLine(`not stored, try ${signal.attempt}: ${signal.reason}`, textLengthMax);
      return;
    case 'batchAnswered':
      if (signal.stored + signal.refused > 0) told.sinkTrouble = '';
      return;
    case 'drainStarted':
      told.end = { word: 'draining', why: 'reading has ended; what was read is being delivered' };
      return;
    case 'stopped':
      told.end = { word: 'stopped', why: signal.unacknowledged === 0 ? '' : `${signal.unacknowledged} were not acknowledged` };
      return;
    case 'failed':
      told.end = { word: 'stopped', why: shownLine(signal.message, textLengthMax) };
      return;
    default:
  }
}

/** The one thing that matters most. */
function doing(told: Told, readers: readonly (readonly [SourceName, Doing])[], counts: Readonly<Counts>, nowMs: number): Doing {
  if (told.end !== undefined) return told.end;
  if (counts.waitingSince !== undefined) return { word: 'waiting', why: told.waitsFor };
  if (counts.pausedSince !== undefined) {
    const seconds = Math.round((nowMs - counts.pausedSince) / 1_000);
    return { word: 'paused', why: `the sink is behind: ${counts.inFlight} are unacknowledged, for ${seconds} s nothing more is read` };
  }
  const ofEvents = readers.filter(([source]) => source.split('/')[0] === 'events').map(([, reader]) => reader);
  for (const word of ['backing off', 'listing', 'watching'] as const) {
    const reader = ofEvents.find((each) => each.word === word);
    if (reader !== undefined) return { word, why: reader.why };
  }
  const failing = readers.find(([, { word }]) => word === 'backing off');
  if (failing !== undefined) return { word: 'backing off', why: `${failing[0]}: ${failing[1].why}` };
  return { word: 'starting', why: readers.length === 0 ? '' : 'pods come first, so that events have their labels' };
}

/** A reader of events stands still while the pipeline is paused, whatever it did before. */
function readerNews(source: SourceName, reader: Doing, paused: boolean): ReaderNews {
  return paused && source.split('/')[0] === 'events' ? { source, word: 'paused', why: 'the sink is behind' } : { source, ...reader };
}
