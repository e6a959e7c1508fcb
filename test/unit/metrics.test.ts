import { expect, test } from 'vitest';
import { metrics } from '../../src/telemetry/metrics.ts';
import type { Signal } from '../../src/telemetry/signals.ts';

const settings = { version: '1.2.3', shard: { index: 2, total: 3 }, processMetrics: false };

/** The samples of the exposition text by name and labels, the zeros without labels left out. */
async function samples(
  atMs: number,
  ...told: readonly (readonly [atMs: number, signal: Signal])[]
): Promise<Readonly<Record<string, number>>> {
  const made = metrics(settings, () => atMs);
  for (const [at, signal] of told) made.observe(signal, at);
  return parse(await made.text());
}

function parse(text: string): Readonly<Record<string, number>> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket{'));
  return Object.fromEntries(
    lines
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))] as const)
      .filter(([name, value]) => value !== 0 || name.includes('{')),
  );
}

const about = {
  'kube_sluice_build_info{version="1.2.3"}': 1,
  'kube_sluice_shard_info{index="2",total="3",function="fnv1a32-mod"}': 1,
  kube_sluice_shards: 3,
};

test('before anything is told they say what this container is', async () => {
  expect(await samples(0)).toEqual(about);
});

test('what was received is stored, refused, filtered, repeated or in flight', async () => {
  const received: Signal = { type: 'received', bytes: 100 };
  const told: Signal[] = [
    received,
    { type: 'filtered' },
    received,
    { type: 'repeated' },
    received,
    { type: 'inFlight', occurrences: 1, bytes: 100 },
    received,
    { type: 'inFlight', occurrences: 2, bytes: 200 },
    received,
    { type: 'inFlight', occurrences: 3, bytes: 300 },
    { type: 'stored', entries: 1, oldestTimestamp: '1970-01-01T00:00:01Z' },
    { type: 'inFlight', occurrences: 2, bytes: 200 },
    { type: 'refused', uid: 'u', resourceVersion: '7', reason: 'undecodable' },
    { type: 'inFlight', occurrences: 1, bytes: 100 },
  ];
  expect(await samples(5000, ...told.map((signal) => [4000, signal] as const))).toEqual({
    ...about,
    kube_sluice_received_total: 5,
    kube_sluice_received_bytes_total: 500,
    kube_sluice_stored_total: 1,
    kube_sluice_refused_total: 1,
    kube_sluice_filtered_total: 1,
    kube_sluice_repeated_total: 1,
    kube_sluice_in_flight: 1,
    kube_sluice_in_flight_bytes: 100,
    kube_sluice_unacknowledged_seconds: 1,
    sharding_filtered_events_count: 1,
    stackdriver_sink_received_entry_count: 3,
    stackdriver_sink_successfully_sent_entry_count: 1,
    stackdriver_sink_records_latency_seconds_count: 1,
    stackdriver_sink_records_latency_seconds_sum: 3,
  });
});

