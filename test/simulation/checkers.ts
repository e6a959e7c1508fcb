import type { EventObject } from '../../src/model/kube.ts';
import { owns, shardKey } from '../../src/model/shard.ts';
import type { Write } from '../../src/testing.ts';
import { declaredGaps, isCovered } from './declaredGaps.ts';
import { type SavedCheckpoint, shardName, shardOfName } from './life.ts';
import { type FaultKind, shardsOf } from './scenario.ts';
import type { World } from './world.ts';

/** One broken promise, in words. */
export type Broken = string;

/** What the server wrote, as the checkers need it. */
export interface Expected {
  readonly write: Write;
  readonly id: string;
  readonly version: bigint;
  readonly key: string;
}

/** Holds everything against the log of writes. Knows nothing of how the pipeline works. */
export function check(world: World): Broken[] {
  const expected = expectedOf(world);
  return [
    ...onceEach(expected, world),
    ...inventedNothing(expected, world),
    ...shownOnce(expected, world),
    ...saysTheSame(expected, world),
    ...neverPassedOpen(expected, world),
    ...neverWentBack(world),
    ...withinLimit(world),
    ...sentOnce(world),
    ...neverAfterTheHandOver(world),
    ...neverAfterItsAnswer(world),
    ...caughtUp(world),
    ...balanced(world),
    ...noHotLoop(world),
    ...nothingFailed(world),
    ...world.witnessed,
  ];
}

function expectedOf({ server }: World): Expected[] {
  return server.writes
    .filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED')
    .map((write) => {
      const { uid = '', namespace = '', name = '', kind = '' } = write.object['involvedObject'] as Record<string, string>;
      const key = shardKey({ involved: { uid, namespace, name, kind } });
      const id = `${write.resourceVersion.padStart(20, '0')}.${write.object.metadata.uid}`;
      return { write, id, version: BigInt(write.resourceVersion), key };
    });
}

/** Each revision is stored or refused, or lies inside a gap that an owner declared. */
function onceEach(expected: readonly Expected[], world: World): Broken[] {
  const gaps = declaredGaps(world);
  return expected
    .filter(({ id }) => !world.sink.stored.has(id) && !world.sink.refused.has(id))
    .filter((one) => !isCovered(one, gaps, world))
    .map(({ id, write }) => `lost: ${id} (${write.type}, incarnation ${write.incarnation})`);
}

function inventedNothing(expected: readonly Expected[], { sink }: World): Broken[] {
  const keys = new Map(expected.map(({ id, key }) => [id, key]));
  return [...sink.stored].flatMap(([id, { entry, shard }]) => {
    if (entry.action === 'GAP') return [];
    const key = keys.get(id);
    if (key === undefined) return [`invented: ${id} was never written`];
    return owns(shardOfName(shard), key) ? [] : [`misplaced: ${id} was stored by ${shard}`];
  });
}

/** However often an entry was sent and stored, who reads the sink sees it once. */
function shownOnce(expected: readonly Expected[], { sink }: World): Broken[] {
  const shown = new Set<string>();
  const twice = writtenTwice(expected);
  return sink.shown().flatMap((id) => (shown.size < shown.add(id).size || twice.has(id) ? [] : [`shown twice: ${id}`]));
}

/** Uid and version came again after a restore: to any sink it is the same revision. */
function writtenTwice(expected: readonly Expected[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(expected.flatMap(({ id }) => (seen.size === seen.add(id).size ? [id] : [])));
}

/** Whatever is sent, and however often: the entry bears the Event's time and is the same each time. */
function saysTheSame(expected: readonly Expected[], { sink }: World): Broken[] {
  const twice = writtenTwice(expected);
  const wrong = expected.flatMap(({ id, write }) => {
    if (twice.has(id)) return [];
    const entry = sink.stored.get(id)?.entry;
    if (entry === undefined || Date.parse(entry.timestamp) === Date.parse(timeOf(write))) return [];
    return [`time: ${id} is stored with ${entry.timestamp}, the Event says ${timeOf(write)}`];
  });
  const changed = [...sink.changed].filter((id) => !twice.has(id));
  return [...wrong, ...changed.map((id) => `changed: ${id} was sent again with another time or content`)];
}

function timeOf({ object }: Write): string {
  const { lastTimestamp, eventTime, series } = object as unknown as EventObject;
  return lastTimestamp ?? series?.lastObservedTime ?? eventTime ?? '';
}

/** When a position was saved, everything owned up to it had ended. */
function neverPassedOpen(expected: readonly Expected[], world: World): Broken[] {
  const gaps = declaredGaps(world);
  return world.lives.flatMap(({ shard, name, checkpoints }) => {
    const passing = checkpoints.flatMap(({ atMs, checkpoint: { positions } }) => {
      const position = positions[''];
      return position === undefined || position.at === 'earliest'
        ? []
        : [{ atMs, incarnation: position.incarnation, at: BigInt(position.at) }];
    });
    return expected.flatMap((one) => {
      if (!owns(shard, one.key)) return [];
      const passed = firstPassing(passing, one);
      if (passed === undefined) return [];
      const [stored, refused] = [world.sink.stored.get(one.id)?.atMs, world.sink.refused.get(one.id)];
      const endedAt = Math.min(stored ?? Number.POSITIVE_INFINITY, refused ?? Number.POSITIVE_INFINITY);
      if (endedAt <= passed.atMs || isCovered(one, gaps, world)) return [];
      return [`passed: the position of ${name} went past ${one.id} before it had ended`];
    });
  });
}

interface Passing {
  readonly atMs: number;
  readonly incarnation: number;
  readonly at: bigint;
}

/** The first saved position at or past the revision, by halving: positions of one process only rise. */
function firstPassing(passing: readonly Passing[], { write, version }: Expected): Passing | undefined {
  const isShort = ({ incarnation, at }: Passing): boolean =>
    incarnation < write.incarnation || (incarnation === write.incarnation && at < version);
  let [low, high] = [0, passing.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isShort(passing[middle] as Passing)) low = middle + 1;
    else high = middle;
  }
  return passing[low]?.incarnation === write.incarnation ? passing[low] : undefined;
}

