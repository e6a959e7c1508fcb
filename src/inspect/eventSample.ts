/** A row of the table. */
export interface EventRow {
  readonly atMs: number;
  readonly type: string;
  readonly reason: string;
  readonly namespace: string;
  /** `Pod web-0`. */
  readonly object: string;
  /** `Deployment web`, or empty. */
  readonly workload: string;
  readonly count: number;
  readonly message: string;
}

export interface EventSample {
  /** Newest first. */
  readonly rows: readonly EventRow[];
  readonly rowsMaxEach: number;
}

export interface SampledEvents {
  add(row: EventRow, isWarning: boolean): void;
  sample(): EventSample;
}

/** Keeps the last `rowsMaxEach` warnings, and as many of the other events. */
export function sampledEvents(rowsMaxEach = 1_000): SampledEvents {
  const warnings = lastOf<Numbered>(rowsMaxEach);
  const others = lastOf<Numbered>(rowsMaxEach);
  let read = 0;
  return {
    add: (row, isWarning) => (isWarning ? warnings : others).add({ row, order: read++ }),
    sample: () => {
      const all = [...warnings.all(), ...others.all()].sort((a, b) => b.row.atMs - a.row.atMs || b.order - a.order);
      return { rows: all.map(({ row }) => row), rowsMaxEach };
    },
  };
}

interface Numbered {
  readonly row: EventRow;
  /** Events of one moment stay in the order in which they were read. */
  readonly order: number;
}

interface Last<T> {
  add(item: T): void;
  all(): readonly T[];
}

function lastOf<T>(itemsMax: number): Last<T> {
  const ring: T[] = [];
  let next = 0;
  return {
    add(item) {
      ring[next] = item;
      next = (next + 1) % itemsMax;
    },
    all: () => [...ring.slice(next), ...ring.slice(0, next)],
  };
}
