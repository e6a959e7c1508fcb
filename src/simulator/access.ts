import type { Route, SimulatedRequest, WriteKind } from './route.ts';
import { forbidden, type StatusBody, unauthorized } from './statuses.ts';

/** Who may ask for what. */
export interface Access {
  /** From now on only this bearer token is known; undefined lets everybody in. */
  requireToken(token: string | undefined): void;
  /** Forbids what fits until the answer is called; an absent part fits all. */
  forbid(what: Forbidden): () => void;
  /** Whether anybody may do this to any object of the kind. */
  allows(verb: string, plural: string): boolean;
}

export interface Forbidden {
  readonly path?: string;
  /** `events`, `pods` or `leases`. */
  readonly plural?: string;
  readonly verb?: 'get' | 'list' | 'watch' | WriteKind;
}

const user = 'system:serviceaccount:kube-sluice:kube-sluice';

/** The server's side of it answers with a Status where the request ends. */
export function access(token: string | undefined): Access & { check(route: Route, request: SimulatedRequest): StatusBody | undefined } {
  let known = token;
  let rules: Forbidden[] = [];
  return {
    requireToken(next) {
      known = next;
    },
    forbid(what) {
      rules.push(what);
      return () => {
        rules = rules.filter((rule) => rule !== what);
      };
    },
    allows: (verb, plural) =>
      !rules.some((rule) => rule.path === undefined && (rule.plural ?? plural) === plural && (rule.verb ?? verb) === verb),
    check(route, { path, headers }) {
      if (known !== undefined && headers['authorization'] !== `Bearer ${known}`) return unauthorized;
      const verb = verbOf(route);
      const fits = (rule: Forbidden): boolean =>
        (rule.path ?? path) === path && (rule.plural ?? route.stream) === route.stream && (rule.verb ?? verb) === verb;
      if (!rules.some(fits)) return undefined;
      return forbidden({ user, verb, group: route.kind?.group ?? '', plural: route.stream, namespace: route.namespace, name: route.name });
    },
  };
}

function verbOf({ on }: Route): string {
  switch (on) {
    case 'watch':
    case 'watchList':
      return 'watch';
    case 'list':
    case 'page':
      return 'list';
    case 'create':
    case 'update':
    case 'delete':
      return on;
    case 'get':
    case 'version':
    case 'other':
      return 'get';
  }
}
