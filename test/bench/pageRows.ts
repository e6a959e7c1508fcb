import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchServer } from './benchServer.ts';
import { type LiveSettings, runArgs, watching } from './liveRows.ts';
import { type Row, row } from './measure.ts';
import { type MeasuredProcess, measuredProcess } from './measuredProcess.ts';
import type { Told } from './server/wish.ts';
import { until } from './until.ts';

const perSecond = 1_000;
const warming = { type: 'pace', perSecond: 3_000, seconds: 5 } as const;
const settleMs = 500;
/**
 * What the live page costs at 1,000 Events a second, as a share of one core: CPU of whole processes without it, and how much more
 * with it, in turn without and with a viewer. Two of each kind watch the same server at the same time: so a busy machine weighs on
 * all, and half of what sets one process apart from the next goes out.
 */
export async function pageRows({ program, rounds, secondsPerRound }: LiveSettings): Promise<Row[]> {
  const server = await benchServer();
  const started: MeasuredProcess[] = [];
  const pair = (...flags: readonly string[]): readonly MeasuredProcess[] => {
    const args = [...program, ...runArgs(server.kubeconfig), '--enable-pod-owner-label=false', ...flags];
    const made = [measuredProcess({ args }), measuredProcess({ args })];
    started.push(...made);
    return made;
  };
  try {
    const [plain, paged] = [pair(), pair('--ui=127.0.0.1:0')];
    await watching(server, started);
    await worked(started, () => server.ask(warming));
    /** Of one process of each kind, per second of 1,000 Events. */
    const shares = async (): Promise<{ readonly without: number; readonly more: number; readonly events: number }> => {
      await sleep(settleMs);
      const before = [cpuUs(plain), cpuUs(paged)] as const;
      // A busy machine has fewer events to give: what one costs, a thousand times.
      const events = await worked(started, () => server.ask({ type: 'pace', perSecond, seconds: secondsPerRound / 2 }));
      const share = (us: number): number => (100 * perSecond * us) / started.length / 0.5 / events / 1e6;
      const without = share(cpuUs(plain) - before[0]);
      return { without, more: share(cpuUs(paged) - before[1]) - without, events };
    };
    const [without, unseen, seen, bytes]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let round = 0; round < rounds; round++) {
      const alone = await shares();
      const viewers = await Promise.all(paged.map(viewerOf));
      const watched = await shares();
      without.push(alone.without);
      unseen.push(alone.more);
      seen.push(watched.more);
      bytes.push(viewers.reduce((sum, viewer) => sum + viewer.bytes(), 0) / viewers.length / watched.events);
      for (const viewer of viewers) viewer.leave();
    }
    const share = (name: string, values: readonly number[]): Row => row({ group: 'page', name, unit: '% of a core', values });
    return [
      share('no live page', without),
      share('live page, nobody looks: more', unseen),
      share('live page, one viewer: more', seen),
      row({ group: 'page', name: 'live page, sent to a viewer', unit: 'B per Event', values: bytes }),
    ];
  } finally {
    await Promise.all(started.map((process) => process.stop()));
    await server.close();
  }
}

function cpuUs(all: readonly MeasuredProcess[]): number {
  return all.reduce((sum, process) => sum + process.cpuUs(), 0);
}

/** Lets events be written and waits until every process has exported as many; resolves to their number. */
async function worked(all: readonly MeasuredProcess[], write: () => Promise<Told>): Promise<number> {
  const before = all.map((process) => process.lines());
  const { events } = await write();
  await until(() => all.every((process, at) => process.lines() - (before[at] ?? 0) >= events));
  return events;
}

interface Viewer {
  /** All that has come so far. */
  bytes(): number;
  leave(): void;
}

/** Listens as a browser does, and reads everything. */
async function viewerOf(process: MeasuredProcess): Promise<Viewer> {
  const address = (): string | undefined => /live page at (http:\/\/[^/"]+)\//.exec(process.log())?.[1];
  await until(() => address() !== undefined);
  let bytes = 0;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${address()}/news`, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`the live page answered HTTP ${response.statusCode}`);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  response.on('error', () => undefined); // The process ends before its viewer does.
  return { bytes: () => bytes, leave: () => void response.destroy() };
}
