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
const names = ['no live page', 'live page, nobody looks: more', 'live page, one viewer: more'] as const;

/**
 * What the live page costs at 1,000 Events a second: CPU of whole processes as a share of one core, without it, and how much more
 * it is with it and with one viewer. All three watch the same server at the same time, so a busy machine weighs on all.
 */
export async function pageRows({ program, rounds, secondsPerRound }: LiveSettings): Promise<Row[]> {
  const server = await benchServer();
  const started: MeasuredProcess[] = [];
  const exporter = (...flags: readonly string[]): MeasuredProcess => {
    const made = measuredProcess({ args: [...program, ...runArgs(server.kubeconfig), '--enable-pod-owner-label=false', ...flags] });
    started.push(made);
    return made;
  };
  let viewer: Viewer | undefined;
  try {
    const [plain, unseen, seen] = [exporter(), exporter('--ui=127.0.0.1:0'), exporter('--ui=127.0.0.1:0')];
    await watching(server, started);
    viewer = await viewerOf(seen);
    const all = [plain, unseen, seen];
    await worked(all, () => server.ask(warming));
    const shares: number[][] = [[], [], []];
    const bytes: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await sleep(settleMs);
      const [before, bytesBefore] = [all.map((process) => process.cpuUs()), viewer.bytes()];
      const events = await worked(all, () => server.ask({ type: 'pace', perSecond, seconds: secondsPerRound }));
      // A busy machine has fewer events to give: what one costs, a thousand times.
      all.forEach((process, at) => {
        shares[at]?.push((100 * perSecond * (process.cpuUs() - (before[at] ?? 0))) / events / 1e6);
      });
      bytes.push((viewer.bytes() - bytesBefore) / events);
    }
    const [without = [], ...withPage] = shares;
    const more = withPage.map((values) => values.map((value, round) => value - (without[round] ?? Number.NaN)));
    return [
      ...[without, ...more].map((values, at) => row({ group: 'page', name: names[at] ?? '', unit: '% of a core', values })),
      row({ group: 'page', name: 'live page, sent to a viewer', unit: 'B per Event', values: bytes }),
    ];
  } finally {
    viewer?.leave();
    await Promise.all(started.map((process) => process.stop()));
    await server.close();
  }
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
