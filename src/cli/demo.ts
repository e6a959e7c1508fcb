import { asyncScheduler, concat, filter, interval, lastValueFrom, merge, type Observable, race, take, takeWhile, tap, timer } from 'rxjs';
import type { ObjectReference } from '../model/kube.ts';
import { isAtOrBefore } from '../model/resourceVersion.ts';
import { shardIndex, shardKey } from '../model/shard.ts';
import type { KubeTransport } from '../ports.ts';
import { type BusyCluster, busyCluster } from '../simulator/busyCluster.ts';
import { type Core, core } from '../simulator/core.ts';
import { httpFace } from '../simulator/httpFace.ts';
import { seededRandom } from '../simulator/seededRandom.ts';
import type { Write } from '../simulator/store.ts';
import { type Verdict, verdict } from '../simulator/verdict.ts';
import { local } from '../sinks/local.ts';
import { textWriter } from '../sinks/textWriter.ts';
import type { Command, Invocation } from './command.ts';
import { type DemoIncident, demoIncidents } from './demoIncidents.ts';
import { type DemoLines, demoLines } from './demoLines.ts';
import { demoReport } from './demoReport.ts';
import { type DemoShard, demoShard } from './demoShard.ts';
import type { ExitCode } from './exitCodes.ts';
import { type ProgressBar, progressBar } from './progressBar.ts';

export const demoCommand: Command = {
  name: 'demo',
  description: 'Show everything at work on a simulated cluster, with a verdict at the end',
  examples: [
    ['$0 demo', 'Three shards over HTTP, a cut, a 410, a restart and a hand-over; takes about 20 seconds'],
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

async function demo({ settings, context, log }: Invocation): Promise<ExitCode> {
  const random = seededRandom(20_260_501);
  const server = core({ token, resourceVersion: '1000' }, { now: Date.now, random });
  const cluster = busyCluster(server, {}, random);
  cluster.stepUntil(existing);
  const startedAt = server.writes.length;
  const face = await httpFace(server, { token });
  try {
    const { kubeApi } = await import('../transports/kubeApi.ts'); // Large; help and faults do without it.
    const transport = (): KubeTransport =>
      kubeApi({ kubeconfigText: face.kubeconfig(), environment: {} }, { userAgent: `kube-sluice/${context.version}` });
    const lines = demoLines();
    const bar = progressBar(context, revisions);
    const write = bar.above(textWriter(context.stdout, 'standard output'));
    const shards = Array.from({ length: total }, (_, index) =>
      demoShard({ index, total }, context.version, {
        transport,
        sink: local({ cluster: { name: 'demo' } }, lines.writer(index, write)),
        log: settings.logLevel === 'debug' ? log : () => undefined,
      }),
    );
    bar.print(`demo: a simulated cluster of ${server.objects('Pod').length} pods at ${face.url}, exported by ${total} shards\n`);
    await lastValueFrom(merge(...shards.map(({ runs }) => runs), activity(server, cluster, shards, bar)), { defaultValue: undefined });
    bar.end();
    const end = judge(exposed(server.writes, startedAt), lines);
    context.stderr.write(demoReport(end, lines, shards));
    return end.holds ? 0 : 5;
  } finally {
    await face.close();
  }
}

/** Lets the cluster live and the incidents happen, waits until all shards have caught up, and stops them. */
function activity(server: Core, cluster: BusyCluster, shards: readonly DemoShard[], bar: ProgressBar): Observable<unknown> {
  const incidents = [...demoIncidents(server, shards, revisions)];
  const life = interval(burstEveryMs, asyncScheduler).pipe(
    tap(() => {
      cluster.stepUntil(burst);
      bar.update(cluster.eventRevisions());
      while ((incidents[0]?.afterRevisions ?? Number.POSITIVE_INFINITY) <= cluster.eventRevisions()) happen(incidents.shift(), bar);
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

function happen(incident: DemoIncident | undefined, bar: ProgressBar): void {
  if (incident === undefined) return;
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
