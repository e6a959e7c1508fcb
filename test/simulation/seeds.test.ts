import { describe, expect, test } from 'vitest';
import { keepsItsPromises, seedsOfCi } from './keepsItsPromises.ts';
import { faultKinds, scenario } from './scenario.ts';
import { simulate } from './simulate.ts';

describe('simulation', () => {
  keepsItsPromises(1, 125);

  test('meets each kind of fault in at least a fifth of the seeds, each for more than an hour', () => {
    const scenarios = Array.from({ length: seedsOfCi }, (_, index) => scenario(index + 1));
    for (const kind of faultKinds) {
      const met = scenarios.filter(({ faults }) => faults.some((fault) => fault.kind === kind)).length;
      expect(met / seedsOfCi, kind).toBeGreaterThanOrEqual(0.2);
    }
    for (const { endMs } of scenarios) expect(endMs).toBeGreaterThanOrEqual(3_600_000);
  });

  test('runs a seed again in the same way', () => {
    const [one, two] = [simulate(7), simulate(7)];
    expect(two.world.story).toEqual(one.world.story);
    expect([...two.world.sink.sends]).toEqual([...one.world.sink.sends]);
  });
});
