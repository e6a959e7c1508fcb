import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { firstValueFrom, map, merge, NEVER, type Observable, tap, timer } from 'rxjs';
import type { Settings } from '../config/options.ts';
import { type Finder, findings } from '../inspect/findings.ts';
import { type ReadingsSettings, readings } from '../inspect/readings.ts';
import { type ReportSubject, report } from '../inspect/report/report.ts';
import { summary } from '../inspect/summary.ts';
import { liveRuntime, type Runtime } from '../runtime.ts';
import { virtualClock } from '../simulator/virtualClock.ts';
import { textWriter } from '../sinks/textWriter.ts';
import { kubeConfigFault } from '../transports/kubeTarget.ts';
import type { FileFault } from '../transports/numberedLines.ts';
import { replay } from '../transports/replay.ts';
import type { Command, Invocation } from './command.ts';
import { type ExitCode, exitCodeOf } from './exitCodes.ts';
import { playedFor } from './playedFor.ts';
import { playRecording } from './playRecording.ts';
import { serverOf } from './record.ts';
import { openRecording, recordingBytes, recordingFaults } from './recordingInput.ts';
import { replayProgress } from './replayProgress.ts';
import { faultLines } from './replaySummary.ts';
import { reportFileFaults, writeReport } from './reportFile.ts';
import { kubeConfigSource } from './run.ts';
import { untilStopped } from './untilStopped.ts';

export const inspectCommand: Command = {
  name: 'inspect',
  positional: { usage: '[file]', name: 'file', description: 'Recording made by the record command' },
  description: 'Make a report of a recording or a live cluster: one HTML file, and a summary',
  examples: [
    ['$0 inspect events.ndjson.gz -o report.html', 'A recording'],
    ['$0 inspect --events events.json.stream --pods pods.json.stream', 'Raw bodies of watches, as curl gets them'],
    ['$0 inspect --kubeconfig ~/.kube/config --for 10m', 'A live cluster: what it still holds, and the next ten minutes'],
  ],
  check,
  run,
};

function isLive({ kubeconfig, context, forMs }: Settings): boolean {
  return kubeconfig !== '' || context !== '' || forMs > 0;
}

function check({ settings, positionals: [file], context }: Invocation): readonly string[] {
  const { events, output } = settings;
  const input = file ?? events;
  const live = isLive(settings);
  const fault = live ? kubeConfigFault(kubeConfigSource(settings, context)) : undefined;
  return [
    ...(input === '' && !live ? ['inspect needs a recording, --events with the raw body of a watch, or a cluster by --kubeconfig'] : []),
    ...(input !== '' && live
      ? [`inspect reads a file or a live cluster, not both (got ${input} and --kubeconfig, --context or --for)`]
      : []),
    ...(fault === undefined ? [] : [`--kubeconfig must lead to usable credentials (${fault})`]),
    ...recordingFaults('inspect', settings, file),
    ...reportFileFaults(output),
  ];
}

/** What was read, and what it came from. */
interface Outcome {
  readonly code: ExitCode;
  readonly finder: Finder;
  readonly subject: Pick<ReportSubject, 'name' | 'server' | 'hasReceiptTimes'>;
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { settings, context } = invocation;
  const { code, finder, subject } = await (isLive(settings) ? inspectLive(invocation) : inspectFile(invocation));
  if (code !== 0 && code !== exitCodeOf.FIXTURE_INVALID) return code;
  const found = finder.findings();
  const write = textWriter(context.stdout, 'standard output');
  // First what is known already: a report that cannot be written must not take it along.
  await firstValueFrom(write(summary(found)), { defaultValue: undefined });
  await writeReport(settings.output, await report(found, { ...subject, version: context.version, madeMs: Date.now(), hashOf }));
  await firstValueFrom(write(`report      ${settings.output}\n`), { defaultValue: undefined });
  return code;
}

