import type { Life } from './life.ts';
import { shardsOf } from './scenario.ts';
import type { World } from './world.ts';

/** What happens to containers, and what undoes it. */
export function unsettle(kind: 'crash' | 'stop' | 'zombie' | 'shardChange', chance: number, world: World): (() => void) | undefined {
  if (kind === 'shardChange') {
    changeMap(chance, world);
    return undefined;
  }
  const running = world.running();
  const life = running[Math.floor(chance * running.length)];
  if (life === undefined) return undefined;
  switch (kind) {
    case 'crash':
      life.crash();
      return () => replace(life, chance < 0.5 ? life.podUid : undefined, world);
    case 'stop':
      life.stop();
      return () => world.later(25_000, () => replace(life, undefined, world));
    case 'zombie': {
      life.cutLeases(true);
      const twin = world.run(life.shard);
      return () => {
        life.cutLeases(false);
        // A pod that is there twice will not stay so: one of the two is taken away in the end.
        world.later(60_000, () => (chance < 0.5 ? life : twin).stop());
      };
    }
  }
}

/** Starts a container for the shard, if its map is still the one that is wanted and nobody runs it. */
function replace(life: Life, podUid: string | undefined, world: World): void {
  const isWanted = shardsOf(world.map()).some(
    ({ total, function: shardFunction, index }) =>
      total === life.shard.total && shardFunction === life.shard.function && index === life.shard.index,
  );
  const isRun = world.running().some(({ name }) => name === life.name);
  if (isWanted && !isRun) world.run(life.shard, podUid);
}

/** A rollout: containers of the new map come, those of the old one go, each in its own time; one may come back for a while. */
function changeMap(chance: number, world: World): void {
  const old = world.running();
  const { random } = world.runtime;
  const map = world.nextMap();
  world.tell(`the shards become ${map.total} by ${map.function}`);
  for (const shard of shardsOf(map)) {
    world.later(random() * 20_000, () => {
      const isRun = world
        .running()
        .some((life) => life.shard.index === shard.index && life.shard.total === shard.total && life.shard.function === shard.function);
      if (!isRun) world.run(shard);
    });
  }
  const isKept = (life: Life): boolean => life.shard.total === map.total && life.shard.function === map.function;
  for (const life of old.filter((one) => !isKept(one))) {
    world.later(random() * 30_000, () => (random() < 0.2 ? life.crash() : life.stop()));
  }
  const straggler = old.find((life) => !isKept(life));
  if (straggler === undefined || chance < 0.6) return;
  world.later(40_000, () => {
    const back = world.run(straggler.shard);
    world.later(30_000 * random(), () => (random() < 0.5 ? back.crash() : back.stop()));
  });
}
