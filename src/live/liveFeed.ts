import { interval, map, type Observable, type SchedulerLike, share, tap } from 'rxjs';
import { type LiveShard, plottedMs } from './liveShard.ts';
import { marblesMax } from './marbles.ts';
import type { News } from './news.ts';

/** Messages to those who look, four a second: as many as an eye can follow. */
const tickMs = 250;

export interface LiveFeedSettings {
  readonly version: string;
  readonly shards: readonly LiveShard[];
  /** Resident memory of the process, in bytes; asked for each point of the plots, and when somebody comes: asking is dear. */
  readonly rssBytes: () => number;
  /** Absent: there is none, or it is not known. */
  readonly memoryLimitBytes?: number;
  /** Time between two points of the plots, in milliseconds. */
  readonly pointMs: number;
}

/** What viewers are told. */
export interface LiveFeed {
  /** All there is to know now, as JSON. */
  all(): string;
  /** What is new, as JSON, four times a second; made once for all who listen, and not at all when nobody does. */
  readonly more: Observable<string>;
  /** Takes the points of the plots as long as it is subscribed to. */
  readonly plotting: Observable<unknown>;
}

/** State: that of the shards. Time: four messages a second while somebody listens, a point of the plots every `pointMs`. */
export function liveFeed({ version, shards, rssBytes, memoryLimitBytes, pointMs }: LiveFeedSettings, scheduler: SchedulerLike): LiveFeed {
  const now = (): number => scheduler.now();
  let rss = 0;
  const news = (type: News['type']): string => {
    const nowMs = now();
    const message: News = {
      type,
      atMs: nowMs,
      version,
      rssMb: rss / 1e6,
      memoryLimitMb: memoryLimitBytes === undefined ? null : memoryLimitBytes / 1e6,
      pointMs,
      pointsMax: Math.ceil(plottedMs / pointMs),
      marblesMax,
      shards: shards.map((shard) => shard[type](nowMs)),
    };
    return JSON.stringify(message);
  };
  return {
    all() {
      rss = rssBytes();
      return news('all');
    },
    more: interval(tickMs, scheduler).pipe(
      map(() => news('more')),
      share(),
    ),
    plotting: interval(pointMs, scheduler).pipe(
      tap(() => {
        rss = rssBytes();
        for (const shard of shards) shard.plot(now(), rss);
      }),
    ),
  };
}
