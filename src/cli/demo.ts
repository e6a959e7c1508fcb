import { asyncScheduler, concat, filter, interval, lastValueFrom, merge, type Observable, race, take, takeWhile, tap, timer } from 'rxjs';
import type { Settings } from '../config/options.ts';
import { type LiveShard, liveShard } from '../live/liveShard.ts';
import type { ObjectReference } from '../model/kube.ts';
import { isAtOrBefore } from '../model/resourceVersion.ts';
import { type Shard, shardIndex, shardKey } from '../model/shard.ts';
import type { KubeTransport } from '../ports.ts';
import { type BusyCluster, busyCluster } from '../simulator/busyCluster.ts';
import { type Core, core } from '../simulator/core.ts';
import { httpFace } from '../simulator/httpFace.ts';
import { seededRandom } from '../simulator/seededRandom.ts';
import type { Write } from '../simulator/store.ts';
import { type Verdict, verdict } from '../simulator/verdict.ts';
import { local } from '../sinks/local.ts';
import { textWriter } from '../sinks/textWriter.ts';
import type { Counts } from '../telemetry/counts.ts';
import type { Command, CommandContext, Invocation } from './command.ts';
import { type DemoIncident, demoIncidents } from './demoIncidents.ts';
import { type DemoLines, demoLines } from './demoLines.ts';
import { demoReport } from './demoReport.ts';
import { type DemoShard, demoShard } from './demoShard.ts';
import type { ExitCode } from './exitCodes.ts';
import { livePage, untilLeft, untilViewed } from './livePage.ts';
import type { LiveServer } from './liveServer.ts';
import { type ProgressBar, progressBar } from './progressBar.ts';

export const demoCommand: Command = {
  name: 'demo',
  description: 'Show everything at work on a simulated cluster, with a verdict at the end',
  examples: [
    ['$0 demo', 'Three shards over HTTP, a cut, a 410, a restart and a hand-over; takes about 20 seconds'],
    ['$0 demo --ui 127.0.0.1:8081', 'The same on a page in the browser, as marbles'],
    ['$0 demo > lines.txt', 'The exported lines into a file, progress and verdict on the terminal'],
  ],
  run: demo,
};

const token = 'demo';
const total = 3;
/** Revisions that exist before anybody reads, and in all. */
const existing = 200;
const revisions = 2_400;
/** The pace of the cluster: so many revisions each time. */
const burst = 4;
const burstEveryMs = 25;
const settleMs = 20_000;
/** Between two points of the live page's plots. */
const pointMs = 1_000;

async function demo({ settings, context, log }: Invocation): Promise<ExitCode> {
  const random = seededRandom(20_260_501);
  const server = core({ token, resourceVersion: '1000' }, { now: Date.now, random });
  const cluster = busyCluster(server, {}, random);
  cluster.stepUntil(existing);
  const startedAt = server.writes.length;
  const face = await httpFace(server, { token });
  let page: LiveServer | undefined;
  try {
    const { kubeApi } = await import('../transports/kubeApi.ts'); // Large; help and faults do without it.
    const transport = (): KubeTransport =>
      kubeApi({ kubeconfigText: face.kubeconfig(), environment: {} }, { userAgent: `kube-sluice/${context.version}` });
    const lines = demoLines();
    const bar = progressBar(context, revisions);
    const write = bar.above(textWriter(context.stdout, 'standard output'));
    const lives: LiveShard[] = [];
    const shards = Array.from({ length: total }, (_, index) =>
      demoShard({ index, total }, context.version, {
        transport,
        sink: local({ cluster: { name: 'demo' } }, lines.writer(index, write)),
        log: settings.logLevel === 'debug' ? log : () => undefined,
        ...(settings.ui === undefined ? {} : { watch: liveIn(lives, { index, total }, context.version) }),
      }),
    );
    bar.print(`demo: a simulated cluster of ${server.objects('Pod').length} pods at ${face.url}, exported by ${total} shards\n`);
    page = await pageOf(settings, context, lives, bar);
    const tell = (text: string): void => {
      for (const live of lives) live.tell(text, Date.now());
    };
    await lastValueFrom(merge(...shards.map(({ runs }) => runs), activity(server, cluster, shards, bar, tell)), {
      defaultValue: undefined,
    });
    bar.end();
    const end = judge(exposed(server.writes, startedAt), lines);
    context.stderr.write(demoReport(end, lines, shards));
    tell(`the demo is over: of ${end.expected} revisions ${end.once} stand once; the verdict ${end.holds ? 'holds' : 'does not hold'}`);
    if (page !== undefined) await untilLeft(page, context.stops);
    return end.holds ? 0 : 5;
  } finally {
    page?.close();
    await face.close();
  }
}

