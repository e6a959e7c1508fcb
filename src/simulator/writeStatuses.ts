import type { Kind } from './kinds.ts';
import { badRequest, detailsOf, failure, qualified, type StatusBody } from './statuses.ts';

/** What the server says about writes. Source: k8s.io/apimachinery api/errors, k8s.io/apiserver registry/rest. */

const withGroup = ({ plural, group }: Kind): string => qualified(plural, group);

export function alreadyExists(kind: Kind, name: string): StatusBody {
  return failure(409, 'AlreadyExists', `${withGroup(kind)} "${name}" already exists`, {
    details: detailsOf(name, kind.group, kind.plural),
  });
}

function conflict(kind: Kind, name: string, why: string): StatusBody {
  const message = `Operation cannot be fulfilled on ${withGroup(kind)} "${name}": ${why}`;
  return failure(409, 'Conflict', message, { details: detailsOf(name, kind.group, kind.plural) });
}

/** A replacement of a version that is not the newest. */
export function modified(kind: Kind, name: string): StatusBody {
  return conflict(kind, name, 'the object has been modified; please apply your changes to the latest version and try again');
}

export function otherUid(kind: Kind, name: string, given: string, stored: string): StatusBody {
  return conflict(kind, name, `Precondition failed: UID in precondition: ${given}, UID in object meta: ${stored}`);
}

/** A deletion of another object of that name. The server calls the resource by its kind here. */
export function uidDemanded(kind: Kind, name: string, demanded: string, stored: string): StatusBody {
  const why = `the UID in the precondition (${demanded}) does not match the UID in record (${stored}).`;
  return conflict({ ...kind, plural: kind.kind }, name, `${why} The object might have been deleted and then recreated`);
}

export function versionDemanded(kind: Kind, name: string, demanded: string, stored: string): StatusBody {
  const why = `the ResourceVersion in the precondition (${demanded}) does not match the ResourceVersion in record (${stored}).`;
  return conflict({ ...kind, plural: kind.kind }, name, `${why} The object might have been modified`);
}

export function versionMissing(kind: Kind, name: string): StatusBody {
  return badField(kind, 'metadata.resourceVersion', '0x0', 'must be specified for an update', name);
}

export function badField(kind: Kind, field: string, value: string | number, rule: string, name = ''): StatusBody {
  const message = `Invalid value: ${value}: ${rule}`;
  return failure(422, 'Invalid', `${qualified(kind.kind, kind.group)} "${name}" is invalid: ${field}: ${message}`, {
    details: { ...detailsOf(name, kind.group, kind.kind), causes: [{ reason: 'FieldValueInvalid', message, field }] },
  });
}

export function nameMissing(kind: Kind): StatusBody {
  const message = 'Required value: name or generateName is required';
  return failure(422, 'Invalid', `${qualified(kind.kind, kind.group)} "" is invalid: metadata.name: ${message}`, {
    details: { ...detailsOf('', kind.group, kind.kind), causes: [{ reason: 'FieldValueRequired', message, field: 'metadata.name' }] },
  });
}

export const otherNamespace = badRequest('the namespace of the provided object does not match the namespace sent on the request');

export function otherName(given: string, asked: string): StatusBody {
  return badRequest(`the name of the object (${given}) does not match the name on the URL (${asked})`);
}

export function unreadable({ kind }: Kind): StatusBody {
  return badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: couldn't get version/kind; json parse error`);
}

/** `time` is JSON as it was sent. */
export function badTime({ kind }: Kind, time: string): StatusBody {
  const layout = '2006-01-02T15:04:05.000000Z07:00';
  return badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: parsing time ${time} as "${layout}": cannot parse`);
}

export const unsupportedMediaType = failure(
  415,
  'UnsupportedMediaType',
  'the body of the request was in an unknown format - accepted media types include: application/json',
);

/** The answer to a deletion that was done. */
export function deletion(kind: Kind, name: string, uid: string): unknown {
  const details = { ...detailsOf(name, kind.group, kind.plural), uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
