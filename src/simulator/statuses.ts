import { jsonBytes } from './revision.ts';

/** metav1.Status as the server writes it, field by field in its order. */
export interface StatusBody {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Failure';
  readonly message: string;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly code: number;
}

interface StatusParts {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly metadata?: { readonly continue?: string };
}

/** Anything that is not what was asked for. */
export function failure(code: number, reason: string, message: string, { details, metadata = {} }: StatusParts = {}): StatusBody {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}

export const unauthorized = failure(401, 'Unauthorized', 'Unauthorized');

export const unknownPath = failure(404, 'NotFound', 'the server could not find the requested resource', { details: {} });

export const wrongMethod = failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {
  details: {},
});

export const watchExpired = failure(410, 'Expired', 'The resourceVersion for the provided watch is too old.');

export const listExpired = failure(410, 'Expired', 'The resourceVersion for the provided list is too old.');

/** A watch that is refused before it is opened. */
export function versionExpired(asked: string, current: string): StatusBody {
  return failure(410, 'Expired', `too old resource version: ${asked} (${current})`);
}

/** The token inside continues with another state than the pages before: it must not be used. */
export function pageExpired(inconsistentToken: string): StatusBody {
  const message = [
    'The provided continue parameter is too old to display a consistent list result.',
    'You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.',
    'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted',
    'between the time the first chunk was returned and now may show up in the list.',
  ].join(' ');
  return failure(410, 'Expired', message, { metadata: { continue: inconsistentToken } });
}

export function badRequest(message: string): StatusBody {
  return failure(400, 'BadRequest', message);
}

export function internalError(message: string): StatusBody {
  return failure(500, 'InternalError', `Internal error occurred: ${message}`);
}

export function notAcceptable(message: string): StatusBody {
  return failure(406, 'NotAcceptable', message);
}

/** As far as a Status needs to know a kind. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
}

/** How messages call it: with its group, if there is one. */
export function qualified(plural: string, group: string): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function notFound({ group, plural }: Resource, name: string): StatusBody {
  return failure(404, 'NotFound', `${qualified(plural, group)} "${name}" not found`, { details: detailsOf(name, group, plural) });
}

export function detailsOf(name: string, group: string, kind: string): Readonly<Record<string, unknown>> {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind };
}

export interface ForbiddenAct extends Resource {
  readonly user: string;
  readonly verb: string;
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
}

export function forbidden({ user, verb, group, plural, namespace, name }: ForbiddenAct): StatusBody {
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const what = `${qualified(plural, group)}${name === '' ? '' : ` "${name}"`}`;
  const message = `${what} is forbidden: User "${user}" cannot ${verb} resource "${plural}" in API group "${group}" ${where}`;
  return failure(403, 'Forbidden', message, { details: detailsOf(name, group, plural) });
}

/** Options that contradict each other: one cause, as far as anything here needs. */
export function invalidOption(field: string, rule: string): StatusBody {
  return failure(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${field}: Forbidden: ${rule}`, {
    details: {
      group: 'meta.k8s.io',
      kind: 'ListOptions',
      causes: [{ reason: 'FieldValueForbidden', message: `Forbidden: ${rule}`, field }],
    },
  });
}

export function versionTooLarge(asked: string, current: string): StatusBody {
  return failure(504, 'Timeout', `Too large resource version: ${asked}, current: ${current}`, {
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  });
}

/** What a server or something before it says when it cannot serve. */
export function unavailable(code: number, retryAfterSeconds?: number): StatusBody {
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  switch (code) {
    case 429:
      return failure(code, 'TooManyRequests', 'Too many requests, please try again later.', details);
    case 500:
      return failure(code, 'InternalError', 'Internal error occurred: etcdserver: request timed out', {
        details: { causes: [{ message: 'etcdserver: request timed out' }], ...details.details },
      });
    case 503:
      return failure(code, 'ServiceUnavailable', 'apiserver is shutting down', details);
    case 504:
      return failure(code, 'Timeout', 'Timeout: request did not complete within the allotted timeout', { details: {} });
    default:
      return failure(code, '', 'unknown', details);
  }
}

export function statusBytes(status: StatusBody): Buffer {
  return Buffer.concat([jsonBytes(status), Buffer.from('\n')]);
}
