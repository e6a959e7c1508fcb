export interface TimedSetSettings {
  /** How long a key is kept, in milliseconds. Infinity: until the limit pushes it out. */
  readonly keepMs: number;
  /** How many keys are kept; one more pushes the oldest out. */
  readonly keptMax: number;
}

/** Keys that leave by themselves: after a time, or as the oldest of too many. Time is told by the caller. */
export interface TimedSet<K> {
  size(): number;
  has(key: K): boolean;
  /** Adds the key as the newest, also if it is there. */
  add(key: K, nowMs: number): void;
  delete(key: K): void;
  /** Takes out and returns what has had its time or is over the limit, oldest first. */
  takeLeaving(nowMs: number): readonly K[];
}

const nobody: readonly never[] = [];

export function timedSet<K>({ keepMs, keptMax }: TimedSetSettings): TimedSet<K> {
  /** A Map keeps insertion order, so the oldest is its first. */
  const addedAt = new Map<K, number>();
  return {
    size: () => addedAt.size,
    has: (key) => addedAt.has(key),
    add(key, nowMs) {
      addedAt.delete(key);
      addedAt.set(key, nowMs);
    },
    delete: (key) => void addedAt.delete(key),
    takeLeaving(nowMs) {
      if (addedAt.size === 0) return nobody;
      const leaving: K[] = [];
      for (const [key, atMs] of addedAt) {
        if (addedAt.size <= keptMax && nowMs - atMs < keepMs) break;
        addedAt.delete(key);
        leaving.push(key);
      }
      return leaving;
    },
  };
}
