import { type Feed, wholeFeed } from './feed.ts';
import { type StatusBody, statusBytes } from './statuses.ts';

/** What the server does with a request. `lost`: it was done, and its connection broke before the answer. */
export type Reply = { readonly type: 'refused' } | { readonly type: 'hung' } | { readonly type: 'lost' } | AnswerReply;

/** An answer, its body still to be taken. */
export interface AnswerReply {
  readonly type: 'answer';
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Feed;
}

interface ReplyParts {
  readonly now: number;
  readonly contentType?: string;
  readonly retryAfter?: string | undefined;
}

export function reply(status: number, body: Feed, { now, contentType = 'application/json', retryAfter }: ReplyParts): AnswerReply {
  return {
    type: 'answer',
    status,
    headers: {
      'cache-control': 'no-cache, private',
      'content-type': contentType,
      date: new Date(now).toUTCString(),
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    },
    body,
  };
}

/** A Status as the whole answer; one that says when to come again says it in a header too. */
export function statusReply(status: StatusBody, now: number): AnswerReply {
  const seconds = status.details?.['retryAfterSeconds'];
  return reply(status.code, wholeFeed(statusBytes(status)), { now, retryAfter: typeof seconds === 'number' ? String(seconds) : undefined });
}
