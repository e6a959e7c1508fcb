import { of } from 'rxjs';
import type { Shard } from '../../../src/model/shard.ts';
import { owns } from '../../../src/model/shard.ts';
import { liveRuntime } from '../../../src/runtime.ts';
import { cloudLogging } from '../../../src/sinks/cloudLogging.ts';
import { local } from '../../../src/sinks/local.ts';
import { cpuMicroseconds, type Row, row } from '../measure.ts';
import { type EventLines, eventLines } from './eventLines.ts';
import { throughPipeline } from './throughPipeline.ts';

export interface AboveTransportSettings {
  /** Lines in each measurement. */
  readonly lines: number;
  /** Each row is measured once a round, the base too; one more round before them warms up. */
  readonly rounds: number;
}

const group = 'above the transport';

/**
 * What an event costs from the received chunk to the acknowledged slot, in memory and in this process, against a
 * full JSON.parse of the same lines in the same rounds.
 */
export async function aboveTransport({ lines, rounds }: AboveTransportSettings): Promise<readonly Row[]> {
  const written = eventLines({ count: lines, pods: 2_000, type: 'ADDED' });
  const expired = eventLines({ count: lines, pods: 2_000, type: 'DELETED' });
  const all: Shard = { index: 0, total: 1 };
  const none = shardOfNobody(written);
  const measures = {
    parse: () => cpuMicroseconds(() => parseAll(written.lines)),
    'exported, local sink': async () => checked(await throughPipeline(written, all, localSink()), 'stored', lines),
    'exported, Cloud Logging sink': async () => checked(await throughPipeline(written, all, cloudSink(), cloudBatches), 'stored', lines),
    filtered: async () => checked(await throughPipeline(written, none, localSink()), 'filtered', lines),
    DELETED: async () => checked(await throughPipeline(expired, all, localSink()), 'stored', 0),
  };
  const values = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const [name, measure] of Object.entries(measures)) {
      const perLine = (await measure()) / lines;
      if (round > 0) values.set(name, [...(values.get(name) ?? []), perLine]);
    }
  }
  const parse = { name: 'parse', values: values.get('parse') ?? [] };
  return [...values].map(([name, perRound]) =>
    row({ group, name, unit: 'us CPU per event', values: perRound, ...(name === 'parse' ? {} : { base: parse }) }),
  );
}

function parseAll(lines: readonly Buffer[]): void {
  for (const line of lines) JSON.parse(line.toString('utf8'));
}

/** Standard output's part, the encoding of the text, is done here too. */
const localSink = () => {
  const encoded = Buffer.alloc(1024 * 1024);
  return local({ format: 'json' }, (text) => {
    encoded.write(text);
    return of(undefined);
  });
};

const cloudBatches = { batchItemsMax: 100, batchesMax: 10, flushMs: 5 };

/** The request's bytes are made here too; what the connection costs is not. */
const cloudSink = () => {
  const answer = { type: 'answer', status: 200, body: Buffer.from('{}') } as const;
  return cloudLogging(
    { cluster: { project: 'p', location: 'l', name: 'c' } },
    { write: () => of(answer) },
    liveRuntime(() => undefined),
  );
};

/** A share to which none of the pods belongs. */
function shardOfNobody({ pods }: EventLines): Shard {
  const total = 60_000;
  const index = Array.from({ length: total }, (_, at) => at).find((at) => !pods.some(({ uid }) => owns({ index: at, total }, uid)));
  return { index: index ?? 0, total };
}

function checked(
  passed: { readonly cpu: number; readonly stored: number; readonly filtered: number },
  what: 'stored' | 'filtered',
  count: number,
): number {
  if (passed[what] !== count) throw new Error(`${count} events must be ${what} (got ${passed[what]})`);
  return passed.cpu;
}
