import {
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  finalize,
  ignoreElements,
  map,
  NEVER,
  type Observable,
  of,
  scheduled,
  switchMap,
  take,
  throwError,
  timer,
} from 'rxjs';
import { PipelineError } from '../../src/errors.ts';
import type { PodMetadata } from '../../src/model/kube.ts';
import type { Answer, Frame, KubeRequest, KubeTransport } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { watchFrames } from '../../src/transports/watchFrames.ts';
import { type ScriptStep, scriptSteps } from './scriptSteps.ts';

/** What a scripted API server says about events, and which pods it knows. */
export interface Script {
  readonly steps: readonly ScriptStep[];
  /** In the pod list. */
  readonly pods?: readonly PodMetadata[];
  /** Lines of the first pod watch. */
  readonly podLines?: readonly unknown[];
}

export interface LoggedRequest extends KubeRequest {
  /** `list`, `list continue=tokA`, `watch rv=2000`, `check`, `pod`. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface ScriptedServer {
  readonly transport: KubeTransport;
  /** All requests but those for the server's version. */
  readonly requests: readonly LoggedRequest[];
  /** Requests about events that the script has no answer for; they are left waiting. */
  readonly unexpected: readonly string[];
  /** Steps that had to be used and were not. */
  unused(): readonly string[];
  /** Most watches of events that were open at once. */
  maxOpenWatches(): number;
}

/**
 * An API server that follows a script. Answers come in the same virtual millisecond, never inside the request.
 * It is too old to tell its version. A list of one item only asks for the store's version: the next list of the
 * script tells it and is not used up.
 */
export function scriptedServer(script: Script, runtime: Runtime): ScriptedServer {
  const { scheduler } = runtime;
  const steps = scriptSteps(script.steps);
  const requests: LoggedRequest[] = [];
  const unexpected: string[] = [];
  let podLines = script.podLines ?? [];
  let openWatches = 0;
  let maxOpenWatches = 0;

  const date = (): string => new Date(scheduler.now()).toUTCString();
  const answer = (status: number, value: unknown, head: Partial<Answer> = {}): Answer => ({
    type: 'answer',
    status,
    date: date(),
    ...head,
    body: Buffer.from(JSON.stringify(value)),
  });
  const stepAnswer = ({ status, json, headers }: ScriptStep): Answer => {
    const retryAfter = headers?.['Retry-After'];
    return answer(status, json, retryAfter === undefined ? {} : { retryAfter });
  };
  const unanswered = (name: string): Observable<never> => {
    unexpected.push(name);
    return NEVER;
  };

  const events = (request: KubeRequest, name: string): Observable<ScriptStep> => {
    const step = steps.take(request.query);
    return step === undefined ? unanswered(name) : of(step);
  };
  const check = (): Observable<Answer> => {
    const { resourceVersion } = metadataOf(steps.nextList()?.json);
    return resourceVersion === undefined ? unanswered('check') : of(answer(200, listOf('Event', resourceVersion, [])));
  };
  const pod = (path: string): Answer => {
    const found = script.pods?.find(({ metadata }) => path.endsWith(`/${metadata.namespace}/pods/${metadata.name}`));
    return found === undefined ? answer(404, { kind: 'Status', code: 404, reason: 'NotFound' }) : answer(200, found);
  };

  const get = (request: KubeRequest): Observable<Answer> => {
    if (request.path === '/version') return of(answer(404, { kind: 'Status', code: 404, reason: 'NotFound' }));
    const name = nameOf(request);
    requests.push({ ...request, name, at: scheduler.now() });
    if (name === 'pod') return of(pod(request.path));
    if (isAboutPods(request)) return of(answer(200, listOf('PartialObjectMetadata', '1', script.pods ?? [])));
    return name === 'check' ? check() : events(request, name).pipe(map(stepAnswer));
  };

  const body = ({ query }: KubeRequest, step: ScriptStep, paused: Observable<boolean>): Observable<Frame> => {
    const chunks = step.chunks ?? (step.lines ?? []).map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
    const whenRead = (chunk: Uint8Array): Observable<Uint8Array> =>
      paused.pipe(
        filter((still) => !still),
        take(1),
        map(() => chunk),
      );
    const bytes = concat(scheduled(chunks, scheduler).pipe(concatMap(whenRead)), ending(step, Number(query['timeoutSeconds']), runtime));
    return concat(of<Frame>({ type: 'opened', status: 200, date: date() }), bytes.pipe(watchFrames()));
  };
  const stream = (request: KubeRequest, paused: Observable<boolean>): Observable<Frame> => {
    const name = nameOf(request);
    requests.push({ ...request, name, at: scheduler.now() });
    if (isAboutPods(request)) {
      const lines = podLines;
      podLines = [];
      return body(request, { on: name, status: 200, lines }, paused);
    }
    maxOpenWatches = Math.max(maxOpenWatches, ++openWatches);
    return events(request, name).pipe(
      switchMap((step) => (step.status === 200 ? body(request, step, paused) : of(stepAnswer(step)))),
      finalize(() => openWatches--),
    );
  };

  const soon = <T>(answers: Observable<T>): Observable<T> => timer(0, scheduler).pipe(switchMap(() => answers));
  return {
    transport: {
      get: (request) => defer(() => soon(get(request))),
      stream: (request, paused) => defer(() => soon(stream(request, paused))),
      send: () => defer(() => soon(of(answer(404, { kind: 'Status', code: 404, reason: 'NotFound' })))),
    },
    requests,
    unexpected,
    unused: steps.unused,
    maxOpenWatches: () => maxOpenWatches,
  };
}

/** `hold` is a healthy quiet watch, which the server ends when it was asked to; `silent` is a dead connection. */
function ending({ end = 'hold' }: ScriptStep, timeoutSeconds: number, runtime: Runtime): Observable<never> {
  switch (end.split(',')[0]) {
    case 'close':
      return EMPTY;
    case 'reset':
      return throwError(() => new PipelineError('CONNECTION_FAILED', 'reset by the script'));
    case 'hold':
      return timer(timeoutSeconds * 1_000, runtime.scheduler).pipe(ignoreElements());
    case 'silent':
      return NEVER;
    default:
      throw new Error(`an end that is none: ${end}`);
  }
}

function isAboutPods({ path }: KubeRequest): boolean {
  return path.endsWith('/pods');
}

function nameOf({ path, query }: KubeRequest): string {
  if (query['watch'] === 'true') return `watch rv=${query['resourceVersion']}`;
  if (/\/pods\/[^/]+$/.test(path)) return 'pod';
  if (query['limit'] === '1') return 'check';
  return query['continue'] === undefined ? 'list' : `list continue=${query['continue']}`;
}

function metadataOf(json: unknown): { readonly resourceVersion?: string } {
  return (json as { readonly metadata?: { readonly resourceVersion?: string } } | undefined)?.metadata ?? {};
}

function listOf(kind: string, resourceVersion: string, items: readonly unknown[]): unknown {
  return { kind: `${kind}List`, apiVersion: 'v1', metadata: { resourceVersion }, items };
}
