import { catchError, defer, map, type Observable, of, throwError, timeout } from 'rxjs';
import { messageOf, PipelineError } from '../../errors.ts';
import { inertText } from '../../model/inertText.ts';
import { jsonOf } from '../../model/jsonOf.ts';
import { isStatus } from '../../model/kube.ts';
import type { Answer, KubeRequest, KubeTransport, KubeWrite } from '../../ports.ts';
import type { Runtime } from '../../runtime.ts';

/** What came of one question to the API server. */
export type Asked =
  | { readonly type: 'answer'; readonly answer: Answer; readonly body: unknown; readonly tookMs: number }
  | { readonly type: 'failure'; readonly status?: number; readonly reason: string };

export type Ask = (request: Omit<KubeRequest, 'stream'> | Omit<KubeWrite, 'stream'>) => Observable<Asked>;

const answerMsMax = 10_000;

/** Asks once. Time: at most ten seconds. Errors: none; whatever is not a success is a failure with its reason. */
export function asker(transport: KubeTransport, runtime: Runtime): Ask {
  const { scheduler } = runtime;
  return (request) =>
    defer(() => {
      const startMs = scheduler.now();
      const whole = { stream: 'doctor', ...request };
      return ('method' in whole ? transport.send(whole) : transport.get(whole)).pipe(
        map((answer): Asked => {
          if (answer.type === 'exhausted') return { type: 'failure', reason: 'there is no server behind this transport' };
          const body = jsonOf(answer.body);
          if (answer.status >= 200 && answer.status < 300) return { type: 'answer', answer, body, tookMs: scheduler.now() - startMs };
          const said = isStatus(body) && body.message !== undefined ? `: ${inertText(body.message)}` : '';
          return { type: 'failure', status: answer.status, reason: `HTTP ${answer.status}${said}` };
        }),
        timeout({ first: answerMsMax, scheduler, with: () => throwError(() => new Error(`no answer in ${answerMsMax / 1000} s`)) }),
        catchError((error: unknown) => {
          if (error instanceof PipelineError && error.code === 'CREDENTIALS_INVALID') return throwError(() => error);
          return of<Asked>({ type: 'failure', reason: messageOf(error) });
        }),
      );
    });
}
