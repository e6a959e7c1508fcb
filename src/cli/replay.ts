import { merge, type Observable } from 'rxjs';
import type { Settings } from '../config/options.ts';
import type { LiveShard } from '../live/liveShard.ts';
import { pipeline } from '../pipeline.ts';
import type { KubeTransport } from '../ports.ts';
import { liveRuntime, type Runtime } from '../runtime.ts';
import { type VirtualClock, virtualClock } from '../simulator/virtualClock.ts';
import { textWriter } from '../sinks/textWriter.ts';
import type { Signal } from '../telemetry/signals.ts';
import { noStore } from '../transports/memoryStore.ts';
import type { FileFault } from '../transports/numberedLines.ts';
import { replay } from '../transports/replay.ts';
import type { Command, Invocation } from './command.ts';
import { type DryRun, dryRun } from './dryRun.ts';
import { type ExitCode, exitCodeOf } from './exitCodes.ts';
import { pipelineSettingsOf, shardOf } from './pipelineSettingsOf.ts';
import { playedFor } from './playedFor.ts';
import { playRecording } from './playRecording.ts';
import { openRecording, recordingBytes, recordingFaults } from './recordingInput.ts';
import { replayedPage } from './replayedPage.ts';
import { type ReplayedSinks, replayedSinks } from './replayedSinks.ts';
import { replayProgress } from './replayProgress.ts';
import { badLines, replaySummary, type ShardTally, tally } from './replaySummary.ts';
import { type SinkMaker, sinkMaker } from './sinks.ts';
import { untilStopped } from './untilStopped.ts';

/** What a replay logs; the rest of the readers' life repeats what happened when it was recorded. */
const noteworthy: ReadonlySet<Signal['type']> = new Set([
  'gapDeclared',
  'refused',
  'frameSkipped',
  'storeRestored',
  'versionOpaque',
  'podSyncTimedOut',
  'sinkRetrying',
]);

export const replayCommand: Command = {
  name: 'replay',
  positional: { usage: '[file]', name: 'file', description: 'Recording made by the record command' },
  description: 'Run a recording through the pipeline, in recorded time',
  examples: [
    ['$0 replay events.ndjson.gz --speed max', 'Everything at once, as one shard'],
    ['$0 replay events.ndjson.gz --speed 10 --pause-max 5s', 'Ten times as fast, and no longer wait than five seconds'],
    ['$0 replay events.ndjson.gz --total-shards 3', 'What three shards would have written'],
    ['$0 replay events.ndjson.gz --total-shards 3 --shard-id 0 --dry-run', 'Which shard has which event, with which labels'],
    ['$0 replay --events events.json.stream --pods pods.json.stream', 'Raw bodies of watches, as curl gets them'],
  ],
  check,
  run,
};

function check({ settings, positionals: [file] }: Invocation): readonly string[] {
  return [
    ...(file === undefined && settings.events === '' ? ['replay needs a recording, or --events with the raw body of a watch'] : []),
    ...recordingFaults('replay', settings, file),
  ];
}

