import { defer, finalize, merge, type Observable } from 'rxjs';
import type { Settings } from '../config/options.ts';
import { pipeline } from '../pipeline.ts';
import { liveRuntime, type Runtime } from '../runtime.ts';
import type { Signal } from '../telemetry/signals.ts';
import { noStore } from '../transports/memoryStore.ts';
import type { FileFault } from '../transports/numberedLines.ts';
import { replay } from '../transports/replay.ts';
import type { Command, Invocation } from './command.ts';
import { type ExitCode, exitCodeOf } from './exitCodes.ts';
import { pipelineSettingsOf } from './pipelineSettingsOf.ts';
import { playedFor } from './playedFor.ts';
import { playRecording } from './playRecording.ts';
import { openRecording, recordingFaults } from './recordingInput.ts';
import { badLines, replaySummary, tally } from './replaySummary.ts';
import { sinkOf } from './sinks.ts';
import { textWriter } from './stdout.ts';
import { untilStopped } from './untilStopped.ts';
import { virtualClock } from './virtualClock.ts';

/** What a replay logs; the rest of the readers' life repeats what happened when it was recorded. */
const noteworthy: ReadonlySet<Signal['type']> = new Set([
  'gapDeclared',
  'refused',
  'frameSkipped',
  'storeRestored',
  'versionOpaque',
  'podSyncTimedOut',
]);

export const replayCommand: Command = {
  name: 'replay',
  positional: { usage: '[file]', name: 'file', description: 'Recording made by the record command' },
  description: 'Run a recording through the pipeline, in recorded time',
  examples: [
    ['$0 replay events.ndjson.gz --speed max', 'Everything at once, as one shard'],
    ['$0 replay events.ndjson.gz --total-shards 3', 'What three shards would have written'],
    ['$0 replay --events events.json.stream --pods pods.json.stream', 'Raw bodies of watches, as curl gets them'],
  ],
  check,
  run,
};

function check({ settings, positionals: [file] }: Invocation): readonly string[] {
  return [
    ...(file === undefined && settings.events === '' ? ['replay needs a recording, or --events with the raw body of a watch'] : []),
    ...(settings.sink === 'file' ? ['--sink file is for run, which has a position to keep in it (got it with replay)'] : []),
    ...recordingFaults('replay', settings, file),
  ];
}

async function run({ settings, positionals: [file], context, log }: Invocation): Promise<ExitCode> {
  const faults: FileFault[] = [];
  const recording = await openRecording(settings, file, (fault) => faults.push(fault));
  const clock = virtualClock(recording.startsAt);
  const output = tracked(textWriter(context.stdout, 'standard output'));
  const player = replay({ header: recording.header, streams: settings.enablePodOwnerLabel ? ['events', 'pods'] : ['events'] });
  const shards = indexesOf(settings).map((index) => {
    const counted = tally(index, settings.totalShards, clock.now);
    const runtime: Runtime = {
      scheduler: clock.scheduler,
      // Chance that is none, so that a recording replays the same each time.
      random: () => 0.5,
      signal: (signal) => {
        counted.observe(signal);
        if (noteworthy.has(signal.type)) log(signal);
      },
    };
    const on = pipelineSettingsOf({ ...settings, namespace: recording.header.asked.namespaces }, index);
    const ports = { transport: player.transport(), sink: sinkOf(settings, output.write), store: noStore() };
    return { counted, start: (stop: Observable<unknown>) => pipeline(on, ports, stop, runtime) };
  });
  const tallies = shards.map(({ counted }) => counted);
  const inFlight = (): number => tallies.reduce((sum, { counts }) => sum + counts.inFlight, 0);
  const code = await untilStopped(
    (stop) =>
      playedFor(merge(...shards.map(({ start }) => start(stop))), stop, (isOver, stopped) =>
        playRecording(
          { speed: settings.speed },
          { recording, replay: player, clock, settled: output.settled, inFlight, isOver, stop: stopped },
        ),
      ),
    context.stops,
    { drainTimeoutMs: settings.drainTimeoutMs, inFlight },
    liveRuntime(() => undefined),
  );
  context.stderr.write(replaySummary(tallies, faults));
  return code === 0 && badLines(tallies, faults) > 0 ? exitCodeOf.FIXTURE_INVALID : code;
}

function indexesOf({ shardId, totalShards }: Settings): readonly number[] {
  return shardId >= 0 ? [shardId] : Array.from({ length: totalShards }, (_, index) => index);
}

/** A writer that can tell when all it was given has been taken. */
function tracked(write: (text: string) => Observable<void>): {
  write(text: string): Observable<void>;
  settled(): Promise<void> | undefined;
} {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const taken = (): void => {
    if (--underWay > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    write: (text) =>
      defer(() => {
        underWay++;
        return write(text).pipe(finalize(taken));
      }),
    settled: () => (underWay === 0 ? undefined : new Promise((resolve) => waiting.push(resolve))),
  };
}
