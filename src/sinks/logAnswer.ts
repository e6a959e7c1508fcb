import { jsonOf } from '../model/jsonOf.ts';
import { retryAfterMs } from '../model/retryAfter.ts';
import type { Answer, SinkResult } from '../ports.ts';

/** What an answer to `entries:write` means for the entries of its request. */
export type LogAnswer =
  | { readonly type: 'results'; readonly results: readonly SinkResult[] }
  /** One or more of the entries, or the request itself, are at fault; which is not said. */
  | { readonly type: 'unexplained'; readonly reason: string }
  /** None was stored, and the same request may be stored later. */
  | { readonly type: 'retry'; readonly reason: string; readonly afterMs?: number };

const partialErrors = 'type.googleapis.com/google.logging.v2.WriteLogEntriesPartialErrors';
const invalidArgument = 3;
/** Of what a server says about a request as a whole. */
const messageCharactersMax = 200;

/**
 * Reads an answer to a request of `count` entries that was sent with partialSuccess. Entries that such an answer names were not stored,
 * the others were. Source: google.logging.v2.WriteLogEntriesPartialErrors.
 */
export function logAnswer(answer: Answer, count: number, nowMs: number): LogAnswer {
  const { status } = answer;
  if (status >= 200 && status < 300) return { type: 'results', results: Array.from({ length: count }, () => ({ type: 'stored' })) };
  const error = fieldsOf(fieldsOf(jsonOf(answer.body))['error']);
  const named = namedEntries(error, count);
  if (named.size > 0) {
    return { type: 'results', results: Array.from({ length: count }, (_, index) => named.get(index) ?? { type: 'stored' }) };
  }
  const word = typeof error['status'] === 'string' && /^[A-Z_]{1,40}$/.test(error['status']) ? ` ${error['status']}` : '';
  const reason = `HTTP ${status}${word}`;
  if (status === 400 || status === 413) return { type: 'unexplained', reason };
  const afterMs = retryAfterMs(answer.retryAfter, nowMs);
  return { type: 'retry', reason: `${reason}${aboutRequest(status, error)}`, ...(afterMs === undefined ? {} : { afterMs }) };
}

/** What became of the entries that the answer names, by their index in the request. */
function namedEntries(error: Fields, count: number): ReadonlyMap<number, SinkResult> {
  const details = Array.isArray(error['details']) ? error['details'].map(fieldsOf) : [];
  const errors = details.filter((detail) => detail['@type'] === partialErrors).map((detail) => fieldsOf(detail['logEntryErrors']));
  const named = errors.flatMap((each) => Object.entries(each)).map(([index, value]) => [Number(index), resultOf(fieldsOf(value))] as const);
  return new Map(named.filter(([index]) => Number.isInteger(index) && index >= 0 && index < count));
}

/** A bad entry stays bad; everything else, such as a missing permission, may pass. */
function resultOf({ code }: Fields): SinkResult {
  return code === invalidArgument
    ? { type: 'refused', reason: 'INVALID_ARGUMENT' }
    : { type: 'retry', reason: `an entry was not stored, code ${typeof code === 'number' ? code : 'unknown'}` };
}

/** Answers about access and address never quote an entry, and say what a person has to do. */
function aboutRequest(status: number, { message }: Fields): string {
  if (![401, 403, 404].includes(status) || typeof message !== 'string') return '';
  return `: ${message.slice(0, messageCharactersMax)}`;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
