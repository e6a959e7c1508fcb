import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchServer, benchServer } from './benchServer.ts';
import { loggingServer } from './loggingServer.ts';
import { type Row, row } from './measure.ts';
import { type MeasuredProcess, type MeasuredSettings, measuredProcess } from './measuredProcess.ts';
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
const exporters: Readonly<Record<string, MeasuredSettings>> = {
  'live, 1 shard, local sink': { args: [] },
  'live, shard 0 of 3, local sink': { args: ['--total-shards=3', '--shard-id=0'] },
};

/**
 * CPU of whole processes per Event of the stream, at 640 a second. All processes watch the same server at the same
 * time, so a busy machine weighs on the base as it does on the rest.
 */
export async function liveRows({ program, rounds, secondsPerRound }: LiveSettings): Promise<Row[]> {
  const server = await benchServer();
  const logging = await loggingServer();
  const started: MeasuredProcess[] = [];
  const start = (settings: MeasuredSettings): MeasuredProcess => {
    const process = measuredProcess(settings);
    started.push(process);
    return process;
  };
  try {
    await server.ask({ type: 'pods', count: pods });
    const measured = new Map<string, MeasuredProcess>([['count', start({ args: [counting, server.kubeconfig] })]]);
    for (const [name, { args, environment }] of Object.entries({ ...exporters, 'live, 1 shard, Cloud Logging sink': logging.sink })) {
      measured.set(name, start({ args: [...program, ...runArgs(server.kubeconfig), ...args], ...(environment && { environment }) }));
    }
    await watching(server, [...measured.values()]);
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
    await logging.close();
    await server.close();
  }
}

export function runArgs(kubeconfig: string): readonly string[] {
  return ['run', `--kubeconfig=${kubeconfig}`, '--start-from=now', '--prometheus-endpoint=', '--checkpoint=none'];
}

/** Resolves when all of them watch Events; rejects with the log of one that has ended instead. */
export async function watching(server: BenchServer, readers: readonly MeasuredProcess[]): Promise<void> {
  await until(async () => {
    const ended = readers.find((reader) => !reader.isRunning());
    if (ended !== undefined) throw new Error(`a measured process has ended: ${ended.log()}`);
    return (await server.ask({ type: 'watches', stream: 'events' })).events >= readers.length;
  });
}