test('readers, by source', async () => {
  const source = 'events';
  expect(
    await samples(
      60_000,
      [0, { type: 'attempted', source }],
      [0, { type: 'listStarted', source, cause: 'start', by: 'pages' }],
      [0, { type: 'listFailed', source, cause: 'broken', failures: 1, waitMs: 0, message: '' }],
      [0, { type: 'listFailed', source, cause: 'broken', failures: 2, waitMs: 0, message: '' }],
      [0, { type: 'attempted', source: 'pods' }],
      [5_000, { type: 'watchOpened', source, resumeFrom: '7' }],
      [6_000, { type: 'frameRead', source, bytes: 900 }],
      [10_000, { type: 'frameRead', source, bytes: 100 }],
      [11_000, { type: 'frameSkipped', source, cause: 'torn', bytes: 3 }],
      [12_000, { type: 'watchEnded', source, cause: 'expired', resumeFrom: '7', waitMs: 0 }],
      [13_000, { type: 'listStarted', source, cause: 'expired', by: 'pages' }],
      [20_000, { type: 'readerPaused', paused: true }],
      [25_000, { type: 'readerPaused', paused: false }],
      [50_000, { type: 'readerPaused', paused: true }],
      [50_000, { type: 'storeRestored', source, position: '9', resourceVersion: '7' }],
    ),
  ).toEqual({
    ...about,
    'kube_sluice_watch_open{source="events"}': 0,
    'kube_sluice_watch_open{source="pods"}': 0,
    'kube_sluice_watch_silence_seconds{source="events"}': 50,
    'kube_sluice_watch_silence_seconds{source="pods"}': 60,
    'kube_sluice_watch_lines_total{source="events"}': 2,
    'kube_sluice_watch_lines_total{source="pods"}': 0,
    'kube_sluice_watch_bytes_total{source="events"}': 1000,
    'kube_sluice_watch_bytes_total{source="pods"}': 0,
    'kube_sluice_watches_opened_total{source="events"}': 1,
    'kube_sluice_watches_opened_total{source="pods"}': 0,
    'kube_sluice_watches_ended_total{source="events",cause="expired"}': 1,
    'kube_sluice_relists_total{source="events",cause="start"}': 1,
    'kube_sluice_relists_total{source="events",cause="expired"}': 1,
    'kube_sluice_list_failures_total{source="events"}': 2,
    'kube_sluice_list_failures_total{source="pods"}': 0,
    'kube_sluice_list_failures_in_a_row{source="events"}': 2,
    'kube_sluice_list_failures_in_a_row{source="pods"}': 0,
    'kube_sluice_frames_skipped_total{source="events",cause="torn"}': 1,
    kube_sluice_stores_restored_total: 1,
    kube_sluice_reader_paused: 1,
    kube_sluice_reader_paused_seconds_total: 15,
  });
});

test('pods, owners, gaps, checkpoints and the sink', async () => {
  expect(
    await samples(
      60_000,
      [0, { type: 'podsSynced', pods: 3 }],
      [0, { type: 'podCache', operation: 'add' }],
      [0, { type: 'podCache', operation: 'queryhit' }],
      [0, { type: 'podCache', operation: 'queryhit' }],
      [0, { type: 'podCacheSize', pods: 3, owners: 2 }],
      [0, { type: 'foreignPod' }],
      [0, { type: 'ownerAsked', found: true }],
      [0, { type: 'ownerMissed', cause: 'waitLimit' }],
      [0, { type: 'gapDeclared', gap: { type: 'gap', cause: 'expired', from: '1', to: '9', date: '2024-05-06T10:00:00Z' } }],
      [10_000, { type: 'positionMoved', scope: '', at: '7' }],
      [10_000, { type: 'checkpointSaving' }],
      [11_000, { type: 'checkpointSaved', positions: 1 }],
      [40_000, { type: 'positionMoved', scope: '', at: '8' }],
      [45_000, { type: 'positionMoved', scope: '', at: '9' }],
      [50_000, { type: 'requestAnswered', code: '200' }],
      [50_000, { type: 'batchAnswered', stored: 1, refused: 0, retried: 2, tookMs: 250 }],
      [50_000, { type: 'sinkRetrying', reason: '503', attempt: 1, waitMs: 100 }],
    ),
  ).toEqual({
    ...about,
    kube_sluice_pods_synced: 1,
    'podlabel_cache_ops_count{operation="add"}': 1,
    'podlabel_cache_ops_count{operation="queryhit"}': 2,
    kube_sluice_cached_pods: 3,
    kube_sluice_cached_owners: 2,
    kube_sluice_foreign_pods_total: 1,
    'kube_sluice_owner_lookups_total{found="true"}': 1,
    'kube_sluice_owner_misses_total{cause="waitLimit"}': 1,
    'kube_sluice_gaps_total{cause="expired"}': 1,
    kube_sluice_checkpoints_saved_total: 1,
    kube_sluice_checkpoint_lag_seconds: 20,
    'stackdriver_sink_request_count{code="200"}': 1,
    kube_sluice_sink_batches_total: 1,
    kube_sluice_sink_retried_entries_total: 2,
    kube_sluice_sink_retries_total: 1,
    kube_sluice_sink_batch_seconds_count: 1,
    kube_sluice_sink_batch_seconds_sum: 0.25,
  });
});

