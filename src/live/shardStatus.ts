import { shownLine } from '../inspect/shownText.ts';
import type { Shard } from '../model/shard.ts';
import type { Counts } from '../telemetry/counts.ts';
import type { Signal, SourceName } from '../telemetry/signals.ts';
import type { Doing, ReaderNews, ShardNews } from './news.ts';

/** What is not added up elsewhere: what each reader is doing, the position, the last trouble. */
export interface ShardStatus {
  /** Hears all but those that come for every event. */
  observe(signal: Signal, nowMs: number): void;
  /** The one of these that is not only counted. */
  moved(signal: Extract<Signal, { readonly type: 'positionMoved' }>): void;
  /** The shard is held: a pipeline begins, and nothing is known of its readers. */
  begin(nowMs: number): void;
  /** The shard is given up. */
  end(nowMs: number): void;
  news(counts: Readonly<Counts>, nowMs: number): StatusNews;
}

interface ReaderDoing extends Doing {
  /** How its list came, while that matters. */
  readonly by: 'stream' | 'pages' | undefined;
  /** Since when nothing has succeeded, the tries in between among it. Absent: the last thing did. */
  readonly failingMs: number | undefined;
}

export type StatusNews = Omit<ShardNews, 'marbles' | 'happenings' | 'points' | 'atJoin' | 'atSink'>;

const textLengthMax = 300;
const positionsMax = 20;

/**
 * Folds signals into what a person wants to know of a shard at a glance.
 *
 * State: a few fields per reader, a position per namespace. Time: comes in with each call, milliseconds since 1970.
 */
export function shardStatus(shard: Shard, startedMs: number): ShardStatus {
  const readers = new Map<SourceName, ReaderDoing>();
  const positions = new Map<string, string>();
  const told: Told = { ...nothing, beganMs: startedMs };

  return {
    observe(signal, nowMs) {
      if ('source' in signal) observeReader(readers, signal, nowMs);
      else observeShard(told, signal, nowMs);
    },
    moved: ({ scope, at }) => void positions.set(scope, at),
    begin(nowMs) {
      told.end = undefined;
      told.beganMs = nowMs;
      readers.clear();
    },
    end(nowMs) {
      told.end = { word: 'stopped', why: 'its position is saved; whoever is next goes on from there', sinceMs: nowMs };
    },
    news(counts, nowMs) {
      const lagSince = counts.keepsCheckpoint ? (counts.savingSince ?? counts.unsavedSince) : undefined;
      const { inFlightSince, positionMovedAt = 0 } = counts;
      return {
        index: shard.index,
        total: shard.total,
        ...doing(told, [...readers], counts),
        readers:
          told.end?.word === 'stopped'
            ? []
            : [...readers].map(([source, { word, why, sinceMs }]) => readerNews(source, { word, why, sinceMs }, counts.pausedSince)),
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
        sinkTroubleMs: told.sinkTroubleMs,
      };
    },
  };
}

/** A streamed list comes in the watch itself: its watch is open before the list is over. */
function observeReader(readers: Map<SourceName, ReaderDoing>, signal: Signal & { readonly source: SourceName }, nowMs: number): void {
  const known = readers.get(signal.source);
  const set = (word: Doing['word'], why: string, by = known?.by): void => {
    const isFailing = word === 'backing off';
    const failingMs = known?.failingMs ?? (isFailing ? nowMs : undefined);
    const sinceMs = (isFailing ? failingMs : undefined) ?? (known?.word === word ? known.sinceMs : nowMs);
    readers.set(signal.source, {
      word,
      why: shownLine(why, textLengthMax),
      sinceMs,
      by,
      failingMs: word === 'watching' ? undefined : failingMs,
    });
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
      set('backing off', `the watch ended: ${ends[signal.cause]}${statusText(signal.status)}${messageText(signal.message)}`);
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

function messageText(message: string | undefined): string {
  return message === undefined ? '' : `: ${message}`;
}

interface Told {
  sink: string;
  keptIn: string;
  lastGap: string;
  sinkTrouble: string;
  sinkTroubleMs: number;
  waitsFor: string;
  /** When the shard was held, or watched first. */
  beganMs: number;
  end: Doing | undefined;
}

const nothing: Told = {
  sink: '',
  keptIn: 'none',
  lastGap: '',
  sinkTrouble: '',
  sinkTroubleMs: 0,
  waitsFor: '',
  beganMs: 0,
  end: undefined,
};

function observeShard(told: Told, signal: Signal, nowMs: number): void {
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
      if (told.sinkTrouble === '') told.sinkTroubleMs = nowMs;
      told.sinkTrouble = shownLine(`try ${signal.attempt}: ${signal.reason}`, textLengthMax);
      return;
    case 'batchAnswered':
      if (signal.stored + signal.refused > 0) told.sinkTrouble = '';
      return;
    case 'drainStarted':
      told.end = { word: 'draining', why: 'reading ends, a list that has begun first; what was read is being delivered', sinceMs: nowMs };
      return;
    case 'stopped':
      told.end = {
        word: 'stopped',
        why: signal.unacknowledged === 0 ? '' : `${signal.unacknowledged} were not acknowledged`,
        sinceMs: nowMs,
      };
      return;
    case 'failed':
      told.end = { word: 'stopped', why: shownLine(signal.message, textLengthMax), sinceMs: nowMs };
      return;
    default:
  }
}

/** The one thing that matters most. */
function doing(told: Told, readers: readonly (readonly [SourceName, Doing])[], counts: Readonly<Counts>): Doing {
  const { waitingSince, pausedSince, inFlight } = counts;
  if (told.end !== undefined) return told.end;
  if (waitingSince !== undefined) return { word: 'waiting', why: told.waitsFor, sinceMs: waitingSince };
  if (pausedSince !== undefined) {
    const why = `the sink is behind: ${inFlight} are unacknowledged; nothing more is read until half of them are`;
    return { word: 'paused', why, sinceMs: pausedSince };
  }
  const ofEvents = readers.filter(([source]) => source.split('/')[0] === 'events').map(([, reader]) => reader);
  for (const word of ['backing off', 'listing', 'watching'] as const) {
    const reader = ofEvents.find((each) => each.word === word);
    if (reader !== undefined) return { word, why: reader.why, sinceMs: reader.sinceMs };
  }
  const failing = readers.find(([, { word }]) => word === 'backing off');
  if (failing !== undefined) return { word: 'backing off', why: `${failing[0]}: ${failing[1].why}`, sinceMs: failing[1].sinceMs };
  const why = readers.length === 0 ? '' : 'pods come first, so that events have their labels';
  return { word: 'starting', why, sinceMs: told.beganMs };
}

/** A reader of events stands still while the pipeline is paused, whatever it did before. */
function readerNews(source: SourceName, reader: Doing, pausedSince: number | undefined): ReaderNews {
  if (pausedSince === undefined || source.split('/')[0] !== 'events') return { source, ...reader };
  return { source, word: 'paused', why: 'the sink is behind', sinceMs: pausedSince };
}
