/** Keys that the store removes in one go some time after their last write, as etcd does for objects with a lease. */
export interface Expiry {
  /** A key was written: it leaves its old group and joins the one that is filling. */
  renew(key: string, now: number): void;
  forget(key: string): void;
  /** When the oldest group goes. Absent: there is none. */
  dueAt(): number | undefined;
  /** Takes the groups that are due; each list is one burst, in key order. */
  takeDue(now: number): readonly (readonly string[])[];
}

interface Group {
  readonly endsAt: number;
  readonly openUntil: number;
  readonly keys: Set<string>;
}

/** How long one group takes new keys, and how many. Source: the lease manager of k8s.io/apiserver. */
const groupMs = 60_000;
const groupKeysMax = 1000;

/** `ttlMs` is the least time that a key stays; it may be a group's filling time longer. */
export function expiry(ttlMs: number): Expiry {
  const groups: Group[] = [];
  const groupOf = new Map<string, Group>();

  const filling = (now: number): Group => {
    const last = groups.at(-1);
    if (last !== undefined && now < last.openUntil && last.keys.size < groupKeysMax) return last;
    const group = { endsAt: now + ttlMs + groupMs, openUntil: now + groupMs, keys: new Set<string>() };
    groups.push(group);
    return group;
  };

  return {
    renew(key, now) {
      groupOf.get(key)?.keys.delete(key);
      const group = filling(now);
      group.keys.add(key);
      groupOf.set(key, group);
    },
    forget(key) {
      groupOf.get(key)?.keys.delete(key);
      groupOf.delete(key);
    },
    dueAt: () => groups[0]?.endsAt,
    takeDue(now) {
      const bursts: string[][] = [];
      for (let group = groups[0]; group !== undefined && group.endsAt <= now; group = groups[0]) {
        groups.shift();
        const keys = [...group.keys].sort();
        for (const key of keys) groupOf.delete(key);
        if (keys.length > 0) bursts.push(keys);
      }
      return bursts;
    },
  };
}