/** Makes the page's view of each shard as it is made. */
function liveIn(lives: LiveShard[], shard: Shard, version: string): (counts: Readonly<Counts>) => LiveShard {
  return (counts) => {
    const live = liveShard({ shard, counts, pointMs }, Date.now);
    live.observe({ type: 'started', version, shard, sink: 'local', checkpoint: 'lease' }, Date.now());
    lives.push(live);
    return live;
  };
}

/** Serves the page, if one is wanted, and lets somebody open it before everything is over. */
async function pageOf(
  { ui }: Settings,
  { version, stops }: CommandContext,
  lives: readonly LiveShard[],
  bar: ProgressBar,
): Promise<LiveServer | undefined> {
  if (ui === undefined) return undefined;
  const page = await livePage({ ui, version, pointMs }, lives, ({ text }) => bar.print(`demo: ${text}\n`));
  bar.print('demo: begins when the page is opened, or in half a minute, and stays until it is closed\n');
  await untilViewed(page, stops);
  return page;
}

/** Lets the cluster live and the incidents happen, waits until all shards have caught up, and stops them. */
function activity(
  server: Core,
  cluster: BusyCluster,
  shards: readonly DemoShard[],
  bar: ProgressBar,
  tell: (text: string) => void,
): Observable<unknown> {
  const incidents = [...demoIncidents(server, shards, revisions)];
  const life = interval(burstEveryMs, asyncScheduler).pipe(
    tap(() => {
      cluster.stepUntil(burst);
      bar.update(cluster.eventRevisions());
      while ((incidents[0]?.afterRevisions ?? Number.POSITIVE_INFINITY) <= cluster.eventRevisions()) happen(incidents.shift(), bar, tell);
    }),
    takeWhile(() => cluster.eventRevisions() < revisions),
  );
  const watched = interval(50, asyncScheduler).pipe(
    filter(() => shards.every(({ metrics }) => metrics.counts.readers.get('events')?.watchOpen === true)),
    take(1),
  );
  const settled = interval(50, asyncScheduler).pipe(filter(() => hasCaughtUp(server, shards)));
  const end = race(settled, timer(settleMs, asyncScheduler)).pipe(
    take(1),
    tap(() => {
      for (const shard of shards) shard.stop();
    }),
  );
  return concat(watched, life, end);
}

function happen(incident: DemoIncident | undefined, bar: ProgressBar, tell: (text: string) => void): void {
  if (incident === undefined) return;
  tell(`the demo: ${incident.text}`);
  bar.print(`demo: after ${incident.afterRevisions} revisions ${incident.text}\n`);
  incident.happen();
}

function hasCaughtUp(server: Core, shards: readonly DemoShard[]): boolean {
  const newest = server.writes.findLast(({ kind }) => kind === 'Event')?.resourceVersion ?? '';
  return shards.every((shard) => isAtOrBefore(newest, shard.position()));
}

/** What somebody who starts reading after `startedAt` writes can see: of what was there each Event's last revision, then all. */
function exposed(writes: readonly Write[], startedAt: number): readonly Write[] {
  const last = new Map(writes.slice(0, startedAt).map((write) => [write.object.metadata.uid, write]));
  return [...last.values(), ...writes.slice(startedAt)];
}

function judge(writes: readonly Write[], { stored, gaps }: DemoLines): Verdict {
  const ownerOf = ({ object }: Write): number => {
    const about = (object['involvedObject'] ?? {}) as ObjectReference;
    const { uid = '', namespace = '', name = '', kind = '' } = about;
    return shardIndex(shardKey({ involved: { uid, namespace, name, kind } }), total);
  };
  return verdict({ writes, stored, gaps, ownerOf });
}