test('the lag of the checkpoint begins with the first move that is not saved, and goes on while another is being saved', async () => {
  const moved: Signal = { type: 'positionMoved', scope: '', at: '7' };
  const [saving, saved]: Signal[] = [{ type: 'checkpointSaving' }, { type: 'checkpointSaved', positions: 1 }] as const;
  const started = (checkpoint: string): Signal => ({ type: 'started', version: '1', shard: settings.shard, sink: 'local', checkpoint });
  const lag = async (...signals: readonly (readonly [number, Signal])[]): Promise<unknown> =>
    (await samples(60_000, ...signals))['kube_sluice_checkpoint_lag_seconds'];

  expect(await lag([10_000, moved], [20_000, saving], [30_000, moved])).toBe(50);
  expect(await lag([10_000, moved], [20_000, saving], [30_000, moved], [40_000, saved])).toBe(30);
  expect(await lag([10_000, moved], [20_000, saving], [30_000, saved])).toBeUndefined();
  expect(await lag([0, started('a lease')], [10_000, moved])).toBe(50);
  expect(await samples(60_000, [0, started('none')], [10_000, moved], [20_000, saving], [30_000, saved])).toEqual(about);
});

test('the position stands still from when something is in flight, or from its last move', async () => {
  const flying: Signal = { type: 'inFlight', occurrences: 1, bytes: 1 };
  const name = 'kube_sluice_unacknowledged_seconds';
  expect((await samples(60_000, [10_000, flying], [20_000, flying]))[name]).toBe(50);
  expect((await samples(60_000, [10_000, flying], [40_000, { type: 'positionMoved', scope: '', at: '7' }]))[name]).toBe(20);
  expect((await samples(60_000, [10_000, flying], [20_000, { type: 'inFlight', occurrences: 0, bytes: 0 }]))[name]).toBeUndefined();
});

test('the wait for the shard is a time, and requests about its claim that were made again are counted', async () => {
  const waiting: Signal = { type: 'shardWaiting', cause: 'otherMap', claim: 'kube-sluice-0-of-3', holder: 'pod-a' };
  const held: Signal = { type: 'shardHeld', claim: 'kube-sluice-0-of-5', token: 1, takenOver: true, waitedMs: 9 };
  const retrying: Signal = { type: 'claimRetrying', reason: 'HTTP 503', attempt: 1, waitMs: 9 };
  const name = 'kube_sluice_shard_waiting_seconds';
  const waited = await samples(60_000, [10_000, waiting], [20_000, waiting], [30_000, retrying]);
  expect([waited[name], waited['kube_sluice_claim_retries_total']]).toEqual([50, 1]);
  expect((await samples(60_000, [10_000, waiting], [20_000, held]))[name]).toBeUndefined();
});

test('latencies have the buckets of the Go exporter, and an entry from the future has none', async () => {
  const made = metrics(settings, () => 0);
  made.observe({ type: 'stored', entries: 1, oldestTimestamp: '1970-01-01T00:00:09Z' }, 0);
  const text = await made.text();
  const bounds = [...text.matchAll(/records_latency_seconds_bucket\{le="([^"]+)"\} 1/g)].map(([, bound]) => bound);
  expect([bounds.length, bounds[0], bounds[1], bounds[19], bounds[20]]).toEqual([21, '2', '3', String(2 * 1.5 ** 19), '+Inf']);
});

test('asking twice does not count twice, and two registries do not meet', async () => {
  const made = metrics(settings, () => 0);
  metrics(settings, () => 0).observe({ type: 'filtered' }, 0);
  made.observe({ type: 'filtered' }, 0);
  await made.text();
  expect(parse(await made.text())['sharding_filtered_events_count']).toBe(1);
});

test('the metrics of the process are there if wanted', async () => {
  const made = metrics({ ...settings, processMetrics: true }, () => 0);
  expect(await made.text()).toContain('process_resident_memory_bytes');
});
