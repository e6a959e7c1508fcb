import { of } from 'rxjs';
import type { Shard } from '../../../src/model/shard.ts';
import { owns } from '../../../src/model/shard.ts';
import { liveRuntime } from '../../../src/runtime.ts';
import { cloudLogging } from '../../../src/sinks/cloudLogging.ts';
import { local } from '../../../src/sinks/local.ts';
import { cpuMicroseconds } from '../measure.ts';
import { type EventLines, eventLines } from './eventLines.ts';
import { throughPipeline } from './throughPipeline.ts';

export interface AboveTransportSettings {
  /** Lines in each measurement. */
  readonly lines: number;
  /** Each row is measured once a round, the base too. */
  readonly rounds: number;
}

/** Rounds before the first that counts: a process that runs for weeks has its code compiled. */
const warmUps = 4;

const all: Shard = { index: 0, total: 1 };

/** What each row sends through the pipeline, and what must become of it. */
const measures = {
  'exported, local sink': async (events: EventLines) =>
    checked(await throughPipeline(events, all, localSink()), 'stored', events.lines.length),
  'exported, Cloud Logging sink': async (events: EventLines) =>
    checked(await throughPipeline(events, all, cloudSink(), cloudBatches), 'stored', events.lines.length),
  filtered: async (events: EventLines) =>
    checked(await throughPipeline(events, shardOfNobody(events), localSink()), 'filtered', events.lines.length),
  DELETED: async (events: EventLines) => checked(await throughPipeline(events, all, localSink()), 'stored', 0),
};

export type AboveTransportRow = keyof typeof measures;

export const aboveTransportRows = Object.keys(measures) as readonly AboveTransportRow[];

/** Microseconds of CPU per event of each round. */
export interface Measured {
  readonly parse: readonly number[];
  readonly row: readonly number[];
}

/**
 * What an event costs from the received chunk to the acknowledged slot, in memory and in this process, and next to it a
 * full JSON.parse of the same lines. One row to a process, because a container does one thing as well.
 */
export async function aboveTransport(name: AboveTransportRow, { lines, rounds }: AboveTransportSettings): Promise<Measured> {
  const events = eventLines({ count: lines, pods: 2_000, type: name === 'DELETED' ? 'DELETED' : 'ADDED' });
  const parse: number[] = [];
  const row: number[] = [];
  for (let round = -warmUps; round < rounds; round++) {
    const ofParse = await cpuMicroseconds(() => parseAll(events.lines));
    const ofRow = await measures[name](events);
    if (round < 0) continue;
    parse.push(ofParse / lines);
    row.push(ofRow / lines);
  }
  return { parse, row };
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
