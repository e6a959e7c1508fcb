import { defer, of } from 'rxjs';
import type { Entry } from '../model/entry.ts';
import type { Sink } from '../ports.ts';

/** A sink that can be looked into. */
export interface MemorySink extends Sink {
  /** All entries that were written, in write order, repeats included. Grows without limit. */
  readonly entries: readonly Entry[];
}

/** Keeps every entry, for tests and for pipelines that end. State: all entries. Time: none. Order: kept. Errors: none. */
export function memory(): MemorySink {
  const entries: Entry[] = [];
  return {
    identity: 'memory',
    entries,
    write: (batch) =>
      defer(() => {
        for (const entry of batch) entries.push(entry);
        return of(batch.map(() => ({ type: 'stored' }) as const));
      }),
  };
}
