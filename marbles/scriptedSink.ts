import type { Observable } from 'rxjs';
import type { MarbleHelpers } from '../src/marbleKit.ts';
import type { Ack, Entry, Outgoing } from '../src/model/entry.ts';
import type { Sink, SinkResult } from '../src/ports.ts';
import type { Signal } from '../src/telemetry/signals.ts';
import { ack, entry, unreadable } from './builders.ts';

export const stored: SinkResult = { type: 'stored' };
export const refused: SinkResult = { type: 'refused', reason: 'tooLarge' };
export const retry: SinkResult = { type: 'retry', reason: 'quota' };

export const settings = { batchesMax: 2, firstMs: 4, maxMs: 100 };

interface Write {
  readonly frame: number;
  readonly batch: readonly Entry[];
}

/** A sink that answers its writes in turn; a write after the last answer stores everything after 1 ms. */
export function scripted(t: MarbleHelpers, ...answers: readonly Observable<readonly SinkResult[]>[]): Sink & { readonly writes: Write[] } {
  const writes: Write[] = [];
  return {
    identity: 'scripted',
    writes,
    write: (batch) => {
      writes.push({ frame: t.runtime.scheduler.now(), batch });
      return answers[writes.length - 1] ?? t.cold('-(r|)', { r: batch.map(() => stored) });
    },
  };
}

/** What was sent when: frame and slots of each write. */
export function sent(sink: { readonly writes: readonly Write[] }): readonly (readonly [number, readonly number[]])[] {
  return sink.writes.map(({ frame, batch }) => [frame, batch.map(({ slot }) => slot)]);
}

export function only<K extends Signal['type']>(signals: readonly Signal[], type: K): readonly Signal[] {
  return signals.filter((signal) => signal.type === type);
}

export const batches: Record<string, readonly Outgoing[]> = {
  a: [entry(1)],
  b: [entry(2), entry(3)],
  c: [entry(4)],
  u: [unreadable(5), entry(6), unreadable(7)],
};
export const acks: Record<string, Ack> = { x: ack(1), y: ack(2), z: ack(3), w: ack(4) };
