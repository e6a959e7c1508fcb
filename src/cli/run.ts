import { addressText } from '../config/listenAddress.ts';
import type { Settings } from '../config/options.ts';
import { pipeline } from '../pipeline.ts';
import { liveRuntime, type Runtime } from '../runtime.ts';
import { readerLimits } from '../sources/readerSettings.ts';
import { type Health, health } from '../telemetry/health.ts';
import { type Metrics, metrics } from '../telemetry/metrics.ts';
import type { KubeConfigSource } from '../transports/kubeConfigFile.ts';
import { kubeConfigFault } from '../transports/kubeTarget.ts';
import { noStore } from '../transports/memoryStore.ts';
import type { Command, CommandContext, Invocation } from './command.ts';
import type { ExitCode } from './exitCodes.ts';
import { pipelineSettingsOf, shardOf } from './pipelineSettingsOf.ts';
import { type Probes, probes } from './probes.ts';
import { sinkOf } from './sinks.ts';
import { textWriter } from './stdout.ts';
import { untilStopped } from './untilStopped.ts';

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
    const fault = kubeConfigFault(kubeConfigSource(settings, context));
    return fault === undefined ? [] : [`--kubeconfig must lead to usable credentials (${fault})`];
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
  const runtime = liveRuntime((signal) => {
    const nowMs = telemetry.now();
    telemetry.metrics.observe(signal, nowMs);
    telemetry.health.observe(signal, nowMs);
    log(signal);
  });
  const server = await listen(settings, telemetry, runtime);
  try {
    const sink = sinkOf(settings, textWriter(context.stdout, 'standard output'));
    const transport = kubeApi(kubeConfigSource(settings, context), { userAgent: `kube-sluice/${context.version}` });
    const shard = shardOf(settings, settings.shardId);
    runtime.signal({ type: 'started', version: context.version, shard, sink: sink.identity, checkpoint: 'none' });
    runtime.signal({
      type: 'notice',
      text: 'no checkpoint is kept: after a restart everything that the server still holds is exported again',
    });
    return await untilStopped(
      (stop) => pipeline(pipelineSettingsOf(settings), { transport, sink, store: noStore() }, stop, runtime),
      context.stops,
      { drainTimeoutMs: settings.drainTimeoutMs, inFlight: () => telemetry.metrics.counts.inFlight },
      runtime,
    );
  } finally {
    server?.close();
  }
}

interface Telemetry {
  readonly metrics: Metrics;
  readonly health: Health;
  readonly now: () => number;
}

function telemetryOf(settings: Settings, { version }: CommandContext): Telemetry {
  const now = Date.now;
  const sources = settings.enablePodOwnerLabel ? ['events', 'pods'] : ['events'];
  const silentMsMax = 2 * (readerLimits.watchMaxMs + readerLimits.silenceGraceMs);
  return {
    now,
    metrics: metrics({ version, shard: shardOf(settings, settings.shardId), processMetrics: true }, now),
    health: health({ sources, pausedSources: ['events'], silentMsMax }, now()),
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
