import type { Gap } from './change.ts';
import type { ResourceVersion } from './resourceVersion.ts';

/** Decimal digits of the largest 64-bit number: every version has its place, so text order is write order. */
const versionDigits = 20;

/**
 * The key of a revision in the sink. The version comes first because Cloud Logging orders entries of
 * one time by it.
 */
export function insertId(resourceVersion: ResourceVersion, uid: string): string {
  return `${padded(resourceVersion)}.${uid}`;
}

/** The key of a gap record, by its interval and its shard, for each shard speaks for its own. It sorts after all of `from` (a uid is hexadecimal) and before what follows. */
export function gapInsertId({ from, to, shard }: Pick<Gap, 'from' | 'to' | 'shard'>): string {
  return `${padded(from)}.gap-${to}${shard === undefined ? '' : `-${shard.index}-of-${shard.total}`}`;
}

function padded(resourceVersion: ResourceVersion): string {
  return resourceVersion.padStart(versionDigits, '0');
}
