import { setTimeout as sleep } from 'node:timers/promises';
import { benchServer } from './benchServer.ts';
import { runArgs, watching } from './liveRows.ts';
import { loggingServer } from './loggingServer.ts';
import { type Row, row } from './measure.ts';
import { type MeasuredSettings, measuredProcess } from './measuredProcess.ts';
import type { StartSettings } from './startRows.ts';

const pods = 30_000;
/** After a start, until memory is looked at. */
const restMs = 5_000;
const megabyte = 1_000_000;

/** Resident memory with nothing to do: with 30,000 pods, and with none. */
export async function idleRows(settings: StartSettings): Promise<Row[]> {
  const logging = await loggingServer();
  try {
    return [
      ...(await restingRows('RSS with 30,000 pods', pods, { args: [] }, settings)),
      ...(await restingRows('RSS idle, local sink', 0, { args: [] }, settings)),
      ...(await restingRows('RSS idle, Cloud Logging sink', 0, logging.sink, settings)),
    ];
  } finally {
    await logging.close();
  }
}

async function restingRows(name: string, podCount: number, sink: MeasuredSettings, { program, rounds }: StartSettings): Promise<Row[]> {
  const server = await benchServer();
  const resting: number[] = [];
  const highest: number[] = [];
  try {
    await server.ask({ type: 'pods', count: podCount });
    for (let round = 0; round < rounds; round++) {
      const exporter = measuredProcess({ ...sink, args: [...program, ...runArgs(server.kubeconfig), ...sink.args] });
      await watching(server, [exporter]);
      await sleep(restMs);
      const { now, peak } = exporter.rss();
      resting.push(now / megabyte);
      highest.push(peak / megabyte);
      await exporter.stop();
    }
  } finally {
    await server.close();
  }
  return [
    row({ group: 'idle', name, unit: 'MB', values: resting }),
    row({ group: 'idle', name: `${name}, peak`, unit: 'MB', values: highest }),
  ];
}
