import type { Settings } from '../config/options.ts';
import type { Shard } from '../model/shard.ts';
import type { PipelineSettings } from '../pipelineSettings.ts';

/** The pipeline's settings for one shard, from those of the command line. */
export function pipelineSettingsOf(settings: Settings, index = settings.shardId): PipelineSettings {
  const { namespace, eventLabelSelector, eventFieldSelector } = settings;
  return {
    shard: shardOf(settings, index),
    namespaces: namespace.length === 0 ? [''] : namespace,
    systemNamespaces: settings.systemNamespaces,
    ...(eventLabelSelector === '' ? {} : { labelSelector: eventLabelSelector }),
    ...(eventFieldSelector === '' ? {} : { fieldSelector: eventFieldSelector }),
    startFrom: settings.startFrom,
    eventTtlMs: settings.eventTtlMs,
    pageItems: settings.listerWatcherOptionsLimit,
    ownerLabels: settings.enablePodOwnerLabel,
    ownerWaitMs: settings.ownerWaitMs,
    podSyncTimeoutMs: settings.podSyncTimeoutMs,
    resourceModel: resourceModelOf(settings),
    inFlightMax: settings.maxInFlight,
    inFlightBytesMax: settings.maxInFlightBytes,
    drainTimeoutMs: settings.drainTimeoutMs,
    ...batchesOf(settings),
  };
}

/** What suits the sink. The local one writes each entry at once. */
function batchesOf({ sink, sinkOpts }: Settings): Partial<PipelineSettings> {
  switch (sink) {
    case 'file':
      return { batchItemsMax: 1_000, batchBytesMax: 1024 * 1024 };
    case 'cloud-logging':
      return { batchItemsMax: sinkOpts.maxBufferSize, flushMs: sinkOpts.flushDelayMs, batchesMax: sinkOpts.maxConcurrency };
    case 'local':
      return {};
  }
}

export function shardOf({ totalShards, shardFunction }: Settings, index: number): Shard {
  return { index, total: totalShards, function: shardFunction };
}

/** Two words mean the resources of today, every other those of before, as with the Go exporter. */
function resourceModelOf({ sinkOpts }: Settings): 'k8s' | 'legacy' {
  return ['new', 'k8s'].includes(sinkOpts['stackdriverResourceModel']) ? 'k8s' : 'legacy';
}
