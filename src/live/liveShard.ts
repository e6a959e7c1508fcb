import { type MonoTypeOperatorFunction, pipe, tap } from 'rxjs';
import type { Item } from '../model/occurrence.ts';
import type { Shard } from '../model/shard.ts';
import type { PipelinePorts } from '../pipeline.ts';
import type { CheckpointStore, Sink } from '../ports.ts';
import { countedOnly } from '../telemetry/countedOnly.ts';
import type { Counts } from '../telemetry/counts.ts';
import type { Signal } from '../telemetry/signals.ts';
import { happenings } from './happenings.ts';
import { type Marbles, marbles } from './marbles.ts';
import type { Point, ShardNews } from './news.ts';
import { type ShardStatus, shardStatus } from './shardStatus.ts';

/** How far back the plots go. */
export const plottedMs = 15 * 60_000;

/** Signals that come for every event, or nearly: the counts know all that is in them. */
const perEvent: ReadonlySet<Signal['type']> = new Set([...countedOnly, 'frameRead']);

export interface LiveShardSettings {
  readonly shard: Shard;
  /** Totals of the same signals; whoever runs the pipeline keeps them. */
  readonly counts: Readonly<Counts>;
  /** Time between two points of the plots, in milliseconds. */
  readonly pointMs: number;
}

/** One shard as the live page shows it. */
export interface LiveShard {
  observe(signal: Signal, nowMs: number): void;
  /** The same ports with an ear at each station: behind the shard filter, behind the join, and around sink and store. */
  watched(ports: PipelinePorts): PipelinePorts;
  /** Something that no signal tells. */
  tell(text: string, nowMs: number): void;
  /** Adds a point to the plots. */
  plot(nowMs: number, rssBytes: number): void;
  all(nowMs: number): ShardNews;
  /** What is new since it was asked last; everything that is a number is told anew. */
  more(nowMs: number): ShardNews;
}

/**
 * Watches one pipeline through its signals and ports, and keeps what a page shows of it.
 *
 * State: bounded, see marbles, happenings, shardStatus; 15 minutes of points. Time: `now`, milliseconds since 1970.
 */
export function liveShard({ shard, counts, pointMs }: LiveShardSettings, now: () => number): LiveShard {
  const sample = marbles(now);
  const status = shardStatus(shard, now());
  const told = happenings();
  const pointsMax = Math.ceil(plottedMs / pointMs);
  let points: Point[] = [];
  let freshPoints: Point[] = [];
  let before = { atMs: now(), received: 0, stored: 0 };

  const news = (nowMs: number, fresh: Pick<ShardNews, 'marbles' | 'happenings' | 'points'>): ShardNews => ({
    ...status.news(counts, nowMs),
    ...sample.waiting,
    ...fresh,
  });
  return {
    observe(signal, nowMs) {
      if (signal.type === 'positionMoved') status.moved(signal);
      if (perEvent.has(signal.type)) return;
      status.observe(signal, nowMs);
      told.observe(signal, nowMs);
    },
    watched: (ports) => ({ ...watchedPorts(ports, sample), store: watchedStore(ports.store, status, now) }),
    tell: (text, nowMs) => told.add('note', text, nowMs),
    plot(nowMs, rssBytes) {
      sample.takeMore();
      const seconds = Math.max(nowMs - before.atMs, 1) / 1_000;
      const perSecond = (count: number): number => Math.round((10 * count) / seconds) / 10;
      const { lagMs } = status.news(counts, nowMs);
      const { received, stored, inFlight } = counts;
      const rates = [perSecond(received - before.received), perSecond(stored - before.stored)] as const;
      const point: Point = [nowMs, ...rates, inFlight, Math.round(lagMs / 100) / 10, Math.round(rssBytes / 1e5) / 10];
      points = [...points.slice(1 - pointsMax), point];
      freshPoints = [...freshPoints.slice(1 - pointsMax), point];
      before = { atMs: nowMs, received, stored };
    },
    all: (nowMs) => news(nowMs, { marbles: sample.all(), happenings: told.all(), points }),
    more(nowMs) {
      const fresh = { marbles: sample.changed(), happenings: told.fresh(), points: freshPoints };
      freshPoints = [];
      return news(nowMs, fresh);
    },
  };
}

function watchedPorts(ports: PipelinePorts, sample: Marbles): PipelinePorts {
  const heard: MonoTypeOperatorFunction<Item> = tap((item) => {
    if (item.type === 'occurrence') sample.read(item);
  });
  const { ownStage, onEntry } = ports;
  return {
    ...ports,
    ownStage: ownStage === undefined ? heard : pipe(ownStage, heard),
    onEntry: (outgoing) => {
      sample.joined(outgoing);
      onEntry?.(outgoing);
    },
    sink: watchedSink(ports.sink, sample),
  };
}

/** The first thing that a pipeline does, and the last. */
function watchedStore({ hold, save, release }: CheckpointStore, { begin, end }: ShardStatus, now: () => number): CheckpointStore {
  return {
    hold: (meaning) => hold(meaning).pipe(tap({ next: () => begin(now()) })),
    save,
    release: () => release().pipe(tap({ complete: () => end(now()) })),
  };
}

function watchedSink({ identity, write }: Sink, sample: Marbles): Sink {
  return {
    identity,
    write: (batch) => {
      let isAnswered = false;
      return write(batch).pipe(
        tap({
          subscribe: () => sample.handed(batch),
          next: (results) => {
            isAnswered = true;
            sample.answered(batch, results);
          },
          finalize: () => {
            if (!isAnswered) sample.answered(batch);
          },
        }),
      );
    },
  };
}