function neverWentBack({ lives }: World): Broken[] {
  return lives.flatMap(({ name, checkpoints }) => {
    const positions = checkpoints.map(({ checkpoint }) => checkpoint.positions['']);
    return positions.slice(1).flatMap((position, before) => {
      const last = positions[before];
      if (position === undefined || last === undefined || position.incarnation > last.incarnation) return [];
      const back = position.incarnation < last.incarnation || rank(position.at) < rank(last.at);
      return back ? [`went back: ${name} from ${last.at} to ${position.at}`] : [];
    });
  });
}

function rank(at: string): bigint {
  return at === 'earliest' ? 0n : BigInt(at);
}

/** A chunk may bring a few more than the limit before the reader can stop. */
const chunkOccurrencesMax = 64;

function withinLimit({ scenario: { inFlightMax }, lives }: World): Broken[] {
  return lives
    .filter(({ inFlightMost }) => inFlightMost() > inFlightMax + chunkOccurrencesMax)
    .map(({ name, inFlightMost }) => `over the limit: ${name} had ${inFlightMost()} in flight`);
}

const resending: ReadonlySet<FaultKind> = new Set(['crash', 'zombie', 'restore', 'sinkLostAnswer', 'sinkOutage', 'sinkPartial']);
/** With a slow sink a drain may end before its answers come. */
const draining: ReadonlySet<FaultKind> = new Set(['stop', 'shardChange']);

/** Where nothing made it necessary, nothing was sent twice. */
function sentOnce({ scenario: { faults }, sink, lives }: World): Broken[] {
  // Who ends in the midst of a list all the same leaves the position before it.
  if (lives.some(({ endedListing }) => endedListing())) return [];
  const has = (kinds: ReadonlySet<FaultKind>): boolean => faults.some(({ kind }) => kinds.has(kind));
  if (has(resending) || (has(draining) && has(new Set(['sinkSlow'])))) return [];
  return [...sink.sends].filter(([, times]) => times > 1).map(([id, times]) => `sent ${times} times without need: ${id}`);
}

/** Who has the answer that an entry is stored never sends it again. A restored store makes it forget. */
function neverAfterItsAnswer({ scenario: { faults }, sink }: World): Broken[] {
  if (faults.some(({ kind }) => kind === 'restore')) return [];
  return [...sink.resent].map((id) => `resent: ${id} was sent again by a process that knew it to be stored`);
}

/** Who ends in order hands on what it knows: nobody sends again what it had the answer for. A restored store makes all forget. */
function neverAfterTheHandOver({ scenario: { faults }, sink }: World): Broken[] {
  if (faults.some(({ kind }) => kind === 'restore')) return [];
  return [...sink.repeated].map((id) => `repeated: ${id} was sent again after an orderly end that knew it to be stored`);
}

/** Once all faults are over, the positions reach the newest revision. */
function caughtUp(world: World): Broken[] {
  // Events that end by age right before the end may find a reader that is just about to look again.
  const looksBy = world.runtime.scheduler.now() - 120_000;
  const newest = world.server.writes.findLast(({ kind, at }) => kind === 'Event' && at <= looksBy)?.resourceVersion ?? '0';
  return shardsOf(world.map()).flatMap((shard) => {
    const name = shardName(shard);
    const saved = world.lives.filter((life) => life.name === name).flatMap(({ checkpoints }) => checkpoints);
    const last = saved.reduce<SavedCheckpoint | undefined>((a, b) => (a === undefined || b.atMs >= a.atMs ? b : a), undefined);
    const at = last?.checkpoint.positions['']?.at ?? 'earliest';
    return rank(at) >= BigInt(newest) ? [] : [`behind: ${name} ended at ${at}, the newest revision is ${newest}`];
  });
}

function balanced({ lives }: World): Broken[] {
  return lives.flatMap(({ name, counts, end }) => {
    if (end() !== undefined && end() !== 'stopped') return [];
    const { received, stored, refused, filtered, repeated, inFlight } = counts;
    if (received === stored + refused + filtered + repeated + inFlight) return [];
    const sum = `${stored} stored, ${refused} refused, ${filtered} filtered, ${repeated} repeated, ${inFlight} in flight`;
    return [`unbalanced: ${name} received ${received}, but ${sum}`];
  });
}

const attemptsPerMinuteMax = 60;

function noHotLoop({ server, lives }: World): Broken[] {
  const perMinute = new Map<string, number>();
  for (const { at, on, stream } of server.requests) {
    if (on === 'page' || on === 'get') continue;
    const minute = `${stream} in minute ${Math.floor(at / 60_000)}`;
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
  }
  const most = Math.max(...lives.map(({ shard }) => shard.total)) * 2 * attemptsPerMinuteMax;
  return [...perMinute].filter(([, times]) => times > most).map(([minute, times]) => `hot loop: ${times} requests for ${minute}`);
}

function nothingFailed({ lives }: World): Broken[] {
  return lives.filter(({ end }) => end() === 'failed').map(({ name, failure }) => `failed: ${name}: ${failure()}`);
}
