import { wholeFeed } from './feed.ts';
import type { PlainObject } from './object.ts';
import { type AnswerReply, reply, statusReply } from './reply.ts';
import { jsonBytes } from './revision.ts';
import type { SimulatedRequest } from './route.ts';
import { failure, notFound, unknownPath } from './statuses.ts';

/** Objects that are kept and given back, and otherwise do nothing: what somebody sets up before the program runs. */
export interface Setup {
  /** Undefined: the path is none of its kinds. */
  answer(request: SimulatedRequest, now: number): AnswerReply | undefined;
}

const collections = [
  /^\/api\/v1\/namespaces$/,
  /^\/api\/v1\/namespaces\/[^/]+\/serviceaccounts$/,
  /^\/apis\/rbac\.authorization\.k8s\.io\/v1\/(namespaces\/[^/]+\/)?(cluster)?role(binding)?s$/,
];
const tokenPath = /^(\/api\/v1\/namespaces\/[^/]+\/serviceaccounts\/[^/]+)\/token$/;

/** `token` is what a TokenRequest gets; whether it is asked for, access decides. */
export function setup(token: string): Setup {
  const objects = new Map<string, PlainObject>();
  const made = (status: number, value: unknown, now: number): AnswerReply => reply(status, wholeFeed(jsonBytes(value)), { now });
  const missing = (path: string, now: number): AnswerReply => {
    const [plural = '', name = ''] = path.split('/').slice(-2);
    return statusReply(notFound({ group: '', plural }, name), now);
  };
  return {
    answer({ method, path, body }, now) {
      const owner = tokenPath.exec(path)?.[1];
      if (owner !== undefined && method === 'POST') {
        return objects.has(owner) ? made(201, { kind: 'TokenRequest', status: { token } }, now) : missing(owner, now);
      }
      const isCollection = collections.some((each) => each.test(path));
      const parent = path.slice(0, path.lastIndexOf('/'));
      if (!isCollection && !collections.some((each) => each.test(parent))) return undefined;
      if (isCollection) {
        if (method !== 'POST') return statusReply(unknownPath, now);
        const object = JSON.parse(Buffer.from(body ?? []).toString('utf8')) as PlainObject;
        const key = `${path}/${object.metadata.name ?? ''}`;
        if (objects.has(key)) return statusReply(failure(409, 'AlreadyExists', `${key} already exists`), now);
        objects.set(key, object);
        return made(201, object, now);
      }
      const object = objects.get(path);
      if (object === undefined) return missing(path, now);
      if (method === 'DELETE') objects.delete(path);
      return method === 'DELETE' || method === 'GET' ? made(200, object, now) : statusReply(unknownPath, now);
    },
  };
}
