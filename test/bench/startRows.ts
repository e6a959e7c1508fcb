import { setTimeout as sleep } from 'node:timers/promises';
import { benchServer } from './benchServer.ts';
import { runArgs, watching } from './liveRows.ts';
import { type Row, row } from './measure.ts';
import { type MeasuredProcess, measuredProcess } from './measuredProcess.ts';
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

/** Resident memory with nothing to do: with 30,000 pods, and with none. */
export async function idleRows({ program, rounds }: StartSettings): Promise<Row[]> {
  const full = await readingOf(pods, program, rounds);
  const empty = await readingOf(0, program, rounds);
  const one = (name: string, values: readonly number[]): Row => row({ group: 'idle', name, unit: 'MB', values });
  return [
    one('RSS with 30,000 pods', full.now),
    one('RSS with 30,000 pods, peak', full.peak),
    one('RSS idle, local sink', empty.now),
    one('RSS idle, local sink, peak', empty.peak),
  ];
}

async function readingOf(count: number, program: readonly string[], rounds: number): Promise<{ now: number[]; peak: number[] }> {
  const server = await benchServer();
  const read: { now: number[]; peak: number[] } = { now: [], peak: [] };
  try {
    await server.ask({ type: 'pods', count });
    for (let round = 0; round < rounds; round++) {
      const exporter: MeasuredProcess = measuredProcess({ args: [...program, ...runArgs(server.kubeconfig)] });
      await watching(server, 1);
      await sleep(restMs);
      const { now, peak } = exporter.rss();
      read.now.push(now / megabyte);
      read.peak.push(peak / megabyte);
      await exporter.stop();
    }
  } finally {
    await server.close();
  }
  return read;
}
