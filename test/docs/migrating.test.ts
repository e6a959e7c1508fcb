import { describe, expect, test } from 'vitest';
import { glogOptions } from '../../src/config/glogOptions.ts';
import type { Option } from '../../src/config/optionKinds.ts';
import { optionTable } from '../../src/config/options.ts';
import { sinkOptions } from '../../src/config/sinkOptions.ts';
import type { Entry } from '../../src/model/entry.ts';
import { entryLine } from '../../src/sinks/entryLine.ts';
import { histogramMetrics } from '../../src/telemetry/metrics.ts';
import { countedMetrics } from '../../src/telemetry/metricTable.ts';
import { migratingRows } from './migratingRows.ts';

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
  lineFields: [
    'action',
    'eventUID',
    'eventNamespace',
    'eventName',
    'resourceVersion',
    'count',
    'reason',
    'involvedKind',
    'involvedName',
    'involvedUID',
    'podLabels',
  ],
};

/** An entry that leaves no field of a line out. */
const entry: Entry = {
  type: 'entry',
  slot: 0,
  insertId: '00000000000000000007.uid',
  action: 'ADD',
  timestamp: '2026-11-30T16:10:26Z',
  severity: 'INFO',
  resource: { type: 'k8s_cluster', labels: {} },
  labels: { key: 'value' },
  uid: 'uid',
  resourceVersion: '7',
  payload: { count: 1, type: 'Normal', message: 'text' },
  bytes: 1,
};

describe('docs/migrating.md', () => {
  const flags = migratingRows('Flags');
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
    expect([...migratingRows('Metrics').keys()].toSorted()).toEqual(go.metrics.toSorted());
    const known = new Set([...Object.keys(countedMetrics), ...Object.keys(histogramMetrics)]);
    expect(go.metrics.filter((name) => !known.has(name))).toEqual([]);
  });

  test('names every field of a line, those of the Go exporter first, in the order in which they are written', () => {
    const fields = migratingRows('Lines on standard output');
    const written = Object.keys(JSON.parse(entryLine({})(entry)) as object);
    expect([...fields.keys()]).toEqual(written);
    expect([...fields].filter(([, verdict]) => verdict !== 'new').map(([name]) => name)).toEqual(go.lineFields);
  });

  test('knows no other verdicts', () => {
    const verdicts = ['Flags', 'Metrics', 'Entries in Cloud Logging', 'Lines on standard output'].flatMap((heading) => [
      ...migratingRows(heading).values(),
    ]);
    expect([...new Set(verdicts)].toSorted()).toEqual(['accepted', 'changed', 'new', 'same']);
  });
});
