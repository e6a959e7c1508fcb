import type { Access } from './access.ts';
import { wholeFeed } from './feed.ts';
import { type AnswerReply, reply } from './reply.ts';
import { jsonBytes } from './revision.ts';
import type { SimulatedRequest } from './route.ts';

/** Where a client asks what it may do itself. Source: kubernetes.io, authorization.k8s.io/v1 SelfSubjectAccessReview. */
const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

interface Review {
  readonly spec?: { readonly resourceAttributes?: { readonly verb?: string; readonly resource?: string } };
}

export function isAccessReview(request: SimulatedRequest): boolean {
  return request.method === 'POST' && request.path === path;
}

/** Answers by the same rules by which requests are let in. */
export function accessReview({ body }: SimulatedRequest, { allows }: Access, now: number): AnswerReply {
  const review = JSON.parse(Buffer.from(body ?? []).toString('utf8')) as Review;
  const { verb = '', resource = '' } = review.spec?.resourceAttributes ?? {};
  return reply(201, wholeFeed(jsonBytes({ ...review, status: { allowed: allows(verb, resource) } })), { now });
}
