import { concat, map, Observable, of, reduce } from 'rxjs';
import type { Answer, AnswerHead, Frame, KubeRequest, KubeTransport, KubeWrite } from '../ports.ts';
import { bodyChunks } from './bodyChunks.ts';
import { connectionFailed } from './connectionFailed.ts';
import type { KubeConfigSource } from './kubeConfigFile.ts';
import { type KubeSession, kubeSessions, type Response } from './kubeSessions.ts';
import { type Coalescing, restBetweenReads } from './restBetweenReads.ts';
import { watchFrames } from './watchFrames.ts';

export type { KubeConfigSource } from './kubeConfigFile.ts';

/** Limits of the way to an API server. */
export interface KubeApiSettings {
  /** Sent as user-agent. Default `kube-sluice`. */
  readonly userAgent?: string;
  /** How long a server may take until the head of its answer, in milliseconds. Default 75,000, above its own limit of a minute. */
  readonly headersTimeoutMs?: number;
  /** How long an exec plugin of the kubeconfig may take, in milliseconds. Default 180,000: some wait for a person at a browser. */
  readonly execTimeoutMs?: number;
  /** Silence inside the body of a whole answer, in milliseconds; streams have their reader's rule instead. Default 60,000. */
  readonly bodyTimeoutMs?: number;
  /** A whole answer that is larger is an error. Default 256 MiB. */
  readonly answerBytesMax?: number;
  /** A watch line that is longer is skipped and told. Default 8 MiB. */
  readonly lineBytesMax?: number;
  /** How reads of streams are put together while much comes. Absent: the process never rests. */
  readonly coalescing?: Coalescing;
}

/** Answers other than 200 are read up to here; the rest says nothing that a reader needs. */
const refusalBytesMax = 64 * 1024;
const answerBytesMaxDefault = 256 * 1024 * 1024;
const neverPaused = of(false);

/**
 * Talks to an API server with the credentials of a kubeconfig or of the pod's service account.
 *
 * Errors: CONNECTION_FAILED names the host and the reason; CREDENTIALS_INVALID when the credentials have
 * never worked. Every answer is data. After a 401 the next request reads its token again.
 * Time: the limits of the settings, kept by undici, and `coalescing`. A watch may be silent for ever: its reader decides.
 * Unsubscribing aborts the request and, after a watch, closes its connections.
 */
export function kubeApi(source: KubeConfigSource, settings: KubeApiSettings = {}): KubeTransport {
  const sessions = kubeSessions(source, {
    userAgent: settings.userAgent ?? 'kube-sluice',
    headersTimeoutMs: settings.headersTimeoutMs ?? 75_000,
    execTimeoutMs: settings.execTimeoutMs ?? 180_000,
  });
  const answerBytesMax = settings.answerBytesMax ?? answerBytesMaxDefault;
  const onRead = settings.coalescing === undefined ? undefined : restBetweenReads(settings.coalescing);
  const whole = (request: KubeRequest | KubeWrite, retire: ExchangeSettings['retire']): Observable<Answer> =>
    exchange(sessions(request.stream), request, { retire, bodyTimeoutMs: settings.bodyTimeoutMs ?? 60_000 }, (response) =>
      answer(request, response, isSuccess(response) ? answerBytesMax : undefined),
    );
  return {
    get: (request) => whole(request, 'never'),
    send: (request) => whole(request, 'ifGivenUp'),
    stream: (request, paused) =>
      exchange(sessions(request.stream), request, { retire: 'always', bodyTimeoutMs: 0 }, (response) =>
        response.statusCode === 200 ? frames(response, paused, settings, onRead) : answer(request, response, undefined),
      ),
  };
}

interface ExchangeSettings {
  /** When the connections are not used again after this request. Who gives up a write suspects a dead one. */
  readonly retire: 'always' | 'ifGivenUp' | 'never';
  /** 0: for ever. */
  readonly bodyTimeoutMs: number;
}

function isSuccess({ statusCode }: Response): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function exchange<T>(
  session: KubeSession,
  request: KubeRequest | KubeWrite,
  settings: ExchangeSettings,
  read: (response: Response) => Observable<T>,
): Observable<T> {
  return new Observable((subscriber) => {
    const aborter = new AbortController();
    let answered = false;
    const next = (value: T): void => {
      answered = true;
      subscriber.next(value);
    };
    const fail = (error: unknown): void => {
      session.end(true);
      subscriber.error(connectionFailed(session.host(), error));
    };
    session
      .send(request, settings.bodyTimeoutMs, aborter.signal)
      .then((response) => subscriber.add(read(response).subscribe({ next, error: fail, complete: () => subscriber.complete() })), fail);
    return () => {
      aborter.abort();
      session.end(settings.retire === 'always' || (settings.retire === 'ifGivenUp' && !answered));
    };
  });
}

function frames(
  response: Response,
  paused: Observable<boolean>,
  { lineBytesMax }: KubeApiSettings,
  onRead: ((bytes: number) => void) | undefined,
): Observable<Frame> {
  const lines = bodyChunks(response.body, paused, onRead).pipe(watchFrames(lineBytesMax === undefined ? {} : { lineBytesMax }));
  return concat(of<Frame>({ type: 'opened', ...headOf(response) }), lines);
}

/** The whole body as one answer; over `bytesMax` an error, and without it cut at the limit for refusals. */
function answer(request: KubeRequest, response: Response, bytesMax: number | undefined): Observable<Answer> {
  const whole = bytesMax === undefined ? refusal(response) : within(bytesMax, request, response);
  return whole.pipe(map((body): Answer => ({ type: 'answer', ...headOf(response), body })));
}

function refusal(response: Response): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    const parts: Uint8Array[] = [];
    let length = 0;
    const done = (): void => {
      subscriber.next(Buffer.concat(parts).subarray(0, refusalBytesMax));
      subscriber.complete();
    };
    return bodyChunks(response.body, neverPaused).subscribe({
      next: (chunk) => {
        parts.push(chunk);
        length += chunk.length;
        if (length >= refusalBytesMax) done();
      },
      error: (error) => subscriber.error(error),
      complete: done,
    });
  });
}

function within(bytesMax: number, request: KubeRequest, response: Response): Observable<Uint8Array> {
  return bodyChunks(response.body, neverPaused).pipe(
    reduce(
      (body, chunk) => {
        body.length += chunk.length;
        if (body.length > bytesMax) throw new Error(`the answer to ${request.path} is larger than ${bytesMax} bytes; smaller pages help`);
        body.parts.push(chunk);
        return body;
      },
      { parts: [] as Uint8Array[], length: 0 },
    ),
    map(({ parts, length }) => Buffer.concat(parts, length)),
  );
}

function headOf({ statusCode, headers }: Response): AnswerHead {
  const date = firstOf(headers['date']);
  const retryAfter = firstOf(headers['retry-after']);
  return { status: statusCode, ...(date === undefined ? {} : { date }), ...(retryAfter === undefined ? {} : { retryAfter }) };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
