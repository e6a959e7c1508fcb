import { catchError, defer, map, type Observable, of, throwError, timeout } from 'rxjs';
import { messageOf, PipelineError } from '../errors.ts';
import { isStatus } from '../model/kube.ts';
import { appLabel, type LeaseObject, leaseType } from '../model/shardLease.ts';
import type { Answer, Exhausted, KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';

/** Where the leases are. */
export interface LeaseRequestsSettings {
  readonly app: string;
  readonly namespace: string;
  /** How long an answer may take, in milliseconds. */
  readonly requestMs: number;
}

/** What became of a request. `unknown`: no answer, or one that does not tell whether a write was done. */
export type LeaseAnswer =
  | { readonly type: 'lease'; readonly lease: LeaseObject }
  | { readonly type: 'leases'; readonly leases: readonly LeaseObject[] }
  | { readonly type: 'done' }
  | { readonly type: 'missing' }
  | { readonly type: 'conflict' }
  | { readonly type: 'unknown'; readonly reason: string }
  | { readonly type: 'refused'; readonly error: PipelineError };

/** Requests for the leases of one app. Each answers once and completes; only credentials that never worked are an error. */
export interface LeaseRequests {
  get(name: string): Observable<LeaseAnswer>;
  /** All leases of the app, as they are now. */
  list(): Observable<LeaseAnswer>;
  create(lease: LeaseObject): Observable<LeaseAnswer>;
  /** Only the version that the lease names is replaced. */
  replace(lease: LeaseObject): Observable<LeaseAnswer>;
  /** Only this version of it is removed. */
  remove(lease: LeaseObject): Observable<LeaseAnswer>;
}

const common = { stream: 'leases', query: {}, accept: 'application/json' } as const;

/** Time: `requestMs` per request; one that takes longer is given up, and its outcome is unknown. */
export function leaseRequests(settings: LeaseRequestsSettings, transport: KubeTransport, runtime: Runtime): LeaseRequests {
  const { namespace, app, requestMs } = settings;
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const one = (name: string): string => `${path}/${name}`;
  const nameOf = ({ metadata }: LeaseObject): string => metadata.name ?? '';
  const late: LeaseAnswer = { type: 'unknown', reason: `no answer within ${requestMs} ms` };
  const asked = (verb: string, answers: () => Observable<Answer | Exhausted>): Observable<LeaseAnswer> =>
    defer(answers).pipe(
      map((answer) => readAnswer(answer, verb, namespace)),
      timeout({ first: requestMs, scheduler: runtime.scheduler, with: () => of(late) }),
      catchError((error: unknown) => {
        if (error instanceof PipelineError && error.code === 'CREDENTIALS_INVALID') return throwError(() => error);
        return of<LeaseAnswer>({ type: 'unknown', reason: messageOf(error) });
      }),
    );
  return {
    get: (name) => asked('get', () => transport.get({ ...common, path: one(name) })),
    list: () => asked('list', () => transport.get({ ...common, path, query: { labelSelector: `${appLabel}=${app}` } })),
    create: (lease) => asked('create', () => transport.send({ ...common, method: 'POST', path, body: JSON.stringify(lease) })),
    replace: (lease) =>
      asked('update', () => transport.send({ ...common, method: 'PUT', path: one(nameOf(lease)), body: JSON.stringify(lease) })),
    remove(lease) {
      const { uid, resourceVersion } = lease.metadata;
      const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid, resourceVersion } });
      return asked('delete', () => transport.send({ ...common, method: 'DELETE', path: one(nameOf(lease)), body }));
    },
  };
}

function readAnswer(answer: Answer | Exhausted, verb: string, namespace: string): LeaseAnswer {
  if (answer.type === 'exhausted') return { type: 'unknown', reason: 'there is no server behind this transport' };
  const { status } = answer;
  const body = jsonOf(answer.body);
  if (status >= 200 && status < 300) return done(body);
  const said = isStatus(body) && body.message !== undefined ? body.message : `HTTP ${status}`;
  if (status === 404 && verb !== 'create' && verb !== 'list') return { type: 'missing' };
  if (status === 409) return { type: 'conflict' };
  if (status === 403) return { type: 'refused', error: new PipelineError('LEASES_FORBIDDEN', forbiddenText(verb, namespace, said)) };
  const mayPass = status === 401 || status === 408 || status === 429 || status < 400 || status >= 500;
  if (mayPass) return { type: 'unknown', reason: `HTTP ${status}: ${said}` };
  return { type: 'refused', error: new PipelineError('LEASE_REFUSED', `${verb} of a lease in namespace ${namespace} is refused: ${said}`) };
}

function done(body: unknown): LeaseAnswer {
  const { kind, items } = (body ?? {}) as { readonly kind?: unknown; readonly items?: unknown };
  // The items of a list leave out what they are.
  if (Array.isArray(items)) return { type: 'leases', leases: items.map((item: LeaseObject) => ({ ...leaseType, ...item })) };
  if (kind === 'Lease') return { type: 'lease', lease: body as LeaseObject };
  return kind === 'Status' ? { type: 'done' } : { type: 'unknown', reason: 'the answer is no Lease' };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined; // Told by whoever needs more than the status.
  }
}

function forbiddenText(verb: string, namespace: string, said: string): string {
  const rule = '{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list, create, update, delete]}';
  return `the service account may not ${verb} leases in namespace ${namespace}: give it a Role with the rule ${rule}, or keep no checkpoint with --checkpoint none (${said})`;
}
