import { concat, map, type Observable, toArray } from 'rxjs';
import type { Ask, Asked } from './ask.ts';
import type { Finding } from './finding.ts';

/** One thing that a service account must be allowed to do. */
export interface Right {
  readonly verb: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
}

export interface RightsWanted {
  /** The empty name is all in one. */
  readonly namespaces: readonly string[];
  readonly ownerLabels: boolean;
  /** Absent: no leases are kept. */
  readonly leaseNamespace?: string;
}

/** Everything that `run` asks of the API server with these settings. */
export function rightsOf({ namespaces, ownerLabels, leaseNamespace }: RightsWanted): readonly Right[] {
  const read = (resource: string, verbs: readonly string[]): readonly Right[] =>
    namespaces.flatMap((namespace) => verbs.map((verb) => ({ verb, group: '', resource, namespace })));
  const leases = ['get', 'list', 'create', 'update', 'delete'];
  return [
    ...read('events', ['list', 'watch']),
    ...(ownerLabels ? read('pods', ['get', 'list', 'watch']) : []),
    ...(leaseNamespace === undefined
      ? []
      : leases.map((verb) => ({ verb, group: 'coordination.k8s.io', resource: 'leases', namespace: leaseNamespace }))),
  ];
}

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Asks the server, right by right, what these credentials may do; a finding for each resource and namespace. */
export function rightsCheck(rights: readonly Right[], ask: Ask): Observable<readonly Finding[]> {
  const questions = rights.map((right) => ask({ method: 'POST', path, query: {}, accept: 'application/json', body: reviewText(right) }));
  return concat(...questions).pipe(
    toArray(),
    map((answers) => {
      const reviewed = rights.map((right, at) => ({ right, answer: answers[at] }));
      const places = [...new Set(rights.map(placeOf))];
      return places.map((place) =>
        rightsFinding(
          place,
          reviewed.filter(({ right }) => placeOf(right) === place),
        ),
      );
    }),
  );
}

function placeOf({ resource, namespace }: Right): string {
  return `${resource} in ${namespace === '' ? 'all namespaces' : `namespace ${namespace}`}`;
}

function reviewText({ verb, group, resource, namespace }: Right): string {
  const resourceAttributes = { verb, group, resource, ...(namespace === '' ? {} : { namespace }) };
  return JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } });
}

type Reviewed = { readonly right: Right; readonly answer: Asked | undefined };

function rightsFinding(about: string, reviewed: readonly Reviewed[]): Finding {
  const unknown = reviewed.find(({ answer }) => answer?.type !== 'answer')?.answer;
  if (unknown?.type === 'failure') {
    return {
      state: 'note',
      about: 'rights',
      text: `${about}: not known (${unknown.reason})`,
      advice: 'The server does not say what may be done; kubectl auth can-i asks in another way.',
    };
  }
  const verbs = reviewed.map(({ right }) => right.verb);
  const missing = reviewed.filter(({ answer }) => !isAllowed(answer)).map(({ right }) => right.verb);
  if (missing.length === 0) return { state: 'ok', about: 'rights', text: `${about}: ${verbs.join(', ')}` };
  const { group = '', resource = '', namespace = '' } = reviewed[0]?.right ?? {};
  const kind = namespace === '' ? 'a ClusterRole' : `a Role in namespace ${namespace}`;
  return {
    state: 'bad',
    about: 'rights',
    text: `${about}: may not ${missing.join(', ')}`,
    advice: `Give the service account ${kind} with {apiGroups: ['${group}'], resources: [${resource}], verbs: [${verbs.join(', ')}]}; k8s/base has them all.`,
  };
}

function isAllowed(answer: Asked | undefined): boolean {
  const body = answer?.type === 'answer' ? (answer.body as { readonly status?: { readonly allowed?: unknown } } | undefined) : undefined;
  return body?.status?.allowed === true;
}
