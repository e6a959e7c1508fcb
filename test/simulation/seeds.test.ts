import { describe, expect, test } from 'vitest';
import { faultKinds, scenario } from './scenario.ts';
import { report, simulate } from './simulate.ts';

/** CI runs them all; `npm run simulate -- --seeds N --from M` runs others. */
const seedsMax = 500;
const groupSize = 25;
const seeds = Array.from({ length: seedsMax }, (_, index) => index + 1);

describe('simulation', () => {
  for (let first = 0; first < seedsMax; first += groupSize) {
    const group = seeds.slice(first, first + groupSize);
    test(`keeps its promises over seeds ${group.at(0)} to ${group.at(-1)}`, { timeout: 300_000 }, () => {
      for (const seed of group) {
        const run = simulate(seed);
        expect(run.broken, report(run)).toEqual([]);
      }
    });
  }

  test('meets each kind of fault in at least a fifth of the seeds, each for more than an hour', () => {
    const scenarios = seeds.map(scenario);
    for (const kind of faultKinds) {
      const met = scenarios.filter(({ faults }) => faults.some((fault) => fault.kind === kind)).length;
      expect(met / seedsMax, kind).toBeGreaterThanOrEqual(0.2);
    }
    for (const { endMs } of scenarios) expect(endMs).toBeGreaterThanOrEqual(3_600_000);
  });

  test('runs a seed again in the same way', () => {
    const [one, two] = [simulate(7), simulate(7)];
    expect(two.world.story).toEqual(one.world.story);
    expect([...two.world.sink.sends]).toEqual([...one.world.sink.sends]);
  });
});
