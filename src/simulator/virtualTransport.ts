import { concat, defer, map, NEVER, type Observable, of, ReplaySubject, switchMap, throwError, timer, toArray } from 'rxjs';
import { PipelineError } from '../errors.ts';
import type { Answer, AnswerHead, Frame, KubeRequest, KubeTransport, KubeWrite } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { watchFrames } from '../transports/watchFrames.ts';
import type { Core } from './core.ts';
import type { Feed } from './feed.ts';
import { pull } from './pull.ts';
import type { AnswerReply, Reply } from './reply.ts';

/** How long the way is, and in what pieces answers come. */
export interface VirtualTransportSettings {
  /** Sent with every request; a function is asked each time, as a token file is read again. Absent: none. */
  readonly token?: string | (() => string);
  /** Longest way from here to there and from there to here, in ms. Chance decides below it. Default 5. */
  readonly latencyMsMax?: number;
  /** Largest chunk in bytes; chance cuts anywhere below it, one time in eight very small. Default 16,384. */
  readonly chunkBytesMax?: number;
  /** Passed on to `watchFrames`. */
  readonly lineBytesMax?: number;
}

const latencyMsMaxDefault = 5;
const chunkBytesMaxDefault = 16_384;
const smallBytesMax = 12;

/**
 * The way to a simulated server in virtual time: `runtime.scheduler` only delays and delivers.
 *
 * State: none but the running requests. Time: latency, and when the server says that it has more.
 * Errors: a refused or broken connection is CONNECTION_FAILED. Unsubscribing ends the request; a write is done all the same.
 * While paused nothing is taken; the server keeps it.
 */
export function virtualTransport(core: Core, settings: VirtualTransportSettings, runtime: Runtime): KubeTransport {
  const latencyMs = (): number => Math.floor(runtime.random() * ((settings.latencyMsMax ?? latencyMsMaxDefault) + 1));
  const chunkBytes = (): number => {
    const bytesMax = settings.chunkBytesMax ?? chunkBytesMaxDefault;
    const small = runtime.random() < 1 / 8;
    return 1 + Math.floor(runtime.random() * Math.min(bytesMax, small ? smallBytesMax : bytesMax));
  };
  const handled = (request: KubeRequest | KubeWrite): Observable<Reply> => {
    const { path, query } = request;
    const asked = timer(latencyMs(), runtime.scheduler).pipe(
      map(() => core.handle({ method: 'GET', path, query, headers: headersOf(request, settings), ...contentOf(request) })),
    );
    if (!('method' in request)) return asked;
    // A write that has left arrives, also when its sender has gone by then.
    const arrived = new ReplaySubject<Reply>(1);
    asked.subscribe(arrived);
    return arrived;
  };
  const ask = (request: KubeRequest | KubeWrite): Observable<AnswerReply> =>
    handled(request).pipe(
      switchMap((reply) => {
        switch (reply.type) {
          case 'hung':
            return NEVER;
          case 'refused':
            return throwError(() => broken(request, 'connection refused'));
          case 'lost':
            return timer(latencyMs(), runtime.scheduler).pipe(
              switchMap(() => throwError(() => broken(request, 'connection reset by peer'))),
            );
          case 'answer':
            return of(reply);
        }
      }),
    );
  const bytesOf = (request: KubeRequest, body: Feed, paused: Observable<boolean>, bytes: () => number): Observable<Uint8Array> =>
    pull({ body, now: core.now, paused, latencyMs, chunkBytes: bytes, reset: () => broken(request, 'connection reset by peer') }, runtime);
  // Where an answer that is read to its end was cut into chunks, nobody can tell.
  const whole = (request: KubeRequest, reply: AnswerReply): Observable<Answer> =>
    bytesOf(request, reply.body, of(false), () => Number.POSITIVE_INFINITY).pipe(
      toArray(),
      map((chunks) => ({ type: 'answer', ...headOf(reply), body: Buffer.concat(chunks) })),
    );

  const get = (request: KubeRequest | KubeWrite): Observable<Answer> =>
    defer(() => ask(request)).pipe(switchMap((reply) => whole(request, reply)));

  return {
    get,
    send: get,
    stream: (request, paused) =>
      defer(() => ask(request)).pipe(
        switchMap((reply): Observable<Frame> => {
          if (reply.status !== 200) return whole(request, reply);
          const frames = bytesOf(request, reply.body, paused, chunkBytes).pipe(watchFrames(settings));
          return concat(of<Frame>({ type: 'opened', ...headOf(reply) }), frames);
        }),
      ),
  };
}

function contentOf(request: KubeRequest | KubeWrite): { method?: string; body?: Uint8Array } {
  if (!('method' in request)) return {};
  return { method: request.method, ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }) };
}

function headersOf(request: KubeRequest, { token }: VirtualTransportSettings): Record<string, string> {
  const bearer = typeof token === 'function' ? token() : token;
  return {
    accept: request.accept,
    'user-agent': 'kube-sluice',
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...('body' in request ? { 'content-type': 'application/json' } : {}),
  };
}

function headOf({ status, headers }: AnswerReply): AnswerHead {
  const { date, 'retry-after': retryAfter } = headers;
  return { status, ...(date === undefined ? {} : { date }), ...(retryAfter === undefined ? {} : { retryAfter }) };
}

function broken({ path }: KubeRequest, how: string): PipelineError {
  return new PipelineError('CONNECTION_FAILED', `${path}: ${how}`);
}
