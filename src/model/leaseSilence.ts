import type { ShardLease } from './shardLease.ts';

/** What was seen when leases were last looked at. */
export interface Looks {
  /** By the watcher's own clock, in milliseconds. */
  readonly lookedAtMs: number;
  readonly byUid: ReadonlyMap<string, { readonly spec: string; readonly unchangedMs: number }>;
}

/**
 * Takes note of leases as they are now. Only time that was looked at counts: at most `betweenMsMax` from one look to
 * the next, so neither a clock that jumps nor a process that slept makes a holder look dead. After a look that
 * failed, start anew with undefined: whoever could not look cannot tell, and the holder could not renew either.
 * What counts as a change is the spec, so others may touch labels and annotations without keeping a dead holder alive.
 */
export function look(before: Looks | undefined, leases: readonly ShardLease[], nowMs: number, betweenMsMax: number): Looks {
  const passedMs = before === undefined ? 0 : Math.min(Math.max(nowMs - before.lookedAtMs, 0), betweenMsMax);
  const entries = leases.map(({ uid, object }) => {
    const spec = JSON.stringify(object.spec ?? {});
    const known = before?.byUid.get(uid);
    return [uid, { spec, unchangedMs: known?.spec === spec ? known.unchangedMs + passedMs : 0 }] as const;
  });
  return { lookedAtMs: nowMs, byUid: new Map(entries) };
}

/** For how long a lease has been seen unchanged, in milliseconds. */
export function unchangedMs({ byUid }: Looks, { uid }: ShardLease): number {
  return byUid.get(uid)?.unchangedMs ?? 0;
}
