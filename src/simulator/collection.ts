import type { Kind } from './kinds.ts';
import type { PlainObject } from './object.ts';
import type { ChangeType, Revision } from './revision.ts';

/** All objects of one kind: the newest revision by key, and the history that compaction has left. */
export interface Collection {
  readonly kind: Kind;
  /** The newest write of a key, a removal included. */
  newest(key: string): Revision | undefined;
  append(write: { type: ChangeType; version: bigint; key: string; object: PlainObject; at: number }): void;
  /** Keys in byte order, removed ones included as long as a version can be read that has them. */
  keys(): readonly string[];
  /** The revision of a key that a reader at `version` sees, if the object exists there. */
  at(key: string, version: bigint): Revision | undefined;
  /** A place in the history: `next` of it is the first write after `version`. */
  after(version: bigint): Revision;
  /** Forgets what no reader at or after `version` sees. Whoever stands further back keeps its own way forward. */
  compact(version: bigint): void;
}

export function collection(kind: Kind): Collection {
  const records = new Map<string, Revision>();
  let entries: Revision[] = [];
  let sorted: string[] = [];
  let added: string[] = [];
  let removed = false;
  // Stands before the first entry.
  let head: Revision = start();
  let tail = head;

  return {
    kind,
    newest: (key) => records.get(key),
    append({ type, version, key, object, at }) {
      const older = records.get(key);
      const before = older === undefined || older.type === 'DELETED' ? undefined : older.object;
      const revision: Revision = { type, version, key, object, before, at, older, next: undefined, full: undefined, partial: undefined };
      tail.next = revision;
      tail = revision;
      entries.push(revision);
      records.set(key, revision);
      if (older === undefined) added.push(key);
    },
    keys() {
      if (removed) sorted = [...records.keys()].sort();
      else if (added.length > 0) sorted = merged(sorted, added.sort());
      removed = false;
      added = [];
      return sorted;
    },
    at(key, version) {
      let revision = records.get(key);
      while (revision !== undefined && revision.version > version) revision = revision.older;
      return revision === undefined || revision.type === 'DELETED' ? undefined : revision;
    },
    after(version) {
      return entries[lowerBound(entries, (entry) => entry.version > version) - 1] ?? head;
    },
    compact(version) {
      const kept = lowerBound(entries, (entry) => entry.version >= version);
      for (const entry of entries) {
        if (entry.version > version) break;
        entry.older = undefined;
        if (entry.type === 'DELETED' && records.get(entry.key) === entry) {
          records.delete(entry.key);
          removed = true;
        }
      }
      head = entries[kept - 1] ?? head;
      entries = entries.slice(kept);
    },
  };
}

function start(): Revision {
  const object = { metadata: {} };
  return {
    type: 'DELETED',
    version: 0n,
    key: '',
    object,
    before: undefined,
    at: 0,
    next: undefined,
    older: undefined,
    full: undefined,
    partial: undefined,
  };
}

/** Index of the first item for which `holds` is true; it must be true for all after it. */
export function lowerBound<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function merged(left: readonly string[], right: readonly string[]): string[] {
  const all: string[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    const [a, b] = [left[l], right[r]];
    if (a === undefined || b === undefined) return all.concat(left.slice(l), right.slice(r));
    if (a < b) {
      all.push(a);
      l++;
    } else {
      all.push(b);
      r++;
    }
  }
}
