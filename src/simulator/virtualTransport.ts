import { concat, defer, map, NEVER, type Observable, of, switchMap, throwError, timer, toArray } from 'rxjs';
import { PipelineError } from '../errors.ts';
import type { Answer, AnswerHead, Frame, KubeRequest, KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { watchFrames } from '../transports/watchFrames.ts';
import type { Core } from './core.ts';
import type { Feed } from './feed.ts';
import { pull } from './pull.ts';
import type { AnswerReply } from './reply.ts';

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
 * Errors: a refused or broken connection is CONNECTION_FAILED. Unsubscribing ends the request.
 * While paused nothing is taken; the server keeps it.
 */
export function virtualTransport(core: Core, settings: VirtualTransportSettings, runtime: Runtime): KubeTransport {
  const latencyMs = (): number => Math.floor(runtime.random() * ((settings.latencyMsMax ?? latencyMsMaxDefault) + 1));
  const chunkBytes = (): number => {
    const bytesMax = settings.chunkBytesMax ?? chunkBytesMaxDefault;
    const small = runtime.random() < 1 / 8;
    return 1 + Math.floor(runtime.random() * Math.min(bytesMax, small ? smallBytesMax : bytesMax));
  };
  const ask = (request: KubeRequest): Observable<AnswerReply> =>
    timer(latencyMs(), runtime.scheduler).pipe(
      switchMap(() => {
        const reply = core.handle({ method: 'GET', path: request.path, query: request.query, headers: headersOf(request, settings) });
        if (reply.type === 'hung') return NEVER;
        return reply.type === 'refused' ? throwError(() => broken(request, 'connection refused')) : of(reply);
      }),
    );
  const bytesOf = (request: KubeRequest, body: Feed, paused: Observable<boolean>): Observable<Uint8Array> =>
    pull({ body, now: core.now, paused, latencyMs, chunkBytes, reset: () => broken(request, 'connection reset by peer') }, runtime);
  const whole = (request: KubeRequest, reply: AnswerReply): Observable<Answer> =>
    bytesOf(request, reply.body, of(false)).pipe(
      toArray(),
      map((chunks) => ({ type: 'answer', ...headOf(reply), body: Buffer.concat(chunks) })),
    );

  return {
    get: (request) => defer(() => ask(request)).pipe(switchMap((reply) => whole(request, reply))),
    stream: (request, paused) =>
      defer(() => ask(request)).pipe(
        switchMap((reply): Observable<Frame> => {
          if (reply.status !== 200) return whole(request, reply);
          const frames = bytesOf(request, reply.body, paused).pipe(watchFrames(settings));
          return concat(of<Frame>({ type: 'opened', ...headOf(reply) }), frames);
        }),
      ),
  };
}

function headersOf(request: KubeRequest, { token }: VirtualTransportSettings): Record<string, string> {
  const bearer = typeof token === 'function' ? token() : token;
  return { accept: request.accept, 'user-agent': 'kube-sluice', ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) };
}

function headOf({ status, headers }: AnswerReply): AnswerHead {
  const { date, 'retry-after': retryAfter } = headers;
  return { status, ...(date === undefined ? {} : { date }), ...(retryAfter === undefined ? {} : { retryAfter }) };
}

function broken({ path }: KubeRequest, how: string): PipelineError {
  return new PipelineError('CONNECTION_FAILED', `${path}: ${how}`);
}
