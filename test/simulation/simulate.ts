import { type Broken, check } from './checkers.ts';
import { shardName } from './life.ts';
import { misfortune } from './misfortune.ts';
import { type Scenario, scenario, shardsOf } from './scenario.ts';
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
  for (const shard of shardsOf(made.map())) made.run(shard);
  live(made);
  misfortune(made);
  made.advanceTo(planned.quietAtMs);
  settle(made);
  // Who was still on the way out then is gone a minute later.
  made.later(60_000, () => settle(made));
  made.advanceTo(planned.endMs);
  const broken = check(made);
  for (const life of made.running()) life.crash();
  return { scenario: planned, world: made, broken };
}

function live({ scenario: { stepMs, quietAtMs }, runtime, cluster, later }: World): void {
  const startMs = runtime.scheduler.now();
  const step = (): void => {
    if (runtime.scheduler.now() - startMs >= quietAtMs) return;
    cluster.step();
    later(runtime.random() * 2 * stepMs, step);
  };
  later(stepMs, step);
}

/** No more faults and no more activity: each shard of the wanted map runs once, and nothing else does. */
function settle(made: World): void {
  made.tell('quiet: no more faults, no more activity');
  const missing = new Map(shardsOf(made.map()).map((shard) => [shardName(shard), shard]));
  for (const life of made.running()) {
    life.cutLeases(false);
    if (!missing.delete(life.name)) life.stop();
  }
  for (const shard of missing.values()) made.run(shard);
}

/** What to look at when a seed fails. */
export function report({ scenario: { seed, maps, faults, ...settings }, world: { story }, broken }: Simulated): string {
  return [
    `seed ${seed}: ${broken.length} broken promises`,
    `  maps: ${maps.map((map) => `${map.total} by ${map.function}`).join(', ')}; ${JSON.stringify(settings)}`,
    ...faults.map(({ kind, atMs, lastsMs }) => `  planned: ${kind} at ${(atMs / 1000).toFixed(0)} s for ${(lastsMs / 1000).toFixed(0)} s`),
    ...broken.slice(0, 20).map((text) => `  broken: ${text}`),
    ...story.map((line) => `  ${line}`),
  ].join('\n');
}
