import { expect, test } from 'vitest';
import { report, simulate } from './simulate.ts';

/** CI runs the seeds from 1 to here; `npm run simulate -- --seeds N --from M` runs others. */
export const seedsOfCi = 500;
const groupSize = 25;

/** Tests that run these seeds, some at a time. A broken promise shows the seed's whole story. */
export function keepsItsPromises(from: number, to: number): void {
  for (let first = from; first <= to; first += groupSize) {
    const last = Math.min(first + groupSize - 1, to);
    test(`keeps its promises over seeds ${first} to ${last}`, { timeout: 300_000 }, () => {
      for (let seed = first; seed <= last; seed++) {
        const run = simulate(seed);
        expect(run.broken, run.broken.length === 0 ? '' : report(run)).toEqual([]);
      }
    });
  }
}
