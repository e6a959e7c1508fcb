import { defer, NEVER, type Observable } from 'rxjs';
import type { Answer, Frame, KubeRequest, KubeTransport } from '../src/ports.ts';

/** A transport that answers the n-th request with the n-th answer, and remembers what was asked. */
export interface FakeServer {
  readonly transport: KubeTransport;
  /** One line per request: `list`, `list continue=t1`, `check`, `watch 12`, `stream`, `version`. */
  readonly requests: string[];
  /** The query of each request, for details. */
  readonly queries: Readonly<Record<string, string>>[];
}

/** Answers in order; a request beyond the last is remembered and never answered. */
export function fakeServer(...answers: readonly Observable<Frame>[]): FakeServer {
  const requests: string[] = [];
  const queries: Readonly<Record<string, string>>[] = [];
  const next = (request: KubeRequest): Observable<Frame> =>
    defer(() => {
      const answer = answers[requests.length];
      requests.push(nameOf(request));
      queries.push(request.query);
      return answer ?? NEVER;
    });
  const whole = (request: KubeRequest): Observable<Answer> => next(request) as Observable<Answer>;
  return { transport: { get: whole, stream: next, send: whole }, requests, queries };
}

function nameOf({ path, query }: KubeRequest): string {
  if (path === '/version') return 'version';
  if (query['watch'] === 'true') return query['sendInitialEvents'] === 'true' ? 'stream' : `watch ${query['resourceVersion']}`;
  if (query['limit'] === '1') return 'check';
  return query['continue'] === undefined ? 'list' : `list continue=${query['continue']}`;
}

/** A line of a watch. */
export function line(type: string, object: unknown): Frame {
  return { type: 'line', bytes: Buffer.from(JSON.stringify({ type, object })) };
}

export function answer(status: number, body: unknown, head: Partial<Answer> = {}): Answer {
  return { type: 'answer', status, body: Buffer.from(JSON.stringify(body)), ...head };
}

/** A page of a list of Events. */
export function page(resourceVersion: string, items: readonly unknown[], more = '', date = 'Mon, 04 May 2026 10:00:00 GMT'): Answer {
  const metadata = { resourceVersion, ...(more === '' ? {} : { continue: more }) };
  return answer(200, { kind: 'EventList', apiVersion: 'v1', metadata, items }, { date });
}

/** A Status as the API server writes it. */
export function status(code: number, reason: string): unknown {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `refused: ${reason}`, reason, code };
}

export const opened: Frame = { type: 'opened', status: 200 };
