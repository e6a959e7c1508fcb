import { setTimeout as sleep } from 'node:timers/promises';
import { benchServer } from './benchServer.ts';
import { runArgs } from './liveRows.ts';
import { type Row, row } from './measure.ts';
import { measuredProcess } from './measuredProcess.ts';
import { until } from './until.ts';

export interface StartSettings {
  /** Flags of Node and the script of the command line. */
  readonly program: readonly string[];
  readonly rounds: number;
}

const pods = 30_000;
const existing = 120_000;
/** After a start, until memory is looked at. */
const restMs = 5_000;
const megabyte = 1_000_000;

/** What it takes to start beside 120,000 Events and 30,000 pods that exist already, until an Event written then is out. */
export async function startRows({ program, rounds }: StartSettings): Promise<Row[]> {
  const server = await benchServer();
  const seconds: number[] = [];
  const after: number[] = [];
  const peaks: number[] = [];
  try {
    await server.ask({ type: 'pods', count: pods });
    await server.ask({ type: 'events', count: existing });
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      const exporter = measuredProcess({ args: [...program, ...runArgs(server.kubeconfig), '--start-from=earliest'] });
      await until(() => exporter.lines() >= existing + round);
      await server.ask({ type: 'one' });
      await until(() => exporter.lines() > existing + round);
      seconds.push((performance.now() - startedAt) / 1000);
      await sleep(restMs);
      const { now, peak } = exporter.rss();
      after.push(now / megabyte);
      peaks.push(peak / megabyte);
      await exporter.stop();
    }
  } finally {
    await server.close();
  }
  return [
    row({ group: 'start', name: 'start to first live event, 120,000 events', unit: 's', values: seconds }),
    row({ group: 'start', name: 'RSS after a start with 120,000 events', unit: 'MB', values: after }),
    row({ group: 'start', name: 'RSS after a start with 120,000 events, peak', unit: 'MB', values: peaks }),
  ];
}
