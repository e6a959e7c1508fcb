import { insertId } from '../../src/model/insertId.ts';
import { shardIndex, shardKey } from '../../src/model/shard.ts';
import type { Write } from '../../src/testing.ts';
import { declaredGaps, isCovered } from './declaredGaps.ts';
import type { Scenario } from './scenario.ts';
import type { Process, World } from './world.ts';

/** One broken promise, in words. */
export type Broken = string;

/** What the server wrote, as the checkers need it. */
export interface Expected {
  readonly write: Write;
  readonly id: string;
  readonly version: bigint;
  /** Who owns it. */
  readonly process: Process;
}

/** Holds everything against the log of writes. Knows nothing of how the pipeline works. */
export function check(scenario: Scenario, world: World): Broken[] {
  const expected = expectedOf(scenario, world);
  return [
    ...onceEach(expected, world),
    ...inventedNothing(expected, world),
    ...neverPassedOpen(expected, world),
    ...neverWentBack(world),
    ...withinLimit(scenario, world),
    ...sentOnce(scenario, world),
    ...caughtUp(expected, world),
    ...balanced(world),
    ...noHotLoop(scenario, world),
    ...world.processes.flatMap(({ failures }) => failures.map((failure) => `a pipeline failed: ${failure}`)),
  ];
}

function expectedOf({ shards }: Scenario, { server, processes }: World): Expected[] {
  const { total = 1, function: shardFunction } = shards[0] ?? {};
  return server.writes
    .filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED')
    .map((write) => {
      const { uid = '', namespace = '', name = '', kind = '' } = write.object['involvedObject'] as Record<string, string>;
      const index = shardIndex(shardKey({ involved: { uid, namespace, name, kind } }), total, shardFunction);
      const id = insertId(write.resourceVersion, write.object.metadata.uid ?? '');
      return { write, id, version: BigInt(write.resourceVersion), process: processes[index] as Process };
    });
}

/** Each owned revision is stored or refused, or lies inside a declared gap. */
function onceEach(expected: readonly Expected[], world: World): Broken[] {
  const gaps = declaredGaps(world);
  return expected
    .filter(({ id }) => !world.sink.stored.has(id) && !world.sink.refused.has(id))
    .filter((one) => !isCovered(one, gaps, world))
    .map(({ id, process, write }) => `lost: ${id} of shard ${process.shard.index} (${write.type}, incarnation ${write.incarnation})`);
}

function inventedNothing(expected: readonly Expected[], { sink }: World): Broken[] {
  const written = new Set(expected.map(({ id }) => id));
  const owners = new Map(expected.map(({ id, process }) => [id, `shard ${process.shard.index}/${process.shard.total}`]));
  return [...sink.stored].flatMap(([id, { entry, shard }]) => {
    if (entry.action === 'GAP') return [];
    if (!written.has(id)) return [`invented: ${id} was never written`];
    return owners.get(id) === shard ? [] : [`misplaced: ${id} was stored by ${shard}`];
  });
}

/** When a position was saved, everything owned up to it had ended. */
function neverPassedOpen(expected: readonly Expected[], world: World): Broken[] {
  const gaps = declaredGaps(world);
  return expected.flatMap((one) => {
    const { id, process, version, write } = one;
    const passed = process.checkpoints.find(({ checkpoint }) => {
      const position = checkpoint.positions[''];
      return (
        position !== undefined && position.at !== 'earliest' && position.incarnation === write.incarnation && BigInt(position.at) >= version
      );
    });
    if (passed === undefined) return [];
    const endedAt = world.sink.stored.get(id)?.atMs ?? world.sink.refused.get(id) ?? Number.POSITIVE_INFINITY;
    if (endedAt <= passed.atMs || isCovered(one, gaps, world)) return [];
    return [`passed: the position went past ${id} of shard ${process.shard.index} before it had ended`];
  });
}

function neverWentBack({ processes }: World): Broken[] {
  return processes.flatMap(({ shard, checkpoints }) => {
    const positions = checkpoints.map(({ checkpoint }) => checkpoint.positions['']);
    return positions.slice(1).flatMap((position, before) => {
      const last = positions[before];
      if (position === undefined || last === undefined || position.incarnation > last.incarnation) return [];
      const back = position.incarnation < last.incarnation || rank(position.at) < rank(last.at);
      return back ? [`went back: shard ${shard.index} from ${last.at} to ${position.at}`] : [];
    });
  });
}

function rank(at: string): bigint {
  return at === 'earliest' ? 0n : BigInt(at);
}

/** A chunk may bring a few more than the limit before the reader can stop. */
const chunkOccurrencesMax = 64;

function withinLimit({ inFlightMax }: Scenario, { processes }: World): Broken[] {
  return processes
    .filter(({ inFlightMost }) => inFlightMost > inFlightMax + chunkOccurrencesMax)
    .map(({ shard, inFlightMost }) => `over the limit: shard ${shard.index} had ${inFlightMost} in flight`);
}

const resending = new Set(['crash', 'restore', 'sinkLostAnswer', 'sinkOutage', 'sinkPartial']);

/** Where nothing made it necessary, nothing was sent twice. */
function sentOnce({ faults }: Scenario, { sink }: World): Broken[] {
  if (faults.some(({ kind }) => resending.has(kind))) return [];
  return [...sink.sends].filter(([, times]) => times > 1).map(([id, times]) => `sent ${times} times without need: ${id}`);
}

/** Once all faults are over, the positions reach the newest revision. */
function caughtUp(_: readonly Expected[], { processes, server }: World): Broken[] {
  const newest = server.writes.findLast(({ kind }) => kind === 'Event')?.resourceVersion ?? '0';
  return processes.flatMap(({ shard, checkpoints }) => {
    const at = checkpoints.at(-1)?.checkpoint.positions['']?.at ?? 'earliest';
    return rank(at) >= BigInt(newest) ? [] : [`behind: shard ${shard.index} ended at ${at}, the newest revision is ${newest}`];
  });
}

function balanced({ processes }: World): Broken[] {
  return processes.flatMap(({ shard, counts }) => {
    const { received, stored, refused, filtered, repeated, inFlight } = counts();
    if (received === stored + refused + filtered + repeated + inFlight) return [];
    const sum = `${stored} stored, ${refused} refused, ${filtered} filtered, ${repeated} repeated, ${inFlight} in flight`;
    return [`unbalanced: shard ${shard.index} received ${received}, but ${sum}`];
  });
}

const attemptsPerMinuteMax = 60;

function noHotLoop({ shards }: Scenario, { server }: World): Broken[] {
  const perMinute = new Map<number, number>();
  for (const { at, on } of server.requests) {
    if (on !== 'watch' && on !== 'list' && on !== 'watchList') continue;
    const minute = Math.floor(at / 60_000);
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
  }
  const most = Math.max(0, ...perMinute.values());
  return most > attemptsPerMinuteMax * shards.length ? [`hot loop: ${most} lists and watches in one minute`] : [];
}
