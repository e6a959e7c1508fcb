/** Where an event is: in front of the join of owner labels, waiting for a batch or its turn, at the sink, or at its end. */
export type Place = 'join' | 'queue' | 'sink' | 'stored' | 'refused';

/** One event of the sample that the page shows. All text is cut and free of what acts on its neighbours. */
export interface Marble {
  /** In order of appearance, from 1, within its shard. */
  readonly id: number;
  /** When it was read, milliseconds since 1970. */
  readonly atMs: number;
  readonly place: Place;
  /** How often the sink has asked for it again. */
  readonly retries: number;
  /** As written; `Gap` for a gap record, empty until the whole event is read. */
  readonly type: string;
  readonly reason: string;
  readonly namespace: string;
  /** `Pod web-0`. */
  readonly object: string;
  /** `Deployment web`, or empty. */
  readonly workload: string;
  readonly count: number;
  readonly message: string;
  /** The event's own time, as its entry has it. */
  readonly timestamp: string;
  readonly insertId: string;
}

/** What a shard or one of its readers is doing, in a word, and why. */
export interface Doing {
  readonly word: 'starting' | 'waiting' | 'listing' | 'watching' | 'backing off' | 'paused' | 'draining' | 'stopped';
  /** A sentence, or empty. */
  readonly why: string;
  /** Since when it has been this word, milliseconds since 1970. */
  readonly sinceMs: number;
}

export interface ReaderNews extends Doing {
  readonly source: string;
}

/** Something worth telling that happened, in the order in which it did. */
export interface Happening {
  /** From 1, within its shard. */
  readonly id: number;
  readonly atMs: number;
  /** `trouble`: something is lost or needs a person. */
  readonly level: 'note' | 'warning' | 'trouble';
  readonly text: string;
}

/** One moment of the plots: time, events received and stored per second, in flight, checkpoint lag in seconds, resident megabytes. */
export type Point = readonly [atMs: number, receivedPerS: number, storedPerS: number, inFlight: number, lagS: number, rssMb: number];

/** What one shard looks like now. */
export interface ShardNews extends Doing {
  readonly index: number;
  readonly total: number;
  readonly readers: readonly ReaderNews[];
  /** Version by namespace, empty for all. */
  readonly positions: readonly (readonly [scope: string, at: string])[];
  readonly sink: string;
  /** Where the checkpoint is kept; `none`. */
  readonly keptIn: string;
  readonly lagMs: number;
  /** For how long the position has stood still although something is in flight, in milliseconds. */
  readonly standsMs: number;
  /** Totals since the start. */
  readonly received: number;
  readonly filtered: number;
  readonly repeated: number;
  readonly stored: number;
  readonly refused: number;
  readonly gaps: number;
  readonly pods: number;
  /** Now: all of them, and where they wait. */
  readonly inFlight: number;
  readonly inFlightBytes: number;
  readonly atJoin: number;
  readonly atSink: number;
  /** The last gap, as a sentence; empty if there was none. */
  readonly lastGap: string;
  /** Why the sink does not store, empty if it does. */
  readonly sinkTrouble: string;
  /** Since when it does not, milliseconds since 1970. */
  readonly sinkTroubleMs: number;
  /** Those of the sample that are new or have moved. */
  readonly marbles: readonly Marble[];
  readonly happenings: readonly Happening[];
  readonly points: readonly Point[];
}

/** One message to the page: all there is to know for one that begins, or what is new since the last. */
export interface News {
  readonly type: 'all' | 'more';
  readonly atMs: number;
  readonly version: string;
  readonly rssMb: number;
  readonly memoryLimitMb: number | null;
  /** Time between two points of a plot, and how far back they go. */
  readonly pointMs: number;
  readonly pointsMax: number;
  readonly marblesMax: number;
  readonly shards: readonly ShardNews[];
}