async function inspectFile({ settings, positionals: [file], context }: Invocation): Promise<Outcome> {
  const faults: FileFault[] = [];
  let bytesRead = 0;
  const recording = await openRecording(
    settings,
    file,
    (fault) => faults.push(fault),
    (bytes) => (bytesRead = bytes),
  );
  const clock = virtualClock(recording.startsAt);
  const player = replay({ header: recording.header, streams: ['events', 'pods'] });
  const hasReceiptTimes = file !== undefined;
  const finder = findings({ hasReceiptTimes, systemNamespaces: settings.systemNamespaces });
  const runtime: Runtime = {
    scheduler: clock.scheduler,
    // Chance that is none, so that a recording gives the same report each time.
    random: () => 0.5,
    signal: (signal) => finder.signal(signal, clock.now()),
  };
  const on = {
    ...readingsSettings(settings),
    namespaces: recording.header.asked.namespaces,
    readsPods: file !== undefined || settings.pods !== '',
  };
  const pace = { speed: Number.POSITIVE_INFINITY };
  const live = liveRuntime(() => undefined);
  const progress = replayProgress(
    context,
    { bytes: recordingBytes(settings, file), bytesRead: () => bytesRead, file, pace, received: finder.revisions },
    live,
  );
  let inFlight = (): number => 0;
  const code = await untilStopped(
    (stop) => {
      const inspected = readings(on, player.transport(), stop, runtime);
      inFlight = inspected.waiting;
      return playedFor(inspected.readings.pipe(tap(finder.read)), stop, (isOver, stopped) =>
        playRecording(pace, { recording, replay: player, clock, settled: () => undefined, inFlight, isOver, stop: stopped }),
      );
    },
    context.stops,
    { drainTimeoutMs: settings.drainTimeoutMs, inFlight: () => inFlight() },
    live,
  ).finally(progress.end);
  context.stderr.write(faultLines(faults));
  const isBad = faults.some(({ bad }) => bad) || finder.findings().troubles.skipped > 0;
  return {
    code: code === 0 && isBad ? exitCodeOf.FIXTURE_INVALID : code,
    finder,
    subject: {
      name: basename(file ?? settings.events),
      server: hasReceiptTimes ? recording.header.server.gitVersion : '',
      hasReceiptTimes,
    },
  };
}

async function inspectLive({ settings, context, log }: Invocation): Promise<Outcome> {
  const { kubeApi } = await import('../transports/kubeApi.ts'); // Large; files, help and faults do without it.
  const finder = findings({ hasReceiptTimes: true, systemNamespaces: settings.systemNamespaces });
  const runtime = liveRuntime((signal) => {
    finder.signal(signal, Date.now());
    log(signal);
  });
  const transport = kubeApi(kubeConfigSource(settings, context), { userAgent: `kube-sluice/${context.version}` });
  const server = await serverOf(transport);
  const time: Observable<'drain'> = settings.forMs > 0 ? timer(settings.forMs, runtime.scheduler).pipe(map(() => 'drain')) : NEVER;
  let inFlight = (): number => 0;
  const code = await untilStopped(
    (stop) => {
      const inspected = readings(readingsSettings(settings), transport, stop, runtime);
      inFlight = inspected.waiting;
      return inspected.readings.pipe(tap(finder.read));
    },
    merge(context.stops, time),
    { drainTimeoutMs: settings.drainTimeoutMs, inFlight: () => inFlight() },
    runtime,
  );
  const name = settings.context === '' ? 'Live cluster' : settings.context;
  return { code, finder, subject: { name, server: server.gitVersion, hasReceiptTimes: true } };
}

function readingsSettings(settings: Settings): ReadingsSettings {
  const { namespace, eventLabelSelector, eventFieldSelector, startFrom, listerWatcherOptionsLimit, ownerWaitMs, podSyncTimeoutMs } =
    settings;
  return {
    namespaces: namespace.length === 0 ? [''] : namespace,
    ...(eventLabelSelector === '' ? {} : { labelSelector: eventLabelSelector }),
    ...(eventFieldSelector === '' ? {} : { fieldSelector: eventFieldSelector }),
    startFrom,
    pageItems: listerWatcherOptionsLimit,
    ownerWaitMs,
    podSyncTimeoutMs,
    readsPods: true,
  };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