async function run({ settings, positionals: [file], context, log }: Invocation): Promise<ExitCode> {
  const faults: FileFault[] = [];
  let bytesRead = 0;
  const read = (bytes: number): void => {
    bytesRead = bytes;
  };
  const recording = await openRecording(settings, file, (fault) => faults.push(fault), read);
  const hasPods = file !== undefined || settings.pods !== ''; // Without any, nobody should wait for them.
  const on = { ...settings, namespace: recording.header.asked.namespaces, enablePodOwnerLabel: settings.enablePodOwnerLabel && hasPods };
  // A dry run reads a file that may take hours at its own speed; there is nothing in it to wait for.
  const pace = {
    speed: settings.dryRun ? Number.POSITIVE_INFINITY : settings.speed,
    ...(settings.pauseMaxMs > 0 ? { pauseMaxMs: settings.pauseMaxMs } : {}),
  };
  const live = liveRuntime(() => undefined);
  const page =
    settings.ui === undefined
      ? undefined
      : await replayedPage(
          settings.ui,
          indexesOf(settings).map((index) => shardOf(settings, index)),
          context,
          log,
        );
  const tallies: ShardTally[] = [];
  const received = (): number => Math.max(0, ...tallies.map(({ counts }) => counts.received));
  const progress = replayProgress(
    context,
    { bytes: recordingBytes(settings, file), bytesRead: () => bytesRead, file, pace, received },
    live,
  );
  const write = progress.above(textWriter(context.stdout, 'standard output'));
  const makeSink = settings.dryRun ? undefined : await sinkMaker({ settings, context, write }, liveRuntime(log));
  const sinks = replayedSinks(live);
  const clock = virtualClock(recording.startsAt);
  const player = replay({ header: recording.header, streams: on.enablePodOwnerLabel ? ['events', 'pods'] : ['events'] });
  const shards = indexesOf(settings).map((index, at) =>
    replayedShard(on, index, { clock, write, makeSink, sinks, transport: player.transport(), log, live: page?.shards[at] }),
  );
  tallies.push(...shards.map(({ counted }) => counted));
  const inFlight = (): number => tallies.reduce((sum, { counts }) => sum + counts.inFlight, 0);
  const ports = { recording, replay: player, clock, settled: sinks.settled, inFlight, played: progress.played };
  const code = await untilStopped(
    (stop) =>
      playedFor(merge(...shards.map(({ start }) => start(stop))), stop, (isOver, stopped) =>
        playRecording(pace, { ...ports, isOver, stop: stopped }),
      ),
    context.stops,
    { drainTimeoutMs: settings.drainTimeoutMs, inFlight },
    live,
  ).finally(progress.end);
  await page?.end();
  const tried = settings.dryRun ? shards.flatMap(({ dry }) => dry ?? []) : undefined;
  context.stderr.write(replaySummary(tallies, faults, tried));
  return code === 0 && badLines(tallies, faults) > 0 ? exitCodeOf.FIXTURE_INVALID : code;
}

interface ReplayedShardParts {
  readonly clock: VirtualClock;
  readonly write: (text: string) => Observable<void>;
  /** Absent in a dry run. */
  readonly makeSink: SinkMaker | undefined;
  readonly sinks: ReplayedSinks;
  readonly transport: KubeTransport;
  readonly log: (signal: Signal) => void;
  /** Its view on the live page. Absent: there is none. */
  readonly live: LiveShard | undefined;
}

interface ReplayedShard {
  readonly counted: ShardTally;
  /** Present in a dry run. */
  readonly dry: DryRun | undefined;
  readonly start: (stop: Observable<unknown>) => Observable<unknown>;
}

function replayedShard(settings: Settings, index: number, parts: ReplayedShardParts): ReplayedShard {
  const { clock, write, makeSink, sinks, transport, log, live } = parts;
  const counted = tally(index, settings.totalShards, clock.now);
  const runtime: Runtime = {
    scheduler: clock.scheduler,
    // Chance that is none, so that a recording replays the same each time.
    random: () => 0.5,
    signal: (signal) => {
      counted.observe(signal);
      live?.observe(signal, clock.now());
      if (noteworthy.has(signal.type)) log(signal);
    },
  };
  const exports = settings.shardId < 0 || settings.shardId === index;
  const dry = makeSink === undefined ? dryRun({ shard: shardOf(settings, index), exports }, write) : undefined;
  const sink = dry?.sink ?? (makeSink as SinkMaker)(runtime);
  const ports = { transport, sink: sinks.around(sink), store: noStore() };
  const watched = live === undefined ? ports : live.watched(ports);
  return { counted, dry, start: (stop) => pipeline(pipelineSettingsOf(settings, index), watched, stop, runtime) };
}

/** A dry run shows also what would have been left out, so it takes all. */
function indexesOf({ shardId, totalShards, dryRun: all }: Settings): readonly number[] {
  return shardId >= 0 && !all ? [shardId] : Array.from({ length: totalShards }, (_, index) => index);
}
