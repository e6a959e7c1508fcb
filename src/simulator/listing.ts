import { lowerBound } from './collection.ts';
import { type ContinuePoint, continueToken, readContinueToken } from './continueToken.ts';
import type { Kind } from './kinds.ts';
import type { ListOptions } from './listOptions.ts';
import { type Form, objectBytes, type Revision } from './revision.ts';
import { badRequest, listExpired, pageExpired, type StatusBody } from './statuses.ts';
import type { Store } from './store.ts';

/** What a list or a streaming list reads: the objects of one namespace (all when empty) at one version. */
export interface Scope {
  readonly kind: Kind;
  readonly namespace: string;
  readonly form: Form;
}

/** Answers one page, or the Status that says why not. */
export function listing(store: Store, scope: Scope, options: ListOptions): readonly Uint8Array[] | StatusBody {
  const point = startOf(store, options);
  if ('status' in point) return point;
  const limitless = options.limit === 0 || (scope.kind.cached && options.version === 0n && options.continue === '');
  const limit = limitless ? Number.POSITIVE_INFINITY : options.limit;
  const version = point.version < 0n ? store.version() : point.version;
  const items: Revision[] = [];
  let next: string | undefined;
  let remaining = 0;
  for (const revision of walk(store, scope, version, point.start)) {
    if (items.length < limit) {
      if (options.matches(revision.object)) items.push(revision);
    } else {
      next ??= continueToken({ version, start: `${items.at(-1)?.key}\u0000` });
      // Counting is for lists without selectors only; with one, another match is not sure to come.
      if (options.selects) break;
      remaining += 1;
    }
  }
  return page(scope, options.shard, version, items, next, remaining);
}

/** The objects that exist at a version, in key order, from a key on. */
export function* walk(store: Store, { kind, namespace }: Scope, version: bigint, start: string): Generator<Revision> {
  const all = store.collection(kind.kind);
  const keys = all.keys();
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const from = start > prefix ? start : prefix;
  for (let at = lowerBound(keys, (key) => key >= from); at < keys.length; at++) {
    const key = keys[at];
    if (key === undefined || !key.startsWith(prefix)) return;
    const revision = all.at(key, version);
    if (revision !== undefined) yield revision;
  }
}

function startOf(store: Store, options: ListOptions): ContinuePoint | StatusBody {
  if (options.continue !== '') {
    const point = readContinueToken(options.continue);
    if (point === undefined) return badRequest('invalid continue token: continue key is not valid');
    // A token of a store that was restored meanwhile names a version that has not come yet: etcd has no such revision.
    if (point.version >= store.compacted() && point.version <= store.version()) return point;
    return point.version < 0n ? point : pageExpired(continueToken({ version: -1n, start: point.start }));
  }
  // A limit gives a version without a match the meaning of Exact. Source: kubernetes.io, "Kubernetes API Concepts".
  const exact = options.match === 'Exact' || (options.match === '' && options.limit > 0);
  if (!exact || options.version === undefined || options.version === 0n) return { version: store.version(), start: '' };
  return options.version < store.compacted() ? listExpired : { version: options.version, start: '' };
}

const [open, comma, close] = [Buffer.from('{'), Buffer.from(','), Buffer.from(']}\n')];

function page(
  { kind, form }: Scope,
  shard: string | undefined,
  version: bigint,
  items: readonly Revision[],
  next: string | undefined,
  remaining: number,
): readonly Uint8Array[] {
  const metadata = {
    resourceVersion: String(version),
    ...(next === undefined ? {} : { continue: next }),
    ...(remaining === 0 ? {} : { remainingItemCount: remaining }),
    ...(shard === undefined ? {} : { shardInfo: { selector: shard } }),
  };
  const [name, apiVersion] = form === 'full' ? [`${kind.kind}List`, kind.apiVersion] : ['PartialObjectMetadataList', 'meta.k8s.io/v1'];
  const pieces: Uint8Array[] = [
    Buffer.from(`{"kind":"${name}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`),
  ];
  // Items of a typed list carry no kind; those of a metadata list do.
  const typeLength = form === 'full' ? `{"kind":"${kind.kind}","apiVersion":"${kind.apiVersion}",`.length : 0;
  for (const [at, item] of items.entries()) {
    if (at > 0) pieces.push(comma);
    const bytes = objectBytes(item, form);
    if (typeLength > 0) pieces.push(open);
    pieces.push(bytes.subarray(typeLength));
  }
  return [...pieces, close];
}
