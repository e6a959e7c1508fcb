import type { Address } from '../config/optionKinds.ts';
import { type LiveShard, liveShard } from '../live/liveShard.ts';
import type { Shard } from '../model/shard.ts';
import { count } from '../telemetry/count.ts';
import { noCounts } from '../telemetry/counts.ts';
import type { Signal } from '../telemetry/signals.ts';
import type { CommandContext } from './command.ts';
import { livePage, untilLeft, untilViewed } from './livePage.ts';

/** Between two points of the live page's plots. */
const pointMs = 1_000;

/** The live page of a replay. */
export interface ReplayedPage {
  readonly shards: readonly LiveShard[];
  /** Resolves when nobody looks any more, and closes it. */
  end(): Promise<void>;
}

/**
 * Serves the page of a replay, and resolves when somebody looks. Whoever looks does so in real time, so the page counts by
 * itself what the replay counts in recorded time.
 */
export async function replayedPage(
  ui: Address,
  shards: readonly Shard[],
  { version, stops }: CommandContext,
  log: (signal: Signal) => void,
): Promise<ReplayedPage> {
  const lives = shards.map((shard) => countingShard(shard, version));
  const server = await livePage({ ui, version, pointMs }, lives, log);
  log({ type: 'notice', text: 'the replay begins when the page is opened, or in half a minute; the page stays until it is closed' });
  await untilViewed(server, stops);
  return {
    shards: lives,
    async end() {
      for (const live of lives) live.tell('the replay is over', Date.now());
      await untilLeft(server, stops);
      server.close();
    },
  };
}

function countingShard(shard: Shard, version: string): LiveShard {
  const counts = noCounts();
  const live = liveShard({ shard, counts, pointMs }, Date.now);
  const observe = (signal: Signal): void => {
    const nowMs = Date.now();
    count(counts, signal, nowMs);
    live.observe(signal, nowMs);
  };
  observe({ type: 'started', version, shard, sink: 'of the replay', checkpoint: 'none' });
  return { ...live, observe };
}
