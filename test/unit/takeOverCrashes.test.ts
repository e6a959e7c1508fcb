import { tap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Generation } from '../../src/model/checkpoint.ts';
import { type LeaseWorld, leaseWorld, type Pod, type Wire } from './leaseWorld.ts';

const second = 1_000;
/** As many requests as a take-over of three shards makes by itself (look, take, list, three to supersede, list, enter), and some more. */
const requestsMax = 14;

/** Where a pod crashes: at its n-th request, before it is sent or when it is done but not answered. */
interface CrashPoint {
  readonly request: number;
  readonly when: 'before' | 'after';
}

/** A network that calls back at the crash point. */
function crashing({ request: at, when }: CrashPoint, crash: () => void): Pick<Wire, 'through'> & { readonly reached: () => boolean } {
  let requests = 0;
  const onWay = when === 'before' ? { subscribe: () => ++requests === at && crash() } : { next: () => ++requests === at && crash() };
  return {
    reached: () => requests >= at,
    through: (transport) => ({
      ...transport,
      get: (request) => transport.get(request).pipe(tap(onWay)),
      send: (request) => transport.send(request).pipe(tap(onWay)),
    }),
  };
}

/** Lets a map of so many shards take over while the pod of shard 1 crashes; the others start around it. */
function takeOver(
  world: LeaseWorld,
  letter: string,
  total: number,
  point: CrashPoint,
  restartAs: string,
): { pods: Pod[]; crashed: boolean } {
  const pods: Pod[] = [];
  const cable = crashing(point, () => world.clock.scheduler.schedule(() => pods[1]?.crash()));
  // The one that crashes begins first, so most of the work is its own; the others meet it in the middle.
  for (const index of [1, ...Array.from({ length: total }, (_, at) => at).filter((at) => at !== 1)]) {
    pods[index] = world.pod(`${letter}${index}`, { index, total }, index === 1 ? { through: cable.through } : {});
    world.pass(7);
  }
  world.pass(80 * second);
  const crashed = cable.reached();
  pods[1]?.crash();
  pods[1] = world.pod(restartAs, { index: 1, total });
  world.pass(120 * second);
  return { pods, crashed };
}

function saveAndRelease(world: LeaseWorld, pods: readonly Pod[], firstAt: number): Generation {
  const saves = pods.map((pod, index) => pod.save(String(firstAt + index)));
  world.pass(second);
  expect(saves.map((save) => save.state())).toEqual(saves.map(() => 'saved'));
  for (const pod of pods) pod.release();
  world.pass(second);
  const positions = pods.map((_, index) => ({ at: String(firstAt + index), incarnation: 0 }));
  return { total: pods.length, function: 'fnv1a32-mod', positions: { '': positions } };
}

const points: readonly CrashPoint[] = Array.from({ length: requestsMax }, (_, at) => at + 1).flatMap((request) => [
  { request, when: 'before' },
  { request, when: 'after' },
]);

describe.each(['1', '1 again'])('from three to five and back, with a crash of the pod of shard 1, which comes back as %j', (suffix) => {
  test.each(points)('$when request $request of the take-over', (point) => {
    const world = leaseWorld();
    const three = Array.from({ length: 3 }, (_, index) => world.pod(`a${index}`, { index, total: 3 }));
    world.pass(10 * second);
    const ofThree = saveAndRelease(world, three, 10);

    const five = takeOver(world, 'b', 5, point, `b${suffix}`);
    expect(five.pods.map((pod) => [pod.state(), pod.start()?.positions, pod.start()?.inherited])).toEqual(
      five.pods.map(() => ['holding', { '': { at: '10', incarnation: 0 } }, [ofThree]]),
    );
    const ofFive = saveAndRelease(world, five.pods, 100);

    const back = takeOver(world, 'c', 3, point, `c${suffix}`);
    expect(back.pods.map((pod) => [pod.state(), pod.start()?.positions, pod.start()?.inherited])).toEqual(
      back.pods.map(() => ['holding', { '': { at: '100', incarnation: 0 } }, [ofFive]]),
    );
    expect(world.leases()).toEqual([0, 1, 2].map((index) => `${index}-of-3 current c${index === 1 ? suffix : index} 100`));
    expect([five.crashed, back.crashed]).toEqual([true, true]);
  });
});
