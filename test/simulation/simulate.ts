import { type Broken, check } from './checkers.ts';
import { later, misfortune } from './misfortune.ts';
import { type Scenario, scenario } from './scenario.ts';
import { type World, world } from './world.ts';

export interface Simulated {
  readonly scenario: Scenario;
  readonly world: World;
  readonly broken: readonly Broken[];
}

/** Runs one seed in virtual time: equal seeds, equal runs. */
export function simulate(seed: number): Simulated {
  const planned = scenario(seed);
  const made = world(planned);
  for (const process of made.processes) process.start();
  live(planned, made);
  misfortune(planned, made);
  made.advanceTo(planned.quietAtMs);
  made.tell('quiet: no more faults, no more activity');
  made.sink.troubles.outage = false;
  for (const process of made.processes) process.start();
  made.advanceTo(planned.endMs);
  const broken = check(planned, made);
  for (const process of made.processes) process.crash();
  return { scenario: planned, world: made, broken };
}

function live({ stepMs, quietAtMs }: Scenario, made: World): void {
  const { runtime, cluster } = made;
  const startMs = runtime.scheduler.now();
  const step = (): void => {
    if (runtime.scheduler.now() - startMs >= quietAtMs) return;
    cluster.step();
    later(made, runtime.random() * 2 * stepMs, step);
  };
  later(made, stepMs, step);
}

/** What to look at when a seed fails. */
export function report({ scenario: { seed, shards, faults, ...settings }, world: { story }, broken }: Simulated): string {
  const [first] = shards;
  return [
    `seed ${seed}: ${broken.length} broken promises`,
    `  shards: ${first?.total} by ${first?.function}; ${JSON.stringify(settings)}`,
    ...faults.map(({ kind, atMs, lastsMs }) => `  planned: ${kind} at ${(atMs / 1000).toFixed(0)} s for ${(lastsMs / 1000).toFixed(0)} s`),
    ...broken.slice(0, 20).map((text) => `  broken: ${text}`),
    ...story.map((line) => `  ${line}`),
  ].join('\n');
}
