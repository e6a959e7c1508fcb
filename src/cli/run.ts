import { addressText } from '../config/listenAddress.ts';
import type { Settings } from '../config/options.ts';
import { type LiveShard, liveShard } from '../live/liveShard.ts';
import { readerName } from '../model/readerName.ts';
import { type PipelinePorts, pipeline } from '../pipeline.ts';
import type { Sink } from '../ports.ts';
import { liveRuntime, type Runtime, standStill } from '../runtime.ts';
import { textWriter } from '../sinks/textWriter.ts';
import { readerLimits } from '../sources/readerSettings.ts';
import { countedOnly } from '../telemetry/countedOnly.ts';
import { type Health, health } from '../telemetry/health.ts';
import { type Metrics, metrics } from '../telemetry/metrics.ts';
import type { KubeConfigSource } from '../transports/kubeConfigFile.ts';
import { kubeConfigFault, kubeTarget } from '../transports/kubeTarget.ts';
import type { Command, CommandContext, Invocation } from './command.ts';
import type { ExitCode } from './exitCodes.ts';
import { livePage } from './livePage.ts';
import type { LiveServer } from './liveServer.ts';
import { memoryLimits } from './memoryLimits.ts';
import { pathFaults } from './pathFaults.ts';
import { pipelineSettingsOf, shardOf } from './pipelineSettingsOf.ts';
import { type Probes, probes } from './probes.ts';
import { sinkMaker } from './sinks.ts';
import { sinkAndStore, storeFaults } from './stores.ts';
import { untilStopped } from './untilStopped.ts';
import { withRefusedFile } from './withRefusedFile.ts';

export const runCommand: Command = {
  name: 'run',
  description: "Export a cluster's events (the default)",
  examples: [
    ['$0', 'In a pod: its service account, the shard from its name'],
    ['$0 run --kubeconfig ~/.kube/config --start-from now', 'From a laptop, only what comes from now on'],
    ['$0 run --total-shards 3 --shard-id 0 --local-format json', 'The first of three shares, as plain JSON lines'],
    ['$0 run --namespace shop --event-field-selector type=Warning', 'Only warnings of one namespace'],
  ],
  check: ({ settings, context }) => {
    const source = kubeConfigSource(settings, context);
    const fault = kubeConfigFault(source);
    return [
      ...(fault === undefined ? [] : [`--kubeconfig must lead to usable credentials (${fault})`]),
      ...storeFaults(settings, context, fault === undefined ? kubeTarget(source).origin : ''),
      ...pathFaults(settings),
    ];
  },
  run,
};

/** Where the API server and the credentials are found. */
export function kubeConfigSource({ kubeconfig, context: name }: Settings, { environment }: CommandContext): KubeConfigSource {
  return { environment, ...(kubeconfig === '' ? {} : { kubeconfig }), ...(name === '' ? {} : { context: name }) };
}

async function run({ settings, context, log }: Invocation): Promise<ExitCode> {
  const { kubeApi } = await import('../transports/kubeApi.ts'); // Large; help and faults do without it.
  const telemetry = telemetryOf(settings, context);
  const live = liveShardOf(settings, telemetry);
  const runtime = liveRuntime((signal) => {
    const nowMs = telemetry.now();
    telemetry.metrics.observe(signal, nowMs);
    live?.observe(signal, nowMs);
    if (countedOnly.has(signal.type)) return;
    telemetry.health.observe(signal, nowMs);
    log(signal);
  });
  const server = await listen(settings, telemetry, runtime);
  let page: LiveServer | undefined;
  try {
    page = await pageOf(settings, context, live, runtime);
    const source = kubeConfigSource(settings, context);
    const coalescing = { restMs, scheduler: runtime.scheduler, rest: standStill };
    const transport = kubeApi(source, { userAgent: `kube-sluice/${context.version}`, coalescing });
    const makeSink = await sinkMaker({ settings, context, write: textWriter(context.stdout, 'standard output') }, runtime);
    const otherSink = (): Sink => makeSink(runtime);
    const { sink, store, keptIn } = sinkAndStore({ settings, context, target: kubeTarget(source), transport, otherSink }, runtime);
    const shard = shardOf(settings, settings.shardId);
    runtime.signal({ type: 'started', version: context.version, shard, sink: sink.identity, checkpoint: keptIn });
    if (keptIn === 'none') runtime.signal({ type: 'notice', text: withoutCheckpoint(settings) });
    return await withRefusedFile(settings, runtime, (ports) =>
      untilStopped(
        (stop) =>
          pipeline(
            { ...pipelineSettingsOf(settings), announceStart: settings.sink === 'cloud-logging' },
            watched(live, { transport, sink, store, ...ports }),
            stop,
            runtime,
          ),
        context.stops,
        { drainTimeoutMs: settings.drainTimeoutMs + saveGraceMs, inFlight: () => telemetry.metrics.counts.inFlight },
        runtime,
      ),
    );
  } finally {
    page?.close();
    server?.close();
  }
}

