import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchServer, benchServer, foreignServer } from './benchServer.ts';
import { loggingServer } from './loggingServer.ts';
import { type Row, row } from './measure.ts';
import { type MeasuredProcess, type MeasuredSettings, measuredProcess } from './measuredProcess.ts';
import { until } from './until.ts';

export interface LiveSettings {
  /** Flags of Node and the script of the command line. */
  readonly program: readonly string[];
  readonly rounds: number;
  readonly secondsPerRound: number;
  /** A server with a load of its own, by its kubeconfig. Absent: the simulator, at 640 Events a second. */
  readonly kubeconfig?: string;
}

const pods = 1_000;
const ordinaryPerSecond = 640;
/** Fast, so that everything is compiled before it is measured. */
const warming = { type: 'pace', perSecond: 3_000, seconds: 5 } as const;
/** Until what was written has been worked off. */
const settleMs = 500;

const counting = join(import.meta.dirname, 'counting/main.ts');

/** What the sinks and a shard of three cost, each against counting the same lines. */
export async function liveRows(settings: LiveSettings): Promise<Row[]> {
  const logging = await loggingServer();
  try {
    return await pairedRows('live', settings, {
      'live, 1 shard, local sink': { args: [] },
      'live, shard 0 of 3, local sink': { args: ['--total-shards=3', '--shard-id=0'] },
      'live, 1 shard, Cloud Logging sink': logging.sink,
    });
  } finally {
    await logging.close();
  }
}

/** How the cost of one shard falls with their number. */
export function shardRows(settings: LiveSettings): Promise<Row[]> {
  return pairedRows('shards', settings, Object.fromEntries([1, 2, 4, 8].map((total) => [`live, shard 0 of ${total}`, shardOf(total)])));
}

/** How the cost of an Event falls with their rate, where all are exported and where next to none is. */
export async function rateRows(settings: LiveSettings): Promise<Row[]> {
  const rows: Row[] = [];
  for (const rate of [80, 320, 1_280, 5_000]) {
    const name = (what: string): string => `${rate} Events/s, ${what}`;
    const exporters = { [name('1 shard')]: shardOf(1), [name('shard 0 of 64')]: shardOf(64) };
    const measured = await pairedRows('rates', settings, exporters, rate);
    rows.push(...measured.map((each) => (each.name.startsWith('count') ? { ...each, name: name(each.name) } : each)));
  }
  return rows;
}

const shardOf = (total: number): MeasuredSettings => ({ args: [`--total-shards=${total}`, '--shard-id=0'] });

/**
 * CPU of whole processes per Event of the stream, and how often they are woken for one. All processes watch the same
 * server at the same time, so a busy machine weighs on the base as it does on the rest.
 */
async function pairedRows(
  group: string,
  settings: LiveSettings,
  exporters: Readonly<Record<string, MeasuredSettings>>,
  perSecond = ordinaryPerSecond,
): Promise<Row[]> {
  const { program, rounds, secondsPerRound, kubeconfig } = settings;
  const server = kubeconfig === undefined ? await benchServer() : foreignServer(kubeconfig);
  const measured = new Map<string, MeasuredProcess>();
  try {
    await server.ask({ type: 'pods', count: pods });
    const count = measuredProcess({ args: [counting, server.kubeconfig] });
    measured.set('count', count);
    for (const [name, exporter] of Object.entries(exporters)) {
      measured.set(name, measuredProcess({ ...exporter, args: [...program, ...runArgs(server.kubeconfig), ...exporter.args] }));
    }
    await watching(server, [...measured.values()]);
    await server.ask(warming);
    const spent: ReadonlyMap<string, Spent>[] = [];
    for (let round = 0; round < rounds; round++) {
      await sleep(settleMs);
      const before = totals(measured, linesOf(count));
      await server.ask({ type: 'pace', perSecond, seconds: secondsPerRound });
      await sleep(settleMs);
      spent.push(perEvent(before, totals(measured, linesOf(count))));
    }
    return [...measured.keys()].flatMap((name) => rowsFor(name, group, spent));
  } finally {
    await Promise.all([...measured.values()].map((process) => process.stop()));
    await server.close();
  }
}

/** CPU in microseconds and wakeups, in all or per Event. */
interface Spent {
  readonly cpuUs: number;
  readonly wakeups: number;
}

interface Totals {
  readonly lines: number;
  readonly spent: ReadonlyMap<string, Spent>;
}

function totals(measured: ReadonlyMap<string, MeasuredProcess>, lines: number): Totals {
  return { lines, spent: new Map([...measured].map(([name, of]) => [name, { cpuUs: of.cpuUs(), wakeups: of.wakeups() }])) };
}

/** What counting has told last. */
function linesOf(count: MeasuredProcess): number {
  return Number(/(\d+) lines\n$/.exec(count.log())?.[1] ?? 0);
}

function perEvent(before: Totals, after: Totals): ReadonlyMap<string, Spent> {
  const events = after.lines - before.lines;
  if (events === 0) throw new Error('no Event came while it was measured');
  const per = (of: keyof Spent, name: string): number =>
    ((after.spent.get(name)?.[of] ?? 0) - (before.spent.get(name)?.[of] ?? 0)) / events;
  return new Map([...after.spent.keys()].map((name) => [name, { cpuUs: per('cpuUs', name), wakeups: per('wakeups', name) }]));
}

function rowsFor(name: string, group: string, spent: readonly ReadonlyMap<string, Spent>[]): Row[] {
  const values = (of: keyof Spent, whose: string): number[] => spent.map((round) => round.get(whose)?.[of] ?? Number.NaN);
  const base = name === 'count' ? {} : { base: { name: 'count', values: values('cpuUs', 'count') } };
  return [
    row({ group, name, unit: 'us', values: values('cpuUs', name), ...base }),
    row({ group, name: `${name}, wakeups`, unit: 'per Event', values: values('wakeups', name) }),
  ];
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
