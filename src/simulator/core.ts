import { type Access, access } from './access.ts';
import { accessReview, isAccessReview } from './accessReview.ts';
import { type Answering, answer, expired, faultReply } from './answering.ts';
import { type ExpiredForm, type Faults, faults } from './faults.ts';
import { faultyFeed } from './faultyFeed.ts';
import type { Feed } from './feed.ts';
import type { KindName } from './kinds.ts';
import type { Ambient, GivenObject, PlainObject } from './object.ts';
import { type Reply, statusReply } from './reply.ts';
import { type RequestKind, type Route, route, type SimulatedRequest } from './route.ts';
import { setup } from './setup.ts';
import { type StoreSettings, store, type Write } from './store.ts';
import type { StreamsOnRestore, Watch } from './watching.ts';

/** What the server is like. */
export interface CoreSettings extends StoreSettings {
  /** Minor version of Kubernetes that /version tells. Default 36; below 32 there are no streaming lists. */
  readonly minor?: number;
  /** The feature gate ShardedListAndWatch: lists and watches of a range of hashes. Default off, as in 1.36. */
  readonly shardedLists?: boolean;
  /** The bearer token that is known. Absent: everybody may come in. */
  readonly token?: string;
}

/** One request as it came in, and what became of it. Never a token. */
export interface SeenRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** `events`, `pods`, `leases`, or empty. */
  readonly stream: string;
  readonly on: RequestKind;
  readonly outcome: number | 'refused' | 'hung' | 'lost';
}

/**
 * The simulated API server. It has no sockets and no timers: faces bring it requests and pull the
 * bodies of its answers, whoever drives it writes objects, and `ambient` tells the time.
 */
export interface Core {
  /** Every write ever made, those that a restore undid included. */
  readonly writes: readonly Write[];
  readonly requests: readonly SeenRequest[];
  readonly faults: Faults;
  readonly access: Access;
  now(): number;
  /** Newest version. */
  resourceVersion(): string;
  /** Oldest version that can be listed; empty if nothing was compacted. */
  compactedVersion(): string;
  read(kind: KindName, namespace: string, name: string): PlainObject | undefined;
  /** All objects of a kind, in key order. */
  objects(kind: KindName): readonly PlainObject[];
  /** Adds uid, creationTimestamp (unless given) and resourceVersion. Throws if it exists. */
  create(kind: KindName, object: GivenObject): PlainObject;
  /** Replaces all but identity; the same content again keeps its version. Throws if it does not exist. */
  update(kind: KindName, object: GivenObject): PlainObject;
  /** Throws if it does not exist. */
  remove(kind: KindName, namespace: string, name: string): PlainObject;
  /** Writes of kinds that nobody reads here: only the counter moves. */
  passVersions(count: number): void;
  /** Forgets the history before a version, by default before the newest. */
  compact(upTo?: string): void;
  /** Puts back a backup of `toVersion`. Open streams break unless said otherwise. */
  restore(toVersion: string, streams?: StreamsOnRestore): void;
  /** Sets how watches from a compacted version are refused from now on. Default: an ERROR line. */
  expireAs(kind: 'Event', form: ExpiredForm): void;
  expireAs(kind: 'Pod', form: Exclude<ExpiredForm, 'close'>): void;
  handle(request: SimulatedRequest): Reply;
  /** How many watches are open, of one stream or of all. */
  openStreams(stream?: string): number;
  /** Ends open watches, of one stream or of all, and tells how many. */
  endStreams(how: 'close' | 'reset', stream?: string): number;
  /** Does what time alone brings. Faces call it through the bodies they pull. */
  advance(): void;
  /** When time alone brings something. */
  dueAt(): number | undefined;
}

