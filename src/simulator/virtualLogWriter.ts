import { concat, defer, ignoreElements, type Observable, of, throwError, timer } from 'rxjs';
import { PipelineError } from '../errors.ts';
import type { Answer, LogWriter } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import type { CloudLoggingModel, LogReply } from './cloudLoggingModel.ts';

/** How long the way to the service is. */
export interface VirtualLogWriterSettings {
  /** From request to answer, in milliseconds. Default 0: within the subscription. */
  readonly latencyMs?: number;
  /** After this long without an answer the writer gives up, in milliseconds. Default 30,000. */
  readonly answerTimeoutMs?: number;
}

/** The way to a Cloud Logging model without sockets, for the virtual time of `runtime`. The request is worked off at once, its answer takes time. */
export function virtualLogWriter(
  model: CloudLoggingModel,
  { latencyMs = 0, answerTimeoutMs = 30_000 }: VirtualLogWriterSettings,
  { scheduler }: Runtime,
): LogWriter {
  const later = <T>(answers: Observable<T>, ms: number): Observable<T> =>
    ms === 0 ? answers : concat(timer(ms, scheduler).pipe(ignoreElements()), answers);
  const broken = (reason: string): Observable<never> => throwError(() => new PipelineError('CONNECTION_FAILED', `model: ${reason}`));
  const answered = (reply: LogReply): Observable<Answer> => {
    switch (reply.type) {
      case 'refused':
      case 'lost':
        return later(broken('connection reset'), latencyMs);
      case 'hung':
        return later(broken('no answer in time'), answerTimeoutMs);
      case 'answer':
        return later(of(answerOf(reply)), latencyMs + reply.afterMs);
    }
  };
  return {
    write: (body) => defer(() => answered(model.handle({ method: 'POST', path: '/v2/entries:write', headers: {}, body }))),
  };
}

function answerOf({ status, headers, body }: Extract<LogReply, { type: 'answer' }>): Answer {
  const retryAfter = headers['retry-after'];
  return { type: 'answer', status, ...(retryAfter === undefined ? {} : { retryAfter }), body: Buffer.from(body) };
}
