import { type Life, shardName } from './life.ts';
import { type FaultKind, shardsOf } from './scenario.ts';
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
      stop(life, chance, world);
      return () => world.later(25_000, () => replace(life, undefined, world));
    case 'zombie': {
      life.cutLeases(true);
      const twin = world.run(life.shard);
      return () => {
        life.cutLeases(false);
        // A pod that is there twice will not stay so: one of the two is taken away in the end.
        world.later(60_000, () => {
          const both = life.end() === undefined && twin.end() === undefined;
          const areCut = life.areLeasesCut() || twin.areLeasesCut(); // By another fault of the kind, which is not over yet.
          if (both && !areCut && life.hasHeld() && twin.hasHeld() && areLeasesSound(world)) {
            world.witnessed.push(`both: ${life.name} is delivered by ${life.podUid} and by ${twin.podUid}`);
          }
          if (both) (chance < 0.5 ? life : twin).stop();
        });
      };
    }
  }
}

/** At once, or just when it lists because nothing newer than the store's history is left to it. */
function stop(life: Life, chance: number, { server, later }: World): void {
  const fine = (chance * 1_000) % 1;
  if (fine < 0.5) {
    life.stop();
    return;
  }
  life.stopAmidList((fine - 0.5) * 400);
  server.compact();
  server.endStreams('close', 'events');
  later(5_000, () => life.stop());
}

/** Starts a container for the shard, if its map is still the one that is wanted and nobody runs it. */
export function replace(life: Pick<Life, 'shard' | 'name' | 'podUid'>, podUid: string | undefined, world: World): void {
  if (isWanted(life, world) && !isRun(life.name, world)) world.run(life.shard, podUid);
}

function isWanted({ name }: Pick<Life, 'name'>, world: World): boolean {
  return shardsOf(world.map()).some((shard) => shardName(shard) === name);
}

function isRun(name: string, world: World): boolean {
  return world.running().some((life) => life.name === name);
}

/** A rollout: containers of the new map come, those of the old one go, each in its own time; one may come back for a while. */
function changeMap(chance: number, world: World): void {
  const old = world.running();
  const { random } = world.runtime;
  const map = world.nextMap();
  const mayCrash = world.scenario.faults.some(({ kind }) => kind === 'crash');
  world.tell(`the shards become ${map.total} by ${map.function}`);
  for (const shard of shardsOf(map)) {
    world.later(random() * 20_000, () => {
      if (!isRun(shardName(shard), world)) world.run(shard);
    });
  }
  const isKept = (life: Life): boolean => life.shard.total === map.total && life.shard.function === map.function;
  for (const life of old.filter((one) => !isKept(one))) {
    const how = random();
    world.later(random() * 30_000, () => {
      if (isWanted(life, world)) return; // The map has come back meanwhile.
      if (mayCrash && how < 0.4) life.crash();
      else life.stop();
    });
  }
  const straggler = old.find((life) => !isKept(life));
  if (straggler === undefined || chance < 0.6) return;
  world.later(40_000, () => {
    const back = world.run(straggler.shard);
    world.later(30_000 * random(), () => {
      if (isWanted(back, world)) return;
      if (mayCrash && chance < 0.8) back.crash();
      else back.stop();
    });
  });
}

const leaseFaults: ReadonlySet<FaultKind> = new Set([
  'leasesUnavailable',
  'leaseAnswerLost',
  'refused',
  'unavailable',
  'tooMany',
  'restore',
]);

/** True if a container that is connected always gets its answers about leases. */
function areLeasesSound({ scenario: { faults } }: World): boolean {
  return !faults.some(({ kind }) => leaseFaults.has(kind));
}
