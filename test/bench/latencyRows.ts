import { setTimeout as sleep } from 'node:timers/promises';
import { benchServer } from './benchServer.ts';
import { runArgs, watching } from './liveRows.ts';
import { type Row, row } from './measure.ts';
import { measuredProcess } from './measuredProcess.ts';
import type { StartSettings } from './startRows.ts';
import { until } from './until.ts';

const pods = 1_000;
const eventsPerRound = 100;
/** Between two Events: the server is quiet, so each one is alone. */
const gapMs = 40;

/** From the write of an Event, one at a time, until its line has come out of the process. */
export async function latencyRows({ program, rounds }: StartSettings): Promise<Row[]> {
  const server = await benchServer();
  const exporter = measuredProcess({ args: [...program, ...runArgs(server.kubeconfig)] });
  const halves: number[] = [];
  const nearlyAll: number[] = [];
  try {
    await server.ask({ type: 'pods', count: pods });
    await watching(server, [exporter]);
    let out = '';
    let outAt = 0n;
    exporter.onOutput((text) => {
      out += text;
      outAt = process.hrtime.bigint();
    });
    for (let round = 0; round < rounds; round++) {
      const times: number[] = [];
      for (let at = 0; at < eventsPerRound; at++) {
        await sleep(gapMs);
        out = '';
        const { name = '', at: writtenAt = '' } = await server.ask({ type: 'one' });
        await until(() => out.includes(name));
        times.push(Number(outAt - BigInt(writtenAt)) / 1e6);
      }
      halves.push(quantileOf(times, 0.5));
      nearlyAll.push(quantileOf(times, 0.99));
    }
  } finally {
    await exporter.stop();
    await server.close();
  }
  return [
    row({ group: 'latency', name: 'write to line, p50', unit: 'ms', values: halves }),
    row({ group: 'latency', name: 'write to line, p99', unit: 'ms', values: nearlyAll }),
  ];
}

/** The smallest value that so large a share of all does not exceed. */
function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
