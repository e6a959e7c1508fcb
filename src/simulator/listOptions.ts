import { fieldSelector } from './fieldSelector.ts';
import type { Kind } from './kinds.ts';
import { labelSelector } from './labelSelector.ts';
import type { PlainObject } from './object.ts';
import { isTrue } from './route.ts';
import { type ShardRange, shardSelector } from './shardSelector.ts';
import { badRequest, internalError, invalidOption, type StatusBody, versionTooLarge } from './statuses.ts';

/** The query of a list or watch, checked. */
export interface ListOptions {
  /** Absent: most recent. */
  readonly version: bigint | undefined;
  readonly match: '' | 'Exact' | 'NotOlderThan';
  /** 0: no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  /** Absent: the server decides. */
  readonly timeoutSeconds: number | undefined;
  /** True if there is a selector at all; without one the server can count what remains. */
  readonly selects: boolean;
  /** The range of hashes that was asked for, as a list writes it back. Absent: none, or the server does not know of any. */
  readonly shard: string | undefined;
  matches(object: PlainObject): boolean;
}

export interface OptionsContext {
  readonly kind: Kind;
  readonly watch: boolean;
  /** Newest version. */
  readonly current: bigint;
  readonly streamingLists: boolean;
  /** Whether the server divides lists and watches by hash; otherwise it does not see the parameter. */
  readonly shards: boolean;
}

type Query = Readonly<Record<string, string>>;

const everything: ShardRange = { selector: '', holds: () => true };

/** Reads the query as the server does: selectors and numbers first, then rules between options, then the version. */
export function listOptions(query: Query, context: OptionsContext): ListOptions | StatusBody {
  const labels = labelSelector(query['labelSelector'] ?? '');
  if (labels.type === 'bad') return badRequest(labels.message);
  const fields = fieldSelector(query['fieldSelector'] ?? '', context.kind);
  if (fields.type === 'bad') return badRequest(fields.message);
  for (const name of ['limit', 'timeoutSeconds', 'resourceVersion']) {
    const text = query[name] ?? '';
    if (text !== '' && !/^[0-9]+$/.test(text)) return badRequest(`${name}: Invalid value: ${JSON.stringify(text)}: invalid syntax`);
  }
  const shard = context.shards && (query['shardSelector'] ?? '') !== '' ? shardSelector(query['shardSelector'] ?? '') : everything;
  if (shard === undefined) return internalError(`invalid shardSelector: ${query['shardSelector']}`);
  // Seen on 1.36.2: a watch of a kind that is not cached is not divided.
  const divides = shard !== everything && !(context.watch && !context.kind.cached);
  const broken = brokenRule(query, context);
  if (broken !== undefined) return broken;
  const resourceVersion = query['resourceVersion'] ?? '';
  const timeoutSeconds = Number(query['timeoutSeconds'] ?? 0);
  const options: ListOptions = {
    version: resourceVersion === '' ? undefined : BigInt(resourceVersion),
    match: (query['resourceVersionMatch'] ?? '') as ListOptions['match'],
    limit: Number(query['limit'] ?? 0),
    continue: query['continue'] ?? '',
    sendInitialEvents: query['sendInitialEvents'] === undefined ? undefined : isTrue(query['sendInitialEvents']),
    allowWatchBookmarks: isTrue(query['allowWatchBookmarks']),
    timeoutSeconds: timeoutSeconds === 0 ? undefined : timeoutSeconds,
    selects: divides || (query['labelSelector'] ?? '') !== '' || (query['fieldSelector'] ?? '') !== '',
    shard: divides ? shard.selector : undefined,
    matches: (object) => labels.value(object.metadata.labels ?? {}) && fields.value(object) && (!divides || shard.holds(object)),
  };
  // A plain watch from the future is answered, and waits.
  const waits = context.watch && options.sendInitialEvents === undefined;
  if (waits || options.version === undefined || options.version <= context.current) return options;
  return versionTooLarge(resourceVersion, String(context.current));
}

function brokenRule(query: Query, context: OptionsContext): StatusBody | undefined {
  const [match, version, token] = [query['resourceVersionMatch'] ?? '', query['resourceVersion'] ?? '', query['continue'] ?? ''];
  const initial = query['sendInitialEvents'] !== undefined;
  const matchRule = (rule: string): StatusBody => invalidOption('resourceVersionMatch', rule);
  const initialRule = (rule: string): StatusBody => invalidOption('sendInitialEvents', rule);
  if (!['', 'Exact', 'NotOlderThan'].includes(match)) return matchRule('supported values: "Exact", "NotOlderThan", ""');
  if (context.watch) {
    if (initial && match !== 'NotOlderThan') return matchRule('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
    if (initial && !context.streamingLists)
      return initialRule('sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled');
    if (!initial && match !== '') return matchRule('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
    return undefined;
  }
  if (initial) return initialRule('sendInitialEvents is forbidden for list');
  if (match !== '' && version === '') return matchRule('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (match !== '' && token !== '') return matchRule('resourceVersionMatch is forbidden when continue is provided');
  if (match === 'Exact' && version === '0') return matchRule('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  if (token !== '' && version !== '' && version !== '0')
    return badRequest('specifying resource version is not allowed when using continue');
  return undefined;
}
