import { Observable } from 'rxjs';
import type { Entry } from '../../src/model/entry.ts';
import type { Sink, SinkResult } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { cloudLogging } from '../../src/sinks/cloudLogging.ts';
import { cloudLoggingModel, virtualLogWriter } from '../../src/testing.ts';
import type { SinkKind } from './scenario.ts';

/** A sink with a deduplication key, as seen from its own side. */
export interface ModelSink {
  /** Keys of what a reader of the sink sees, gap records left out: each should be there once. */
  shown(): readonly string[];
  /** Entries by key, as first stored. */
  readonly stored: ReadonlyMap<string, StoredEntry>;
  /** Every time an entry reached the sink, stored or not. */
  readonly sends: ReadonlyMap<string, number>;
  /** When each key was refused first, in milliseconds since 1970. */
  readonly refused: ReadonlyMap<string, number>;
  /** Keys that came again with another time or payload. */
  readonly changed: ReadonlySet<string>;
  /** Keys that a process sent again although it had the answer that they were stored. */
  readonly resent: ReadonlySet<string>;
  /** Keys that were sent again after a process that had their answer had handed its shard over in order. */
  readonly repeated: ReadonlySet<string>;
  /** What is wrong with it just now. */
  readonly troubles: SinkTroubles;
  /** The way to it for one process of a shard. */
  forShard(shard: string): ShardSink;
}

export interface ShardSink extends Sink {
  /** From here on the process delivers. */
  held(): void;
  /** It has ended, and whoever delivers next knows where to go on: nothing that it was told to be stored may come again. */
  handedOver(): void;
}

export interface StoredEntry {
  readonly shard: string;
  readonly entry: Entry;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

export interface SinkTroubles {
  slow: boolean;
  outage: boolean;
  lostAnswers: boolean;
  partial: boolean;
  refusals: boolean;
}

/** Stores an entry, or says that it never will. */
interface Shelf extends Pick<ModelSink, 'shown'> {
  put(entry: Entry): SinkResult;
}

/** Knows an entry by its key alone. */
function keyed(): Shelf {
  const keys = new Set<string>();
  return {
    shown: () => [...keys],
    put({ action, insertId }) {
      if (action !== 'GAP') keys.add(insertId);
      return { type: 'stored' };
    },
  };
}

/** Behind the sink proper the service keeps everything, and shows one entry of equal project, time and key. */
function logged(runtime: Runtime): Shelf {
  const service = cloudLoggingModel({}, () => runtime.scheduler.now());
  const cluster = { project: 'acme', location: 'europe-west4', name: 'prod-1' };
  const sink = cloudLogging({ cluster }, virtualLogWriter(service, {}, runtime), runtime);
  return {
    shown: () =>
      service.query().flatMap(({ entry: { jsonPayload, insertId = '' } }) => (jsonPayload?.['kind'] === 'Gap' ? [] : [insertId])),
    put(entry) {
      let result: SinkResult = { type: 'retry', reason: 'no answer' };
      sink.write([entry]).subscribe(([answered = result]) => {
        result = answered;
      });
      return result;
    },
  };
}

/**
 * Answers take their time and overtake each other. What has been sent arrives even if its sender is gone by
 * then: only the answer is lost with it.
 */
export function modelSink(kind: SinkKind, runtime: Runtime): ModelSink {
  const { scheduler, random } = runtime;
  const shelf = kind === 'keyed' ? keyed() : logged(runtime);
  const stored = new Map<string, StoredEntry>();
  const sends = new Map<string, number>();
  const refused = new Map<string, number>();
  const changed = new Set<string>();
  const resent = new Set<string>();
  const repeated = new Set<string>();
  const handedOver = new Map<string, number>();
  let turn = 0; // Counts what begins and ends delivering: several may do so in one virtual millisecond.
  const seen = new Map<string, string>();
  const troubles: SinkTroubles = { slow: false, outage: false, lostAnswers: false, partial: false, refusals: false };

  const arrive = (shard: string, entry: Entry): SinkResult => {
    const { insertId } = entry;
    sends.set(insertId, (sends.get(insertId) ?? 0) + 1);
    const said = `${entry.timestamp} ${entry.action === 'GAP' ? '' : JSON.stringify(entry.payload)}`;
    if (entry.action !== 'GAP' && said !== (seen.get(insertId) ?? said)) changed.add(insertId);
    seen.set(insertId, said);
    if (troubles.outage || (troubles.partial && random() < 0.4)) return { type: 'retry', reason: 'unavailable' };
    if (troubles.refusals && entry.action !== 'GAP' && !stored.has(insertId) && (refused.has(insertId) || random() < 0.2)) {
      if (!refused.has(insertId)) refused.set(insertId, scheduler.now());
      return { type: 'refused', reason: 'tooLarge' };
    }
    const put = shelf.put(entry);
    if (put.type !== 'stored') return put;
    if (!stored.has(insertId)) stored.set(insertId, { shard, entry, atMs: scheduler.now() });
    return troubles.lostAnswers && random() < 0.5 ? { type: 'retry', reason: 'answer lost' } : { type: 'stored' };
  };
  const delayMs = (): number => random() * (troubles.slow ? 8_000 : 40);

  return {
    shown: shelf.shown,
    stored,
    sends,
    refused,
    changed,
    resent,
    repeated,
    troubles,
    forShard(shard) {
      const acknowledged = new Set<string>();
      let heldAt = 0;
      return {
        identity: 'model',
        held() {
          heldAt = ++turn;
        },
        handedOver() {
          turn += 1;
          for (const insertId of acknowledged) handedOver.set(insertId, turn);
        },
        write: (batch) =>
          new Observable((subscriber) => {
            for (const { insertId } of batch) {
              if (acknowledged.has(insertId)) resent.add(insertId);
              if ((handedOver.get(insertId) ?? heldAt) < heldAt) repeated.add(insertId);
            }
            scheduler.schedule(() => {
              const results = batch.map((entry) => arrive(shard, entry));
              scheduler.schedule(() => {
                if (subscriber.closed) return;
                batch.forEach(({ insertId }, at) => {
                  if (results[at]?.type === 'stored') acknowledged.add(insertId);
                });
                subscriber.next(results);
                subscriber.complete();
              }, delayMs());
            }, delayMs());
          }),
      };
    },
  };
}
