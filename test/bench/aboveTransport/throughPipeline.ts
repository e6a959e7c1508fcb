import { setImmediate } from 'node:timers/promises';
import { Subject } from 'rxjs';
import { checkpointFormat } from '../../../src/model/checkpoint.ts';
import type { Shard } from '../../../src/model/shard.ts';
import { pipeline } from '../../../src/pipeline.ts';
import type { PipelineSettings } from '../../../src/pipelineSettings.ts';
import type { Sink } from '../../../src/ports.ts';
import { liveRuntime } from '../../../src/runtime.ts';
import { countedOnly } from '../../../src/telemetry/countedOnly.ts';
import { health } from '../../../src/telemetry/health.ts';
import { logger } from '../../../src/telemetry/logger.ts';
import { metrics } from '../../../src/telemetry/metrics.ts';
import { memoryStore } from '../../../src/transports/memoryStore.ts';
import { cpuMicroseconds } from '../measure.ts';
import type { EventLines } from './eventLines.ts';
import { memoryTransport } from './memoryTransport.ts';

const chunkBytes = 64 * 1024;

export interface Passed {
  /** CPU of the whole pipeline on the lines, in microseconds: from the chunk that arrived to the acknowledged slot. */
  readonly cpu: number;
  readonly stored: number;
  readonly filtered: number;
}

/** Sends the lines through the pipeline as `run` wires it, metrics, probes and log included, once its pods are known. */
export async function throughPipeline(
  { body, pods, lines }: EventLines,
  shard: Shard,
  sink: Sink,
  settings: Partial<PipelineSettings> = {},
): Promise<Passed> {
  const counting = metrics({ version: '0', shard, processMetrics: false }, Date.now);
  const others = [
    health({ sources: ['events', 'pods'], pausedSources: ['events'], silentMsMax: 1_230_000 }, Date.now()),
    logger({ level: 'info', pretty: false }, () => undefined),
  ] as const;
  const { counts } = counting;
  const runtime = liveRuntime((signal) => {
    const nowMs = Date.now();
    counting.observe(signal, nowMs);
    if (countedOnly.has(signal.type)) return;
    for (const observer of others) observer.observe(signal, nowMs);
  });
  const chunks = new Subject<Uint8Array>();
  const stop = new Subject<void>();
  const store = memoryStore({
    format: checkpointFormat,
    shard: { function: 'fnv1a32-mod', ...shard },
    selectors: { label: '', field: '' },
    sink: sink.identity,
    positions: { '': { at: '999999', incarnation: 0 } },
  });
  const failures: unknown[] = [];
  const running = pipeline(
    { shard, streamingLists: true, ...settings },
    { transport: memoryTransport(chunks, pods), sink, store },
    stop,
    runtime,
  ).subscribe({
    error: (error: unknown) => failures.push(error),
  });
  while (!chunks.observed) await setImmediate();

  const cpu = await cpuMicroseconds(async () => {
    for (let at = 0; at < body.length; at += chunkBytes) {
      chunks.next(body.subarray(at, at + chunkBytes));
      await setImmediate();
    }
    while (counts.inFlight > 0 && failures.length === 0) await setImmediate();
  });
  running.unsubscribe();
  if (failures.length > 0) throw failures[0];
  if ((counts.readers.get('events')?.lines ?? 0) !== lines.length) throw new Error('the pipeline has not read every line');
  return { cpu, stored: counts.stored, filtered: counts.filtered };
}
