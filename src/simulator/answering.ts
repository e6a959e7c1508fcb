import { negotiate, type Shape } from './accept.ts';
import { continueToken, readContinueToken } from './continueToken.ts';
import type { ExpiredForm, Fault } from './faults.ts';
import { wholeFeed } from './feed.ts';
import type { Kind, KindName } from './kinds.ts';
import { listing } from './listing.ts';
import { listOptions } from './listOptions.ts';
import type { Ambient } from './object.ts';
import { type AnswerReply, type Reply, reply, statusReply } from './reply.ts';
import { jsonBytes, lineOf, objectBytes } from './revision.ts';
import { isWrite, type Route, type SimulatedRequest } from './route.ts';
import * as statuses from './statuses.ts';
import type { Store } from './store.ts';
import type { Watch } from './watching.ts';
import { type StreamsOnRestore, watching } from './watching.ts';
import { writing } from './writing.ts';

/** What the answers depend on besides the store. Read at each request, so it may change. */
export interface Answering {
  readonly store: Store;
  readonly ambient: Ambient;
  readonly minor: number;
  readonly shards: boolean;
  /** How a watch from a compacted version is refused. */
  expiredForm(kind: KindName): ExpiredForm;
  onRestore(): StreamsOnRestore;
  /** Told of every stream that is opened. */
  opened(stream: string, watch: Watch): void;
}

/** Streaming lists are on by default from this minor version on. */
const streamingMinor = 32;

/** Answers as the API server does once it has let the request in. */
export function answer(route: Route, request: SimulatedRequest, answering: Answering): Reply {
  const now = answering.ambient.now();
  if (route.on === 'version') return reply(200, wholeFeed(versionBody(answering.minor)), { now });
  const { kind, on } = route;
  if (kind === undefined) return statusReply(statuses.unknownPath, now);
  if (isWrite(on)) return writing({ on, kind, namespace: route.namespace, name: route.name }, request, answering);
  if (request.method !== 'GET') return statusReply(statuses.wrongMethod, now);
  const form = negotiate(request.headers['accept'] ?? '*/*', shapeOf(route));
  if (typeof form !== 'string') return statusReply(form, now);
  if (route.on === 'get') return single(route, kind, form, answering);
  const watch = route.on === 'watch' || route.on === 'watchList';
  const context = {
    kind,
    watch,
    current: answering.store.version(),
    streamingLists: answering.minor >= streamingMinor,
    shards: answering.shards,
  };
  const options = listOptions(request.query, context);
  if ('code' in options) return statusReply(options, now);
  const scope = { kind, namespace: route.namespace, form };
  if (!watch) {
    const page = listing(answering.store, scope, options);
    return 'code' in page ? statusReply(page, now) : reply(200, wholeFeed(...page), { now });
  }
  // The first write that such a watch must tell is at the next version; that one must still be there.
  const needs =
    options.sendInitialEvents === true || options.version === undefined || options.version === 0n ? undefined : options.version + 1n;
  if (needs !== undefined && needs < answering.store.compacted()) return expired(route, request, answering);
  const body = watching(answering.store, scope, options, answering.ambient, answering.onRestore);
  answering.opened(route.stream, body);
  return reply(200, body, { now });
}

/** 410 in the form that is asked for, or in the one that is set. */
export function expired(route: Route, request: SimulatedRequest, answering: Answering, form?: ExpiredForm): AnswerReply {
  const now = answering.ambient.now();
  if (route.on === 'page') {
    const start = readContinueToken(request.query['continue'] ?? '')?.start ?? '\u0000';
    return statusReply(statuses.pageExpired(continueToken({ version: -1n, start })), now);
  }
  if (route.kind === undefined || (route.on !== 'watch' && route.on !== 'watchList')) return statusReply(statuses.listExpired, now);
  switch (form ?? answering.expiredForm(route.kind.kind)) {
    case 'http':
      return statusReply(statuses.versionExpired(request.query['resourceVersion'] ?? '', String(answering.store.version())), now);
    case 'line':
      return reply(200, wholeFeed(lineOf('ERROR', statuses.watchExpired)), { now });
    case 'close':
      return reply(200, wholeFeed(), { now });
  }
}

/** The answer of a fault that needs no answer from the server proper. */
export function faultReply(fault: Extract<Fault, { type: 'status' }>, now: number): AnswerReply {
  const { status, retryAfter, body } = fault;
  if (body !== undefined) return reply(status, wholeFeed(Buffer.from(body)), { now, contentType: 'text/plain; charset=utf-8', retryAfter });
  const seconds = retryAfter !== undefined && /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  return reply(status, wholeFeed(statuses.statusBytes(statuses.unavailable(status, seconds))), { now, retryAfter });
}

function single({ namespace, name }: Route, kind: Kind, form: 'full' | 'partial', { store, ambient }: Answering): AnswerReply {
  const revision = store.collection(kind.kind).at(`${namespace}/${name}`, store.version());
  if (revision === undefined) return statusReply(statuses.notFound(kind, name), ambient.now());
  return reply(200, wholeFeed(objectBytes(revision, form), Buffer.from('\n')), { now: ambient.now() });
}

function shapeOf({ on }: Route): Shape {
  if (on === 'get') return 'object';
  return on === 'watch' || on === 'watchList' ? 'watch' : 'list';
}

function versionBody(minor: number): Buffer {
  return jsonBytes({ major: '1', minor: String(minor), gitVersion: `v1.${minor}.2`, gitTreeState: 'clean', platform: 'linux/amd64' });
}