function liveShardOf(settings: Settings, { metrics: { counts }, now }: Telemetry): LiveShard | undefined {
  return settings.ui === undefined ? undefined : liveShard({ shard: shardOf(settings, settings.shardId), counts, pointMs }, now);
}

async function pageOf(
  { ui }: Settings,
  { version }: CommandContext,
  live: LiveShard | undefined,
  runtime: Runtime,
): Promise<LiveServer | undefined> {
  return ui === undefined || live === undefined ? undefined : livePage({ ui, version, pointMs }, [live], runtime.signal);
}

function watched(live: LiveShard | undefined, ports: PipelinePorts): PipelinePorts {
  return live === undefined ? ports : live.watched(ports);
}

function withoutCheckpoint({ startFrom }: Settings): string {
  const restart =
    startFrom === 'now'
      ? 'what comes before a restart is over is skipped'
      : 'after a restart everything that the server still holds is exported again';
  return `no checkpoint is kept: ${restart}; --checkpoint keeps one`;
}

/** The pipeline ends its own drain and saves what it has; this is for a store that does not answer then. */
const saveGraceMs = 5_000;

/** Between two points of the live page's plots, which go back 15 minutes. */
const pointMs = 5_000;

/** What comes alone leaves at once; while much comes, fewer and larger reads cost less. */
const restMs = 20;

interface Telemetry {
  readonly metrics: Metrics;
  readonly health: Health;
  readonly now: () => number;
}

function telemetryOf(settings: Settings, { version }: CommandContext): Telemetry {
  const now = Date.now;
  const { namespaces = [''], ownerLabels, resourceModel } = pipelineSettingsOf(settings);
  const events = namespaces.map((namespace) => readerName('events', namespace));
  const labels = ownerLabels === true && resourceModel === 'k8s'; // As the pipeline decides whether pods are read.
  const pods = labels ? namespaces.map((namespace) => readerName('pods', namespace)) : [];
  const silentMsMax = 2 * (readerLimits.watchMaxMs + readerLimits.silenceGraceMs);
  return {
    now,
    metrics: metrics({ version, shard: shardOf(settings, settings.shardId), processMetrics: true, ...memoryLimits() }, now),
    health: health({ sources: [...events, ...pods], pausedSources: events, silentMsMax }, now()),
  };
}

async function listen(
  { prometheusEndpoint }: Settings,
  { metrics: { text, contentType }, health: state, now }: Telemetry,
  runtime: Runtime,
): Promise<Probes | undefined> {
  if (prometheusEndpoint === undefined) return undefined;
  const server = await probes(prometheusEndpoint, {
    contentType,
    metrics: text,
    livenessFailures: () => state.livenessFailures(now()),
    readinessFailures: () => state.readinessFailures(now()),
  });
  runtime.signal({ type: 'notice', text: `metrics and probes at ${addressText(server.address)}` });
  return server;
}
