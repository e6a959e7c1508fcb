import { isDeepStrictEqual } from 'node:util';
import { type Collection, collection, lowerBound } from './collection.ts';
import { type Expiry, expiry } from './expiry.ts';
import { type KindName, kinds, laidOut } from './kinds.ts';
import { type Ambient, type GivenObject, type PlainObject, secondsText, uuid } from './object.ts';
import type { ChangeType } from './revision.ts';

/** Where versions begin, and how long Events live. */
export interface StoreSettings {
  /** The version before the first write. Default 1. */
  readonly resourceVersion?: string;
  /** Least life of an Event after its last write, in milliseconds. Default one hour. */
  readonly eventTtlMs?: number;
  /**
   * Every so often the history before the last such time is compacted. A real server does it every
   * 300,000 ms, which leaves 5 to 10 minutes. Default 0: only `compact` does.
   */
  readonly compactEveryMs?: number;
}

/** One write, kept for ever: what a verdict is made against. */
export interface Write {
  readonly type: ChangeType;
  readonly resourceVersion: string;
  readonly kind: KindName;
  /** As a watch tells it. */
  readonly object: PlainObject;
  readonly at: number;
  /** How often the store went back in time before this write. */
  readonly incarnation: number;
}

/** Hears of writes of its kind, and of the store going back in time. */
export interface Listener {
  readonly kind: KindName;
  written(): void;
  restored(): void;
}

/** The simulated etcd: one counter for everything, objects by key, history until it is compacted. */
export interface Store {
  readonly writes: readonly Write[];
  version(): bigint;
  /** Older versions can be neither listed nor watched. */
  compacted(): bigint;
  collection(kind: KindName): Collection;
  /** Newest state of one object. */
  read(kind: KindName, namespace: string, name: string): PlainObject | undefined;
  create(kind: KindName, object: GivenObject): PlainObject;
  /** Writes the object anew under its uid; the same content again changes nothing. */
  update(kind: KindName, object: GivenObject): PlainObject;
  remove(kind: KindName, namespace: string, name: string): PlainObject;
  /** Writes of kinds that nobody here reads, which move the counter all the same. */
  passVersions(count: number): void;
  compact(upTo: bigint): void;
  /** Puts back a backup taken at `toVersion`: later writes are gone and their versions are given again. */
  restore(toVersion: bigint): void;
  /** Does what time alone brings: expiry and compaction. */
  advance(): void;
  /** When time alone brings something. */
  dueAt(): number | undefined;
  /** Listens until the answer is called. */
  listen(listener: Listener): () => void;
}

const eventTtlMsDefault = 3_600_000;

