import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchServer, benchServer } from './benchServer.ts';
import { type Row, row } from './measure.ts';
import { type MeasuredProcess, measuredProcess } from './measuredProcess.ts';
import { until } from './until.ts';

export interface LiveSettings {
  /** Flags of Node and the script of the command line. */
  readonly program: readonly string[];
  readonly rounds: number;
  readonly secondsPerRound: number;
}

const pods = 1_000;
const perSecond = 640;
/** Fast, so that everything is compiled before it is measured. */
const warming = { type: 'pace', perSecond: 3_000, seconds: 5 } as const;
/** Until what was written has been worked off. */
const settleMs = 500;

const counting = join(import.meta.dirname, 'counting/main.ts');
const exporters: Readonly<Record<string, readonly string[]>> = {
  'live, 1 shard, local sink': [],
  'live, shard 0 of 3, local sink': ['--total-shards=3', '--shard-id=0'],
};

/**
 * CPU of whole processes per Event of the stream, at 640 a second. All processes watch the same server at the same
 * time, so a busy machine weighs on the base as it does on the rest.
 */
export async function liveRows({ program, rounds, secondsPerRound }: LiveSettings): Promise<Row[]> {
  const server = await benchServer();
  const started: MeasuredProcess[] = [];
  const start = (args: readonly string[]): MeasuredProcess => {
    const process = measuredProcess({ args });
    started.push(process);
    return process;
  };
  try {
    await server.ask({ type: 'pods', count: pods });
    const measured = new Map<string, MeasuredProcess>([['count', start([counting, server.kubeconfig])]]);
    for (const [name, flags] of Object.entries(exporters)) {
      measured.set(name, start([...program, ...runArgs(server.kubeconfig), ...flags]));
    }
    await watching(server, measured.size);
    await server.ask(warming);
    const samples = new Map([...measured.keys()].map((name) => [name, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
      await sleep(settleMs);
      const before = new Map([...measured].map(([name, process]) => [name, process.cpuUs()]));
      const { events } = await server.ask({ type: 'pace', perSecond, seconds: secondsPerRound });
      await sleep(settleMs);
      for (const [name, process] of measured) samples.get(name)?.push((process.cpuUs() - (before.get(name) ?? 0)) / events);
    }
    const base = { name: 'count', values: samples.get('count') ?? [] };
    return [...samples].map(([name, values]) => row({ group: 'live', name, unit: 'us', values, ...(name === base.name ? {} : { base }) }));
  } finally {
    await Promise.all(started.map((process) => process.stop()));
    await server.close();
  }
}

export function runArgs(kubeconfig: string): readonly string[] {
  return ['run', `--kubeconfig=${kubeconfig}`, '--start-from=now', '--prometheus-endpoint=', '--checkpoint=none'];
}

/** Resolves when so many readers watch Events. */
export async function watching(server: BenchServer, readers: number): Promise<void> {
  await until(async () => (await server.ask({ type: 'watches', stream: 'events' })).events >= readers);
}
