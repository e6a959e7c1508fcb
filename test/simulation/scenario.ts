import type { Shard, ShardFunction } from '../../src/model/shard.ts';
import { seededRandom } from '../../src/testing.ts';
import type { LeaseStoreSettings } from '../../src/transports/leaseStore.ts';

/** Every way in which a seed can make things go wrong. */
export const faultKinds = [
  'cut',
  'cutMidLine',
  'silence',
  'refused',
  'tooMany',
  'unavailable',
  'expiredHttp',
  'expiredLine',
  'expiredClose',
  'expiredToken',
  'restore',
  'sinkSlow',
  'sinkOutage',
  'sinkLostAnswer',
  'sinkPartial',
  'sinkRefusal',
  'crash',
  'stop',
  'zombie',
  'leasesUnavailable',
  'leaseAnswerLost',
  'shardChange',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface PlannedFault {
  readonly kind: FaultKind;
  /** Virtual milliseconds since the start. */
  readonly atMs: number;
  readonly lastsMs: number;
  /** Uniform in [0, 1), for whatever the fault has to choose. */
  readonly chance: number;
}

/** What a sink goes by: the key alone, or as Cloud Logging does project, time and key. */
export type SinkKind = 'keyed' | 'cloudLogging';

/** All containers of one set, as they should be from then on. */
export interface ShardMap {
  readonly total: number;
  readonly function: ShardFunction;
}

/** What one seed does: everything that is decided beforehand. */
export interface Scenario {
  readonly seed: number;
  /** The map that it starts with. A shard change goes to the next one. */
  readonly maps: readonly ShardMap[];
  /** The server's version before the first write; some lie where numbers or lengths end. */
  readonly startVersion: string;
  readonly sink: SinkKind;
  readonly streamingLists: boolean;
  readonly ownerLabels: boolean;
  readonly batchesMax: number;
  readonly inFlightMax: number;
  readonly pageItems: number;
  /** Mean time between two pieces of activity in the cluster, in milliseconds. */
  readonly stepMs: number;
  readonly faults: readonly PlannedFault[];
  /** Shortest time between two checkpoints, in milliseconds. */
  readonly saveMs: number;
  /** How leases are kept alive; the slower way leaves more of a seed's time to everything else. */
  readonly leases: Pick<LeaseStoreSettings, 'renewMs' | 'silentMs' | 'lookMs'>;
  /** When activity and faults end, and when the run ends. */
  readonly quietAtMs: number;
  readonly endMs: number;
}

const minuteMs = 60_000;

type LeaseTimes = Scenario['leases'];
const silentMsInProduction = 15_000;
const inProduction: LeaseTimes = {};
const unhurried: LeaseTimes = { renewMs: 20_000, silentMs: 60_000, lookMs: 8_000 };
const slow: LeaseTimes = { renewMs: 30_000, silentMs: 90_000, lookMs: 10_000 };

/** Faults for good and a quiet time after them: an hour in all, and then some. */
export function scenario(seed: number): Scenario {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const map = (): ShardMap => ({
    total: pick([1, 2, 3, 3, 5]),
    function: pick<ShardFunction>(['fnv1a32-mod', 'fnv1a32-mod', 'fnv1a64-range']),
  });
  const [first, second] = [map(), map()];
  const maps = [first, second, random() < 0.5 ? first : map(), map()];
  const quietAtMs = 50 * minuteMs;
  const planned = {
    seed,
    maps,
    startVersion: pick(['90', '9007199254740800', '99999999999999900']),
    sink: sinkOf(seed),
    streamingLists: random() < 0.5,
    ownerLabels: random() < 0.3,
    batchesMax: pick([1, 3, 10]),
    inFlightMax: pick([4, 50, 5_000]),
    pageItems: pick([3, 50, 50, 1_000]),
    stepMs: pick([2_000, 5_000, 10_000]),
    faults: faultKinds.flatMap((kind) => (random() < 0.35 ? plannedFaults(kind, quietAtMs, random) : [])).sort((a, b) => a.atMs - b.atMs),
    saveMs: pick([2_000, 10_000, 10_000]),
    leases: pick([inProduction, unhurried, unhurried, slow, slow]),
    quietAtMs,
    endMs: 65 * minuteMs,
  };
  // Where leases go slowly it takes longer until another may take one.
  const slowness = (planned.leases.silentMs ?? silentMsInProduction) / silentMsInProduction;
  const faults = planned.faults.map((fault) => (fault.kind === 'zombie' ? { ...fault, lastsMs: fault.lastsMs * slowness } : fault));
  // A restored store is found after two watches without a byte, each of up to ten minutes.
  const restoredMs = Math.max(0, ...faults.flatMap(({ kind, atMs, lastsMs }) => (kind === 'restore' ? [atMs + lastsMs] : [])));
  return { ...planned, faults, endMs: Math.max(planned.endMs, restoredMs + 25 * minuteMs) };
}

/** One to three faults of the kind. A store is restored once at most: its second backup would be of the first future. */
function plannedFaults(kind: FaultKind, quietAtMs: number, random: () => number): readonly PlannedFault[] {
  const times = kind === 'restore' ? 1 : 1 + Math.floor(random() * 3);
  return Array.from({ length: times }, () => ({
    kind,
    atMs: Math.round(minuteMs + random() * (quietAtMs - 2 * minuteMs)),
    lastsMs: Math.round(random() * (random() < 0.2 ? 12 : 1) * minuteMs),
    chance: random(),
  }));
}

/** The shards of a map. */
export function shardsOf({ total, function: shardFunction }: ShardMap): readonly Shard[] {
  return Array.from({ length: total }, (_, index) => ({ index, total, function: shardFunction }));
}

/** By turns, and by no chance: a seed goes through the same troubles with either. */
function sinkOf(seed: number): SinkKind {
  return seed % 2 === 0 ? 'cloudLogging' : 'keyed';
}
