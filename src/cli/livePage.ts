import { asyncScheduler, debounceTime, filter, firstValueFrom, type Observable, race, take, timer } from 'rxjs';
import { addressText } from '../config/listenAddress.ts';
import type { Address } from '../config/optionKinds.ts';
import { liveFeed } from '../live/liveFeed.ts';
import type { LiveShard } from '../live/liveShard.ts';
import type { Signal } from '../telemetry/signals.ts';
import { type LiveServer, liveServer } from './liveServer.ts';
import { memoryLimits } from './memoryLimits.ts';

export interface LivePageSettings {
  readonly ui: Address;
  readonly version: string;
  /** Time between two points of the plots, in milliseconds. */
  readonly pointMs: number;
}

/** What has an end waits so long for somebody to look, and stays until nobody has looked for so long. */
const firstViewerMsMax = 30_000;
const lastViewerMs = 5_000;

/** Serves the page of these shards, and tells where. */
export async function livePage(
  { ui, version, pointMs }: LivePageSettings,
  shards: readonly LiveShard[],
  tell: (signal: Signal & { readonly type: 'notice' | 'warning' }) => void,
): Promise<LiveServer> {
  const { memoryLimitBytes } = memoryLimits();
  const rssBytes = (): number => process.memoryUsage.rss();
  const limit = memoryLimitBytes === undefined ? {} : { memoryLimitBytes };
  const feed = liveFeed({ version, shards, rssBytes, pointMs, ...limit }, asyncScheduler);
  const server = await liveServer(ui, feed);
  const url = `http://${addressText(server.address)}/`;
  tell({ type: 'notice', text: `live page at ${url}` });
  if (!isLoopback(server.address.host ?? '')) {
    tell({ type: 'warning', text: `the live page at ${url} shows what events say to whoever can reach it: it has no password` });
  }
  return server;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** Resolves when somebody looks, after half a minute, or at a stop: for what would be over before a browser is open. */
export async function untilViewed({ viewers }: LiveServer, stops: Observable<unknown>): Promise<void> {
  await firstValueFrom(race(viewers.pipe(filter((count) => count > 0)), timer(firstViewerMsMax), stops));
}

/** Resolves when nobody has looked for a few seconds, or at a stop. */
export async function untilLeft({ viewers }: LiveServer, stops: Observable<unknown>): Promise<void> {
  const left = viewers.pipe(
    debounceTime(lastViewerMs, asyncScheduler),
    filter((count) => count === 0),
  );
  if ((await firstValueFrom(viewers)) > 0) await firstValueFrom(race(left, stops).pipe(take(1)));
}
