import type { Signal } from '../telemetry/signals.ts';

/** Something that a reader met on its way. */
export interface Trouble {
  readonly atMs: number;
  /** `events`, `pods`, or with a namespace behind it. */
  readonly source: string;
  readonly what: 'relist' | 'gap' | 'listFailed' | 'watchBroken' | 'lineSkipped' | 'undecodable' | 'restored' | 'podsLate';
  readonly detail: string;
  /** How often in a row, up to `untilMs`. */
  readonly times: number;
  readonly untilMs: number;
}

export interface Troubles {
  readonly relists: number;
  readonly gaps: number;
  readonly watches: number;
  /** Watches that ended otherwise than by the server's clean close. */
  readonly broken: number;
  readonly listsFailed: number;
  /** Lines that could not be read, and Events that were none. */
  readonly skipped: number;
  /** In their order, equal ones in a row as one; the first `rowsMax` of them. */
  readonly rows: readonly Trouble[];
  readonly more: number;
}

export interface TroubleList {
  add(signal: Signal, atMs: number): void;
  troubles(): Troubles;
}

/** Makes a list of what readers signal. The first list of each is how it begins, and no trouble. */
export function troubleList(rowsMax = 200): TroubleList {
  const rows: Trouble[] = [];
  const counts: Record<Trouble['what'], number> = {
    relist: 0,
    gap: 0,
    listFailed: 0,
    watchBroken: 0,
    lineSkipped: 0,
    undecodable: 0,
    restored: 0,
    podsLate: 0,
  };
  let [watches, more] = [0, 0];

  return {
    add(signal, atMs) {
      if (signal.type === 'watchOpened') watches++;
      const told = troubleOf(signal);
      if (told === undefined) return;
      counts[told.what]++;
      const last = rows.at(-1);
      if (more === 0 && last !== undefined && isEqual(last, told))
        rows[rows.length - 1] = { ...last, times: last.times + 1, untilMs: atMs };
      else if (rows.length < rowsMax) rows.push({ atMs, untilMs: atMs, times: 1, ...told });
      else more++;
    },
    troubles: () => ({
      relists: counts.relist,
      gaps: counts.gap,
      watches,
      broken: counts.watchBroken,
      listsFailed: counts.listFailed,
      skipped: counts.lineSkipped + counts.undecodable,
      rows,
      more,
    }),
  };
}

const relistCauses = { start: '', expired: 'its position had expired', restored: 'the store had gone back in time' } as const;
const gapCauses = {
  expired: 'revisions were compacted before they were read',
  restored: 'the store had gone back in time',
  unwatched: 'nobody watched for too long',
} as const;
const skipCauses = {
  oversized: 'longer than a line may be',
  torn: 'cut in the middle',
  notWatchEvent: 'no watch event',
  undecodable: 'an object that cannot be read',
} as const;

/** Equal but for the time. */
function isEqual(a: Told, b: Told): boolean {
  return a.what === b.what && a.source === b.source && a.detail === b.detail;
}

type Told = Pick<Trouble, 'source' | 'what' | 'detail'>;

function troubleOf(signal: Signal): Told | undefined {
  switch (signal.type) {
    case 'listStarted':
      return signal.cause === 'start' ? undefined : { source: signal.source, what: 'relist', detail: relistCauses[signal.cause] };
    case 'listFailed':
      return { source: signal.source, what: 'listFailed', detail: endText(signal) };
    case 'watchEnded':
      return signal.cause === 'closed' ? undefined : { source: signal.source, what: 'watchBroken', detail: endText(signal) };
    case 'gapDeclared': {
      const { cause, from, to } = signal.gap;
      return { source: 'events', what: 'gap', detail: `after version ${from} up to ${to}: ${gapCauses[cause]}` };
    }
    case 'frameSkipped':
      return { source: signal.source, what: 'lineSkipped', detail: `${signal.bytes} bytes, ${skipCauses[signal.cause]}` };
    case 'refused':
      return { source: 'events', what: 'undecodable', detail: signal.reason };
    case 'storeRestored':
      return {
        source: signal.source,
        what: 'restored',
        detail: `the server is at version ${signal.resourceVersion}, before ${signal.position}`,
      };
    case 'podSyncTimedOut':
      return { source: 'pods', what: 'podsLate', detail: `not listed after ${signal.afterMs / 1_000} s` };
    default:
      return undefined;
  }
}

const endCauses = {
  closed: 'closed by the server',
  silent: 'silent for too long',
  broken: 'the connection broke',
  status: 'refused',
  expired: 'the position had expired (410)',
  invalid: 'the answer made no sense',
} as const;

function endText({ cause, status }: { readonly cause: keyof typeof endCauses; readonly status?: number }): string {
  return cause === 'status' && status !== undefined ? `refused with HTTP ${status}` : endCauses[cause];
}
