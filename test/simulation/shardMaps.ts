import { Subscription } from 'rxjs';
import type { Checkpoint, Generation, Positions } from '../../src/model/checkpoint.ts';
import { isInherited, stillAhead } from '../../src/model/inherited.ts';
import { isAtOrBefore } from '../../src/model/resourceVersion.ts';
import { owns, type Shard } from '../../src/model/shard.ts';
import { seededRandom } from '../../src/testing.ts';
import { type LeaseWorld, leaseWorld, type Pod, type Wire, wire } from '../unit/leaseWorld.ts';

/** One thing that happened in the cluster, to be delivered once by whoever owns its key. */
interface Happened {
  readonly version: string;
  readonly key: string;
}

interface Delivery {
  readonly version: string;
  readonly pod: string;
  readonly atMs: number;
}

/** A pod with a worker that delivers what its shard owns, and saves how far it is. */
export interface Worker {
  readonly name: string;
  readonly shard: Required<Shard>;
  readonly pod: Pod;
  readonly cable: Wire;
  isOver(): boolean;
  crash(): void;
  /** Ends in order: saves the last position and gives the shard up. */
  stop(): void;
}

export interface ShardMaps {
  readonly world: LeaseWorld;
  readonly happened: readonly Happened[];
  readonly deliveries: readonly Delivery[];
  readonly random: () => number;
  /** How fast workers are, in [0, 1]; at 0 they do nothing. */
  pace: number;
  start(name: string, shard: Required<Shard>): Worker;
  /** One more thing happens. */
  happen(): void;
}

const keys = Array.from({ length: 30 }, (_, at) => `0e0e0e0e-0000-4000-8000-${String(at * 7919).padStart(12, '0')}`);

/** Workers on a simulated server's leases, reduced to what matters for delivering once: a log, shares of it, positions. */
export function shardMaps(seed: number): ShardMaps {
  const random = seededRandom(seed);
  const world = leaseWorld(seed);
  const happened: Happened[] = [];
  const deliveries: Delivery[] = [];
  const maps: ShardMaps = {
    world,
    happened,
    deliveries,
    random,
    pace: 1,
    happen() {
      const key = keys[Math.floor(random() * keys.length)] ?? '';
      happened.push({ version: String(1_000 + happened.length * 3), key });
    },
    start: (name, shard) => worker({ name, shard }, maps, (delivery) => deliveries.push(delivery)),
  };
  return maps;
}

function worker({ name, shard }: Pick<Worker, 'name' | 'shard'>, maps: ShardMaps, tell: (delivery: Delivery) => void): Worker {
  const { world, happened, random } = maps;
  const { clock } = world;
  const cable = wire();
  const pod = world.pod(name, shard, { through: cable.through });
  const life = new Subscription();
  let positions: Positions | undefined;
  let inherited: readonly Generation[] = [];
  let cursor = 0;
  let saving: { state(): string } = { state: () => 'saved' };
  let chosen = false;
  let stopping = false;

  const checkpoint = (at: Positions): Checkpoint => {
    const ahead = stillAhead(inherited, at);
    return { ...pod.checkpoint('0'), positions: at, ...(ahead.length === 0 ? {} : { inherited: ahead }) };
  };
  const save = (): void => {
    if (positions !== undefined) saving = pod.save(checkpoint(positions));
  };
  const begin = (): void => {
    const start = pod.start();
    positions = start?.positions ?? { '': { at: 'earliest', incarnation: 0 } };
    inherited = start?.inherited ?? [];
    const at = positions['']?.at ?? 'earliest';
    cursor = at === 'earliest' ? 0 : happened.filter(({ version }) => isAtOrBefore(version, at)).length;
    chosen = start !== undefined;
    if (!chosen) save();
  };
  const deliver = (): void => {
    for (let left = Math.floor(random() * 4 * maps.pace); left > 0; left--) {
      const next = happened[cursor];
      if (next === undefined) return;
      cursor += 1;
      positions = { '': { at: next.version, incarnation: 0 } };
      if (!owns(shard, next.key) || isInherited(inherited, '', next.key, next.version, 0)) continue;
      tell({ version: next.version, pod: name, atMs: clock.now() });
    }
  };
  const over = (): boolean => life.closed || pod.state() === 'SHARD_HELD' || saving.state() === 'SHARD_HELD';
  const again = (step: () => void): void => {
    life.add(clock.scheduler.schedule(step, 50 + random() * 300));
  };
  const work = (): void => {
    if (stopping) return;
    if (pod.state() === 'holding' && !over()) {
      if (positions === undefined) begin();
      if (saving.state() === 'saved') {
        chosen = true;
        if (random() < 0.15) save();
      }
      if (chosen) deliver();
    }
    if (!over()) again(work);
  };
  const crash = (): void => {
    life.unsubscribe();
    pod.crash();
  };
  /** The last save, then the giving up, then the end. */
  const end = (step: 'drain' | 'save' | 'release', state: () => string): void => {
    if (state() === 'saving' || state() === 'releasing') again(() => end(step, state));
    else if (over() || step === 'release') crash();
    else if (step === 'drain') {
      save();
      end('save', saving.state);
    } else end('release', pod.release().state);
  };
  again(work);
  return {
    name,
    shard,
    cable,
    pod,
    isOver: over,
    crash,
    stop() {
      stopping = true;
      again(() => end('drain', saving.state));
    },
  };
}
