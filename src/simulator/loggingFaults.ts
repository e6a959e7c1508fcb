import type { RpcFault } from './logEntryFault.ts';
import type { LogEntry } from './logWrite.ts';

/** What goes wrong with a write, as data. */
export type LoggingFault =
  | LoggingAnswer
  /** The connection breaks instead of an answer, by default before anything is done. */
  | { readonly type: 'reset'; readonly store?: boolean }
  /** Connected, but no answer ever, and nothing is done. */
  | { readonly type: 'hang' }
  /** The usual answer after so long; the entries are there at once. */
  | { readonly type: 'slow'; readonly afterMs: number };

/** Another answer than the usual one. */
export interface LoggingAnswer {
  readonly type: 'answer';
  readonly status: number;
  /** Entries that are said to be wrong, by their index. All others are stored. */
  readonly errors?: Readonly<Record<string, RpcFault>>;
  /** Text as it is, anything else as JSON. Absent: what the service says with this status. */
  readonly body?: unknown;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the entries are stored all the same. Default: with a status below 300, or with `errors`. */
  readonly store?: boolean;
}

/** What goes wrong from now on. */
export interface LoggingFaults {
  /** The next `times` (1) requests meet the fault, in the order in which faults were announced. */
  next(fault: LoggingFault, times?: number): void;
  /** Every request whose entries fit meets it until the answer is called. Absent: each. */
  always(fault: LoggingFault, fits?: (entries: readonly LogEntry[]) => boolean): () => void;
  clear(): void;
  /** How many announced faults have not been met yet; those for always do not count. */
  waiting(): number;
}

interface Rule {
  readonly fault: LoggingFault;
  readonly fits: (entries: readonly LogEntry[]) => boolean;
  left: number;
}

/** The service's side of it takes the fault that a request meets. */
export function loggingFaults(): LoggingFaults & { take(entries: readonly LogEntry[]): LoggingFault | undefined } {
  let rules: Rule[] = [];
  return {
    next(fault, times = 1) {
      rules.push({ fault, fits: () => true, left: times });
    },
    always(fault, fits = () => true) {
      const rule = { fault, fits, left: Number.POSITIVE_INFINITY };
      rules.push(rule);
      return () => {
        rules = rules.filter((other) => other !== rule);
      };
    },
    clear() {
      rules = [];
    },
    waiting: () => rules.reduce((sum, { left }) => sum + (left === Number.POSITIVE_INFINITY ? 0 : left), 0),
    take(entries) {
      const rule = rules.find(({ fits }) => fits(entries));
      if (rule === undefined) return undefined;
      rule.left -= 1;
      if (rule.left <= 0) rules = rules.filter((other) => other !== rule);
      return rule.fault;
    },
  };
}
