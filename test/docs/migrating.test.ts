import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { glogOptions } from '../../src/config/glogOptions.ts';
import type { Option } from '../../src/config/optionKinds.ts';
import { optionTable } from '../../src/config/options.ts';
import { sinkOptions } from '../../src/config/sinkOptions.ts';
import { histogramMetrics } from '../../src/telemetry/metrics.ts';
import { countedMetrics } from '../../src/telemetry/metricTable.ts';

/** Names of the Go exporter, its change request 1241 included. */
const go = {
  flags: [
    'resync-period',
    'sink-opts',
    'prometheus-endpoint',
    'system-namespaces',
    'enable-pod-owner-label',
    'event-label-selector',
    'lister-watcher-options-limit',
    'lister-watcher-enable-streaming',
    'storage-type',
    'total-shards',
    'shard-id',
    'sink',
  ],
  sinkOptions: ['flush-delay', 'max-buffer-size', 'max-concurrency', 'stackdriver-resource-model', 'endpoint', 'universeDomain'],
  metrics: [
    'stackdriver_sink_received_entry_count',
    'stackdriver_sink_successfully_sent_entry_count',
    'stackdriver_sink_request_count',
    'stackdriver_sink_records_latency_seconds',
    'podlabel_cache_ops_count',
    'sharding_filtered_events_count',
  ],
};

const text = readFileSync(new URL('../../docs/migrating.md', import.meta.url), 'utf8');

/** What the rows of a section say: name and verdict. */
function rows(heading: string): ReadonlyMap<string, string> {
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return new Map([...section.matchAll(/^\| `(?:--)?([^`]+)` \| (\w+) \|/gm)].map(([, name = '', verdict = '']) => [name, verdict]));
}

describe('docs/migrating.md', () => {
  const flags = rows('Flags');
  const isAccepted = (name: string): boolean => (optionTable as Readonly<Record<string, Option>>)[name]?.upstream !== undefined;

  test('names every flag of the Go exporter, as the options table has it', () => {
    expect([...flags.keys()].toSorted()).toEqual([...go.flags, ...go.sinkOptions, 'v'].toSorted());
    for (const name of go.flags) expect(optionTable, name).toHaveProperty(name);
    for (const name of go.sinkOptions) expect(sinkOptions, name).toHaveProperty(name);
    for (const [name, verdict] of flags) expect(verdict === 'accepted', name).toBe(isAccepted(name));
  });

  test('leaves out nothing that the options table takes over from it', () => {
    const taken = Object.entries(optionTable).filter(
      ([name, row]) => !(name in glogOptions) && (row.upstream ?? row.eventExporter) !== undefined,
    );
    expect(taken.map(([name]) => name).filter((name) => !flags.has(name))).toEqual([]);
  });

  test('names every metric of the Go exporter, and all of them exist', () => {
    expect([...rows('Metrics').keys()].toSorted()).toEqual(go.metrics.toSorted());
    const known = new Set([...Object.keys(countedMetrics), ...Object.keys(histogramMetrics)]);
    expect(go.metrics.filter((name) => !known.has(name))).toEqual([]);
  });
});
