import { expect, test } from 'vitest';
import type { Answer, SinkResult } from '../../src/ports.ts';
import { type LogAnswer, logAnswer } from '../../src/sinks/logAnswer.ts';

const nowMs = Date.parse('2026-05-04T10:00:00Z');

function answerOf(status: number, json: unknown, retryAfter?: string): Answer {
  const body = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
  return { type: 'answer', status, body, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

function errorOf(code: number, status: string, logEntryErrors?: unknown, message = 'some reason'): unknown {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.Help', links: [] },
    { '@type': 'type.googleapis.com/google.logging.v2.WriteLogEntriesPartialErrors', logEntryErrors },
  ];
  return { error: { code, status, message, ...(logEntryErrors === undefined ? {} : { details }) } };
}

const stored: SinkResult = { type: 'stored' };
const invalid: SinkResult = { type: 'refused', reason: 'INVALID_ARGUMENT' };
const results = (...each: readonly SinkResult[]): LogAnswer => ({ type: 'results', results: each });
const retry = (reason: string, afterMs?: number): LogAnswer => ({ type: 'retry', reason, ...(afterMs === undefined ? {} : { afterMs }) });

test.each<readonly [string, Answer, LogAnswer]>([
  ['200', answerOf(200, {}), results(stored, stored, stored)],
  ['200 without a body', answerOf(200, ''), results(stored, stored, stored)],
  ['204', answerOf(204, ''), results(stored, stored, stored)],
  ['400 that names an entry', answerOf(400, errorOf(400, 'INVALID_ARGUMENT', { 1: { code: 3 } })), results(stored, invalid, stored)],
  [
    'an entry without permission is not at fault',
    answerOf(403, errorOf(403, 'PERMISSION_DENIED', { 0: { code: 7, message: 'm' }, 2: { code: 3 } })),
    results({ type: 'retry', reason: 'an entry was not stored, code 7' }, stored, invalid),
  ],
  [
    'an error without a code',
    answerOf(400, errorOf(400, 'INVALID_ARGUMENT', { 2: null })),
    results(stored, stored, { type: 'retry', reason: 'an entry was not stored, code unknown' }),
  ],
  [
    'names of no entry',
    answerOf(400, errorOf(400, 'INVALID_ARGUMENT', { 3: { code: 3 }, '-1': { code: 3 }, x: { code: 3 } })),
    unexplained(),
  ],
  ['no names', answerOf(400, errorOf(400, 'INVALID_ARGUMENT', {})), unexplained()],
  ['400 alone', answerOf(400, errorOf(400, 'INVALID_ARGUMENT')), unexplained()],
  ['400 in HTML', answerOf(400, '<html>'), { type: 'unexplained', reason: 'HTTP 400' }],
  ['413', answerOf(413, ''), { type: 'unexplained', reason: 'HTTP 413' }],
  ['401', answerOf(401, errorOf(401, 'UNAUTHENTICATED')), retry('HTTP 401 UNAUTHENTICATED: some reason')],
  ['403', answerOf(403, errorOf(403, 'PERMISSION_DENIED')), retry('HTTP 403 PERMISSION_DENIED: some reason')],
  ['404', answerOf(404, errorOf(404, 'NOT_FOUND', undefined, 'm'.repeat(500))), retry(`HTTP 404 NOT_FOUND: ${'m'.repeat(200)}`)],
  ['429', answerOf(429, errorOf(429, 'RESOURCE_EXHAUSTED')), retry('HTTP 429 RESOURCE_EXHAUSTED')],
  ['429 with seconds', answerOf(429, errorOf(429, 'RESOURCE_EXHAUSTED'), '7'), retry('HTTP 429 RESOURCE_EXHAUSTED', 7_000)],
  ['503 with a date', answerOf(503, '', 'Mon, 04 May 2026 10:00:05 GMT'), retry('HTTP 503', 5_000)],
  ['503 for an hour', answerOf(503, '', '3600'), retry('HTTP 503', 60_000)],
  ['504', answerOf(504, errorOf(504, 'DEADLINE_EXCEEDED')), retry('HTTP 504 DEADLINE_EXCEEDED')],
  ['a redirect', answerOf(302, ''), retry('HTTP 302')],
  ['a status that is no word', answerOf(500, { error: { status: 'Secret text\n' } }), retry('HTTP 500')],
  ['JSON that is no object', answerOf(500, 'null'), retry('HTTP 500')],
])('%s', (_, answer, expected) => {
  expect(logAnswer(answer, 3, nowMs)).toEqual(expected);
});

function unexplained(): LogAnswer {
  return { type: 'unexplained', reason: 'HTTP 400 INVALID_ARGUMENT' };
}