/** Makes a simulated API server that holds nothing yet. */
export function core(settings: CoreSettings, ambient: Ambient): Core {
  const kept = store(settings, ambient);
  const rules = faults();
  const gate = access(settings.token);
  const furniture = setup(settings.token ?? 'simulated');
  const requests: SeenRequest[] = [];
  const watches = new Map<Feed, { readonly stream: string; readonly watch: Watch }>();
  const forms: Record<KindName, ExpiredForm> = { Event: 'line', Pod: 'line', Lease: 'line', Deployment: 'line' };
  let streamsOnRestore: StreamsOnRestore = 'reset';
  const answering: Answering = {
    store: kept,
    ambient,
    minor: settings.minor ?? 36,
    shards: settings.shardedLists ?? false,
    expiredForm: (kind) => forms[kind],
    onRestore: () => streamsOnRestore,
    opened(stream, watch) {
      watches.set(watch, { stream, watch });
    },
  };
  const answered = (way: Route, request: SimulatedRequest): Reply =>
    isAccessReview(request)
      ? accessReview(request, gate, ambient.now())
      : (furniture.answer(request, ambient.now()) ?? answer(way, request, answering));
  const replyTo = (way: Route, request: SimulatedRequest): Reply => {
    kept.advance();
    const fault = rules.take(way, request);
    if (fault?.type === 'refuse') return { type: 'refused' };
    if (fault?.type === 'hang') return { type: 'hung' };
    if (fault?.type === 'status') return faultReply(fault, ambient.now());
    if (fault?.type === 'expired') return expired(way, request, answering, fault.form);
    const denied = gate.check(way, request);
    const made = denied === undefined ? answered(way, request) : statusReply(denied, ambient.now());
    if (made.type !== 'answer') return made;
    if (fault?.type === 'lost') {
      made.body.cancel();
      watches.delete(made.body);
      return { type: 'lost' };
    }
    const body = untilGone(made.body, () => watches.delete(made.body));
    return { ...made, body: fault === undefined ? body : faultyFeed(body, fault, ambient) };
  };
  const openOf = (stream: string | undefined): Watch[] =>
    [...watches.values()].filter((open) => stream === undefined || open.stream === stream).map(({ watch }) => watch);

  return {
    writes: kept.writes,
    requests,
    faults: rules,
    access: gate,
    now: ambient.now,
    resourceVersion: () => String(kept.version()),
    compactedVersion: () => (kept.compacted() === 0n ? '' : String(kept.compacted())),
    read: kept.read,
    objects(kind) {
      const all = kept.collection(kind);
      return all.keys().flatMap((key) => all.at(key, kept.version())?.object ?? []);
    },
    create: kept.create,
    update: kept.update,
    remove: kept.remove,
    passVersions: kept.passVersions,
    compact: (upTo) => kept.compact(upTo === undefined ? kept.version() : BigInt(upTo)),
    restore(toVersion, streams = 'reset') {
      streamsOnRestore = streams;
      kept.restore(BigInt(toVersion));
    },
    expireAs(kind: KindName, form: ExpiredForm) {
      forms[kind] = form;
    },
    handle(request) {
      const way = route(request);
      const made = replyTo(way, request);
      const { on, stream } = way;
      const { method, path, query, headers } = request;
      const outcome = made.type === 'answer' ? made.status : made.type;
      requests.push({ at: ambient.now(), method, path, query, headers: withoutToken(headers), stream, on, outcome });
      return made;
    },
    openStreams: (stream) => openOf(stream).length,
    endStreams(how, stream) {
      const open = openOf(stream);
      for (const watch of open) {
        watches.delete(watch);
        watch.end(how);
      }
      return open.length;
    },
    advance: kept.advance,
    dueAt: kept.dueAt,
  };
}

/** Calls back once when the body has ended or its reader has gone. */
function untilGone(body: Feed, gone: () => void): Feed {
  return {
    ...body,
    take(bytesMax) {
      const taken = body.take(bytesMax);
      if (taken.type === 'end') gone();
      return taken;
    },
    cancel() {
      body.cancel();
      gone();
    },
  };
}

function withoutToken(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { authorization } = headers;
  return authorization === undefined ? headers : { ...headers, authorization: authorization.replace(/^(\S+) .*$/, '$1 ***') };
}
