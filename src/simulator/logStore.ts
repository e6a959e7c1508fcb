import { keptEntry, logEntryFault, logLimits, type RpcFault } from './logEntryFault.ts';
import { type LogEntry, type LogWrite, timeKey } from './logWrite.ts';

/** One entry that was written, defaults of its request filled in. */
export interface StoredLogEntry {
  readonly entry: LogEntry;
  /** When it was received, in milliseconds since 1970. */
  readonly atMs: number;
  /** Project, time and insertId: a query shows one entry of each. */
  readonly key: string;
}

/** What became of a write. */
export interface LogVerdict {
  /** How many entries were stored: those that are too old are taken, but not stored. */
  readonly stored: number;
  /** False: nothing was taken. */
  readonly taken: boolean;
  /** What is wrong with which entry, by its index in the request. */
  readonly errors: Readonly<Record<string, RpcFault>>;
}

/** Where entries end up. No requests, no answers, no clock of its own. */
export interface LogStore {
  /** Every entry each time that it was stored, in order. */
  readonly stored: readonly StoredLogEntry[];
  /** What a query shows: of entries with equal project, time and insertId only the first. */
  query(): readonly StoredLogEntry[];
  /** Stores what can be stored; nothing at all if one entry cannot and partialSuccess is not asked for. */
  write(write: LogWrite): LogVerdict;
  /** Stores entries unchecked, but for their age. Tells how many were not too old. */
  keep(entries: readonly LogEntry[]): number;
}

/** What is kept, and for how long. */
export interface LogStoreSettings {
  /** Entries older than this are dropped without a word, in milliseconds. Default 30 days. */
  readonly retentionMs?: number;
}

export function logStore({ retentionMs = logLimits.retentionMs }: LogStoreSettings, now: () => number): LogStore {
  const stored: StoredLogEntry[] = [];
  const keep = (entries: readonly LogEntry[]): number => {
    const nowMs = now();
    const before = stored.length;
    for (const entry of entries) {
      // Without a key of its own an entry is like no other.
      const { timestamp = new Date(nowMs).toISOString(), insertId = `given-${stored.length}` } = entry;
      if (Date.parse(timestamp) < nowMs - retentionMs) continue;
      const project = entry.logName?.split('/')[1] ?? '';
      stored.push({
        entry: keptEntry({ ...entry, timestamp, insertId }),
        atMs: nowMs,
        key: `${project} ${timeKey(timestamp)} ${insertId}`,
      });
    }
    return stored.length - before;
  };
  return {
    stored,
    keep,
    query() {
      const seen = new Set<string>();
      return stored.filter(({ key }) => seen.size < seen.add(key).size);
    },
    write(write) {
      const nowMs = now();
      const entries = wholeEntries(write);
      const errors = Object.fromEntries(
        entries.flatMap((entry, index) => {
          const fault = logEntryFault(entry, nowMs);
          return fault === undefined ? [] : [[index, fault]];
        }),
      );
      const good = entries.filter((_, index) => errors[index] === undefined);
      const taken = good.length === entries.length || (good.length > 0 && write.partialSuccess === true);
      return { stored: taken && write.dryRun !== true ? keep(good) : 0, taken, errors };
    },
  };
}

/** The entries of a request with what it says for all of them. An entry's own labels win, one by one. */
export function wholeEntries({ entries = [], logName, resource, labels }: LogWrite): readonly LogEntry[] {
  return entries.map((entry) => ({
    ...(logName === undefined ? {} : { logName }),
    ...(resource === undefined ? {} : { resource }),
    ...entry,
    ...(labels === undefined ? {} : { labels: { ...labels, ...entry.labels } }),
  }));
}
