import type { Observable } from 'rxjs';
import type { Checkpoint, CheckpointMeaning } from './model/checkpoint.ts';
import type { Entry } from './model/entry.ts';

/** One GET to the API server. */
export interface KubeRequest {
  /** Which reader asks, for recordings and signals. */
  readonly stream: 'events' | 'pods' | (string & {});
  /** From the root, without the query: `/api/v1/events`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string;
}

/** One request that changes something. */
export interface KubeWrite extends KubeRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** JSON text, sent as application/json. Absent: none. */
  readonly body?: string;
}

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  /** The Date header as written, when there is one. */
  readonly date?: string;
  /** The Retry-After header as written, when there is one. */
  readonly retryAfter?: string;
}

/** A whole answer. A body over the transport's limit is an error, not an answer. */
export interface Answer extends AnswerHead {
  readonly type: 'answer';
  readonly body: Uint8Array;
}

/** A replay at its end has nothing more to give: the reader that sees this completes. */
export interface Exhausted {
  readonly type: 'exhausted';
}

/** One line of a streaming answer, without its LF. */
export interface LineFrame {
  readonly type: 'line';
  readonly bytes: Uint8Array;
  /** True if the next line has come too and is told before this turn is over. Absent: nobody knows. */
  readonly followed?: true | undefined;
}

/**
 * What a streaming answer consists of, in this order: `opened` once, then lines.
 * `torn` (bytes after the last LF) is told last, at a clean end. An answer other than 200 is one `answer`.
 */
export type Frame =
  | ({ readonly type: 'opened' } & AnswerHead)
  | LineFrame
  | { readonly type: 'oversized'; readonly bytes: number }
  | { readonly type: 'torn'; readonly bytes: number }
  | Answer
  | Exhausted;

/**
 * The way to an API server. Nothing happens before subscription; unsubscribing ends the request.
 * A connection that cannot be made or breaks errors with PipelineError CONNECTION_FAILED; every
 * answer, also 4xx and 5xx, is data. No retries inside.
 */
export interface KubeTransport {
  /** One answer, then completes. */
  get(request: KubeRequest): Observable<Answer | Exhausted>;
  /** Frames as they come; completes at a clean end. Reads nothing while `paused` is true. */
  stream(request: KubeRequest, paused: Observable<boolean>): Observable<Frame>;
  /** One answer, then completes. After an error the write may have been done all the same. */
  send(request: KubeWrite): Observable<Answer>;
}

/**
 * The write method of Cloud Logging (`entries:write`). Nothing happens before subscription; unsubscribing ends
 * the request. Errors with CONNECTION_FAILED if no answer comes and with CREDENTIALS_INVALID if no token does;
 * every answer, also 4xx and 5xx, is data. No retries inside.
 */
export interface LogWriter {
  /** Sends a request as JSON. One answer, then completes. After an error the entries may have been stored all the same. */
  write(body: Uint8Array): Observable<Answer>;
}

/** What became of one entry, by its index in the batch. */
export type SinkResult =
  | { readonly type: 'stored' }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'retry'; readonly reason: string; readonly afterMs?: number };

/**
 * Stores entries. Call order is write order. A sink encodes and classifies answers; it has no
 * timers and no retries, those are operators around it.
 */
export interface Sink {
  /** Names the sink and its target, for checkpoints and signals. */
  readonly identity: string;
  /** Emits one result per entry, in order, once, and completes. An error ends the pipeline. */
  write(batch: readonly Entry[]): Observable<readonly SinkResult[]>;
}

/**
 * Keeps the checkpoint of one shard, and sees to it that one process at a time delivers for it.
 * Order of calls: `hold`, then saves one after the other, then `release`.
 */
export interface CheckpointStore {
  /**
   * Emits once, when this process may deliver for the shard: what to resume from, or undefined if nothing
   * is stored. As long as another process holds the shard it waits. Then it keeps the claim alive, never
   * completes, and errors with SHARD_HELD when the claim is lost. A checkpoint that means something else
   * errors with CHECKPOINT_INVALID.
   */
  hold(meaning: CheckpointMeaning): Observable<Checkpoint | undefined>;
  /** Completes when the checkpoint is durable. Errors with SHARD_HELD if the shard is not this process's any more. */
  save(checkpoint: Checkpoint): Observable<never>;
  /** Gives the shard up, or the waiting for it, so that others need not wait. Completes when that is known. */
  release(): Observable<never>;
}
