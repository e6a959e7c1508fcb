import type { RequestKind, Route, SimulatedRequest } from './route.ts';

/** What goes wrong, as data. A body is counted in bytes as they leave the server. */
export type Fault =
  /** No connection. */
  | { readonly type: 'refuse' }
  /** Connected, but no answer ever. */
  | { readonly type: 'hang' }
  /** Another answer, with a Status as body unless `body` says otherwise. */
  | { readonly type: 'status'; readonly status: number; readonly retryAfter?: string; readonly body?: string }
  /** 410. A list has but one form; a watch: HTTP 410, an ERROR line in a 200, or a 200 that closes without a byte. */
  | { readonly type: 'expired'; readonly form?: ExpiredForm }
  /** The answer ends after so many bytes, cleanly or by a broken connection. */
  | { readonly type: 'cut'; readonly afterBytes: number; readonly end: 'close' | 'reset' }
  /** The request is done, a write written, but the connection breaks before the answer. */
  | { readonly type: 'lost' }
  /** Nothing more after so many bytes; the connection stays open. */
  | { readonly type: 'silence'; readonly afterBytes: number }
  /** At most so many bytes at once, and so much time between them. */
  | { readonly type: 'slow'; readonly chunkBytes: number; readonly everyMs: number };

/** How a watch from a compacted version is refused: HTTP 410, an ERROR line in a 200, or a 200 without a byte. */
export type ExpiredForm = 'http' | 'line' | 'close';

/** Which requests. An absent part fits all; `query` must hold at least these. */
export interface FaultTarget {
  /** `events`, `pods` or `leases`. */
  readonly stream?: string;
  readonly on?: RequestKind | readonly RequestKind[];
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** What goes wrong from now on. */
export interface Faults {
  /** The next `times` (1) fitting requests meet the fault. Older rules go first, one fault per request. */
  next(target: FaultTarget, fault: Fault, times?: number): void;
  /** Every fitting request meets it until the answer is called. */
  always(target: FaultTarget, fault: Fault): () => void;
  clear(): void;
  /** How many announced faults have not been met yet; those for always do not count. */
  waiting(): number;
}

interface Rule {
  readonly target: FaultTarget;
  readonly fault: Fault;
  left: number;
}

/** The server's side of it takes the fault that a request meets. */
export function faults(): Faults & { take(route: Route, request: SimulatedRequest): Fault | undefined } {
  let rules: Rule[] = [];
  return {
    next(target, fault, times = 1) {
      rules.push({ target, fault, left: times });
    },
    always(target, fault) {
      const rule = { target, fault, left: Number.POSITIVE_INFINITY };
      rules.push(rule);
      return () => {
        rules = rules.filter((other) => other !== rule);
      };
    },
    clear() {
      rules = [];
    },
    waiting: () => rules.filter(({ left }) => left !== Number.POSITIVE_INFINITY).reduce((sum, { left }) => sum + left, 0),
    take(route, request) {
      const rule = rules.find(({ target }) => fits(target, route, request));
      if (rule === undefined) return undefined;
      rule.left -= 1;
      if (rule.left <= 0) rules = rules.filter((other) => other !== rule);
      return rule.fault;
    },
  };
}

function fits(target: FaultTarget, route: Route, { path, query }: SimulatedRequest): boolean {
  const on = typeof target.on === 'string' ? [target.on] : target.on;
  return (
    (target.stream ?? route.stream) === route.stream &&
    (on === undefined || on.includes(route.on)) &&
    (target.path ?? path) === path &&
    Object.entries(target.query ?? {}).every(([name, value]) => query[name] === value)
  );
}
