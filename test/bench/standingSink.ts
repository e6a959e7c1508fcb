import { setTimeout as sleep } from 'node:timers/promises';
import { benchServer } from './benchServer.ts';
import { runArgs } from './liveRows.ts';
import { type Row, row } from './measure.ts';
import { type MeasuredProcess, measuredProcess } from './measuredProcess.ts';
import { until } from './until.ts';

export interface StandingSinkSettings {
  readonly program: readonly string[];
  /** Events that wait. */
  readonly events: number;
  /** For how long the sink stores nothing. */
  readonly standsSeconds: number;
}

const inFlightMax = 5_000;
/** What one read may bring once the limit is reached: the body's own buffer, in lines. */
const readLines = 200;
const megabyte = 1_000_000;

/**
 * Events wait while the sink stores nothing, in a heap of at most 256 MB: memory must stay where it is, what is in flight
 * below its limit, and the probe must find the process alive. Then the sink goes on, and each Event must arrive once.
 * Standard output is the sink, and it stands because nobody reads the pipe. Rejects when one of these does not hold.
 */
export async function standingSink({ program, events, standsSeconds }: StandingSinkSettings): Promise<Row[]> {
  const server = await benchServer();
  await server.ask({ type: 'events', count: events });
  const exporter = measuredProcess({
    args: [
      '--max-old-space-size=256',
      ...program,
      ...runArgs(server.kubeconfig),
      '--start-from=earliest',
      '--local-fields=short',
      ...probed,
    ],
  });
  try {
    exporter.read(false);
    await until(() => /probes at \S+:\d+/.test(exporter.log()));
    const probes = /probes at (\S+:\d+)/.exec(exporter.log())?.[1] ?? '';
    await until(async () => (await metrics(probes)).paused === 1);
    const memory: number[] = [];
    const inFlight: number[] = [];
    for (let second = 0; second < standsSeconds; second++) {
      await sleep(1_000);
      const { status } = await fetch(`http://${probes}/livez`);
      if (status !== 200) throw new Error(`the probe must find a reader alive that is held back (got HTTP ${status})`);
      memory.push(exporter.rss().now / megabyte);
      inFlight.push((await metrics(probes)).inFlight);
    }
    const most = Math.max(...inFlight);
    if (most > inFlightMax + readLines) throw new Error(`at most ${inFlightMax} and one read must be in flight (got ${most})`);
    const counted = onceEach(exporter);
    const startedAt = performance.now();
    exporter.read(true);
    await until(() => counted.keys() >= events);
    const seconds = (performance.now() - startedAt) / 1000;
    if (exporter.lines() !== events) throw new Error(`each of ${events} Events must arrive once (got ${exporter.lines()} lines)`);
    const one = (name: string, unit: string, value: number): Row => row({ group: 'standing sink', name, unit, values: [value] });
    return [
      one('standing sink, growth of RSS', 'MB', (memory.at(-1) ?? 0) - (memory[0] ?? 0)),
      one('standing sink, RSS', 'MB', Math.max(...memory)),
      one('standing sink, in flight', 'Events', most),
      one('standing sink, RSS peak after it went on', 'MB', exporter.rss().peak / megabyte),
      one('standing sink, all arrived after', 's', seconds),
    ];
  } finally {
    exporter.read(true);
    await exporter.stop();
    await server.close();
  }
}

const probed = ['--prometheus-endpoint=127.0.0.1:0', '--enable-pod-owner-label=false'];

async function metrics(probes: string): Promise<{ readonly paused: number; readonly inFlight: number }> {
  const text = await (await fetch(`http://${probes}/metrics`)).text();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return { paused: value('kube_sluice_reader_paused'), inFlight: value('kube_sluice_in_flight') };
}

/** Counts the different keys of the lines that come. */
function onceEach(exporter: MeasuredProcess): { keys(): number } {
  const keys = new Set<string>();
  let rest = '';
  exporter.onOutput((text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) keys.add(/"insertId":"([^"]+)"/.exec(line)?.[1] ?? '');
  });
  return { keys: () => keys.size };
}
