import { owns, type Shard } from '../../src/model/shard.ts';
import type { Expected } from './checkers.ts';
import { shardOfName } from './life.ts';
import type { World } from './world.ts';

interface DeclaredGap {
  readonly shard: Shard;
  readonly cause: string;
  readonly from: bigint;
  readonly to: bigint;
}

/** The gap records that the sink holds. */
export function declaredGaps({ sink }: World): DeclaredGap[] {
  return [...sink.stored.values()]
    .filter(({ entry }) => entry.action === 'GAP')
    .map(({ shard, entry: { payload } }) => ({
      shard: shardOfName(shard),
      cause: String(payload['cause']),
      from: BigInt(String(payload['from'])),
      to: BigInt(String(payload['to'])),
    }));
}

/**
 * True if the owner has said that this revision may be missing. For a restored store these are the undone
 * writes that it had not read, and those that came before it read the store again.
 */
export function isCovered({ write, version, key }: Expected, gaps: readonly DeclaredGap[], world: World): boolean {
  const own = gaps.filter(({ shard }) => owns(shard, key));
  const undone = world.server.writes.at(-1)?.incarnation !== 0 && write.incarnation === 0;
  const restored = own.find(({ cause }) => cause === 'restored');
  if (restored !== undefined && (undone ? version > restored.from : write.incarnation === 1 && version <= restored.to)) return true;
  if (restored === undefined && isUnseenRestore(write.incarnation, version, world)) return true;
  return own.some(({ cause, from, to }) => cause !== 'restored' && version > from && version <= to);
}

/**
 * A store that outgrows a reader's position before the reader looks again cannot be told from one that was
 * never restored. docs/delivery.md says so; no exporter that works by versions can do better.
 */
function isUnseenRestore(incarnation: number, version: bigint, { server }: World): boolean {
  const before = server.writes.findLast((write) => write.incarnation === 0);
  const restored = server.writes.at(-1)?.incarnation === 1;
  if (!restored || before === undefined) return false;
  return incarnation === 0 || version <= BigInt(before.resourceVersion) + 400n;
}