export function store(settings: StoreSettings, ambient: Ambient): Store {
  const compactEveryMs = settings.compactEveryMs ?? 0;
  const writes: Write[] = [];
  const listeners = new Set<Listener>();
  let history: Write[] = []; // The writes that the present state is made of.
  let version = BigInt(settings.resourceVersion ?? '1');
  let compacted = 0n;
  let incarnation = 0;
  let compactionMark = version;
  let compactionAt = compactEveryMs > 0 ? ambient.now() + compactEveryMs : undefined;
  let { collections, lives } = empty(settings);

  const append = (kind: KindName, type: ChangeType, at: number, key: string, object: PlainObject): void => {
    collections[kind].append({ type, version, key, object, at });
    if (kinds[kind].expires) {
      if (type === 'DELETED') lives.forget(key);
      else lives.renew(key, at);
    }
  };
  const write = (kind: KindName, type: ChangeType, key: string, object: PlainObject): void => {
    const at = ambient.now();
    append(kind, type, at, key, object);
    const entry: Write = { type, resourceVersion: String(version), kind, object, at, incarnation };
    writes.push(entry);
    history.push(entry);
  };
  const tell = (kind: KindName): void => {
    for (const listener of [...listeners]) if (listener.kind === kind) listener.written();
  };
  const present = (kind: KindName, key: string): PlainObject | undefined => {
    const newest = collections[kind].newest(key);
    return newest === undefined || newest.type === 'DELETED' ? undefined : newest.object;
  };
  const removeAll = (kind: KindName, keys: readonly string[]): void => {
    version += 1n;
    for (const key of keys) {
      const object = present(kind, key);
      if (object !== undefined) write(kind, 'DELETED', key, versioned(kind, object, version));
    }
    tell(kind);
  };
  const self: Store = {
    writes,
    version: () => version,
    compacted: () => compacted,
    collection: (kind) => collections[kind],
    read: (kind, namespace, name) => present(kind, `${namespace}/${name}`),
    create(kind, given) {
      self.advance();
      const key = keyOf(given);
      if (present(kind, key) !== undefined) throw new Error(`${kind} ${key} exists already`);
      version += 1n;
      const born = { uid: uuid(ambient.random), creationTimestamp: secondsText(ambient.now()) };
      const metadata = { namespace: 'default', ...born, ...given.metadata, resourceVersion: String(version) };
      const object = laidOut(kinds[kind], { ...given }, metadata);
      write(kind, 'ADDED', key, object);
      tell(kind);
      return object;
    },
    update(kind, given) {
      self.advance();
      const key = keyOf(given);
      const before = present(kind, key);
      if (before === undefined) throw new Error(`${kind} ${key} does not exist`);
      const { namespace, uid, creationTimestamp, resourceVersion } = before.metadata;
      const kept = { namespace, uid, creationTimestamp, resourceVersion };
      const object = laidOut(kinds[kind], { ...given }, { ...given.metadata, ...kept });
      if (isDeepStrictEqual(object, before)) return before;
      version += 1n;
      const after = versioned(kind, object, version);
      write(kind, 'MODIFIED', key, after);
      tell(kind);
      return after;
    },
    remove(kind, namespace, name) {
      self.advance();
      const key = `${namespace}/${name}`;
      const object = present(kind, key);
      if (object === undefined) throw new Error(`${kind} ${key} does not exist`);
      removeAll(kind, [key]);
      return object;
    },
    passVersions(count) {
      self.advance();
      version += BigInt(count);
    },
    compact(upTo) {
      if (upTo > version) throw new Error(`cannot compact to ${upTo}, the store is at ${version}`);
      if (upTo <= compacted) return;
      compacted = upTo;
      for (const kind of kindNames()) collections[kind].compact(upTo);
    },
    restore(toVersion) {
      if (toVersion < 0n || toVersion > version) throw new Error(`no backup of ${toVersion}, the store is at ${version}`);
      history = history.slice(
        0,
        lowerBound(history, ({ resourceVersion }) => BigInt(resourceVersion) > toVersion),
      );
      ({ collections, lives } = empty(settings));
      for (const { kind, type, object, resourceVersion } of history) {
        version = BigInt(resourceVersion);
        append(kind, type, ambient.now(), keyOf(object), object); // Leases of a restored store start anew.
      }
      version = toVersion;
      compactionMark = toVersion;
      const floor = compacted < toVersion ? compacted : toVersion;
      compacted = 0n;
      self.compact(floor);
      incarnation += 1;
      for (const listener of [...listeners]) listener.restored();
    },
    advance() {
      const now = ambient.now();
      for (const burst of lives.takeDue(now)) removeAll('Event', burst);
      while (compactionAt !== undefined && compactionAt <= now) {
        self.compact(compactionMark);
        compactionMark = version;
        compactionAt += compactEveryMs;
      }
    },
    dueAt: () => earliest(lives.dueAt(), compactionAt),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return self;
}

function empty(settings: StoreSettings): { collections: Record<KindName, Collection>; lives: Expiry } {
  return {
    collections: {
      Event: collection(kinds.Event),
      Pod: collection(kinds.Pod),
      Lease: collection(kinds.Lease),
      Deployment: collection(kinds.Deployment),
    },
    lives: expiry(settings.eventTtlMs ?? eventTtlMsDefault),
  };
}

function kindNames(): KindName[] {
  return Object.keys(kinds) as KindName[];
}

function keyOf({ metadata }: GivenObject): string {
  if (metadata.name === undefined || metadata.name === '') throw new Error('an object needs metadata.name');
  return `${metadata.namespace ?? 'default'}/${metadata.name}`;
}

function versioned(kind: KindName, object: PlainObject, version: bigint): PlainObject {
  return laidOut(kinds[kind], object, { ...object.metadata, resourceVersion: String(version) });
}

/** The smaller of two times that may not come. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
