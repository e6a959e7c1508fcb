import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Shard } from '../model/shard.ts';
import { count } from './count.ts';
import { type Counts, noCounts } from './counts.ts';
import { type CountedMetric, countedMetrics } from './metricTable.ts';
import type { Signal } from './signals.ts';

/** What the metrics say of this process, and where they are registered. */
export interface MetricsSettings {
  /** Of the program that exports: the label of the build info. */
  readonly version: string;
  readonly shard: Shard;
  /** Also the process's own: memory, CPU, event loop. They start a timer. */
  readonly processMetrics: boolean;
  /** Absent: it has none, or it is not known. */
  readonly memoryLimitBytes?: number;
  readonly heapLimitBytes?: number;
  /** A registry of prom-client to register in. Absent: one of their own. */
  readonly registry?: Registry;
}

/** The metrics of one pipeline. */
export interface Metrics {
  /** The same numbers as plain data, up to date at any time. */
  readonly counts: Readonly<Counts>;
  /** Adds a signal up. `nowMs`: milliseconds since 1970. */
  observe(signal: Signal, nowMs: number): void;
  /** The exposition text of Prometheus: all that is in the registry. */
  text(): Promise<string>;
  /** What that text is, for the HTTP header. */
  readonly contentType: string;
}

/** Metrics that are observed one value at a time. */
export const histogramMetrics = {
  stackdriver_sink_records_latency_seconds: {
    type: 'histogram',
    help: 'Seconds from the time of an entry to its storing, by the oldest entry of each batch.',
    buckets: Array.from({ length: 20 }, (_, power) => 2 * 1.5 ** power),
  },
  kube_sluice_sink_batch_seconds: {
    type: 'histogram',
    help: 'Seconds until the sink had answered a batch.',
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
  },
} as const;

/** Metrics that say what this container is, and never change. */
export const infoMetrics = {
  kube_sluice_build_info: { type: 'gauge', help: 'Always 1; the version is a label.', labels: ['version'] },
  kube_sluice_shard_info: {
    type: 'gauge',
    help: 'Always 1; index, total and function are labels. All containers must agree on total and function.',
    labels: ['index', 'total', 'function'],
  },
  kube_sluice_shards: { type: 'gauge', help: 'How many shards this container believes there are. All must agree.', labels: [] },
  kube_sluice_memory_limit_bytes: {
    type: 'gauge',
    help: 'Memory that the container may use; to compare with process_resident_memory_bytes. No sample: no limit.',
    labels: [],
  },
  kube_sluice_heap_limit_bytes: {
    type: 'gauge',
    help: 'Most that the JavaScript heap may hold, --max-old-space-size; to compare with nodejs_heap_size_used_bytes.',
    labels: [],
  },
} as const;

/**
 * Makes the metrics of docs/metrics.md from signals. Signals are only added up; the numbers become metrics when they are
 * asked for, so that a line costs no more than a few additions. `now` is the clock, milliseconds since 1970.
 */
export function metrics(settings: MetricsSettings, now: () => number): Metrics {
  const registry = settings.registry ?? new Registry();
  const counts = noCounts();
  if (settings.processMetrics) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  registerInfo(settings, registry);
  for (const [name, metric] of Object.entries(countedMetrics)) registerCounted(name, metric, counts, now, registry);
  const latency = histogram('stackdriver_sink_records_latency_seconds', registry);
  const batchSeconds = histogram('kube_sluice_sink_batch_seconds', registry);
  return {
    counts,
    observe(signal, nowMs) {
      count(counts, signal, nowMs);
      if (signal.type === 'batchAnswered') batchSeconds.observe(signal.tookMs / 1000);
      else if (signal.type === 'stored') observeLatency(latency, signal.oldestTimestamp, nowMs);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function registerInfo({ version, shard, memoryLimitBytes, heapLimitBytes }: MetricsSettings, registry: Registry): void {
  const info = (name: keyof typeof infoMetrics): Gauge => {
    const { help, labels } = infoMetrics[name];
    return new Gauge({ name, help, labelNames: labels, registers: [registry] });
  };
  const { index, total, function: shardFunction = 'fnv1a32-mod' } = shard;
  info('kube_sluice_build_info').set({ version }, 1);
  info('kube_sluice_shard_info').set({ index: String(index), total: String(total), function: shardFunction }, 1);
  info('kube_sluice_shards').set(total);
  if (memoryLimitBytes !== undefined) info('kube_sluice_memory_limit_bytes').set(memoryLimitBytes);
  if (heapLimitBytes !== undefined) info('kube_sluice_heap_limit_bytes').set(heapLimitBytes);
}

function registerCounted(name: string, metric: CountedMetric, counts: Counts, now: () => number, registry: Registry): void {
  const { help, labels = [], read } = metric;
  const settings = { name, help, labelNames: labels, registers: [registry] };
  const made = metric.type === 'counter' ? new Counter({ ...settings, collect: publish }) : new Gauge({ ...settings, collect: publish });
  function publish(): void {
    const values = read(counts, now());
    made.reset();
    if (typeof values === 'number') made.inc(values);
    else for (const [labelled, value] of values) made.inc(labelled, value);
  }
}

function histogram(name: keyof typeof histogramMetrics, registry: Registry): Histogram {
  const { help, buckets } = histogramMetrics[name];
  return new Histogram({ name, help, buckets: [...buckets], registers: [registry] });
}

/** Times of entries are written by nodes, whose clocks may be ahead of ours. */
function observeLatency(latency: Histogram, timestamp: string, nowMs: number): void {
  const at = Date.parse(timestamp);
  if (!Number.isNaN(at)) latency.observe(Math.max(nowMs - at, 0) / 1000);
}
