import type { Manifest } from './rendered.ts';

interface Validator {
  (data: unknown): boolean;
  readonly errors?:
    | readonly { readonly instancePath: string; readonly message?: string; readonly keyword: string; readonly params: unknown }[]
    | null;
}

// By path, since the packages do not export all of their schemas.
const packages = new URL('../../node_modules/', import.meta.url).href;
const core = `${packages}kubernetes-models/_schemas/IoK8sApi`;
const operator = `${packages}@kubernetes-models/prometheus-operator/_schemas/ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoring`;

/** Where the schema of an API group's kinds is: the group as the package spells it. */
const groups: Readonly<Record<string, string>> = {
  v1: `${core}CoreV1`,
  'apps/v1': `${core}AppsV1`,
  'policy/v1': `${core}PolicyV1`,
  'networking.k8s.io/v1': `${core}NetworkingV1`,
  'rbac.authorization.k8s.io/v1': `${core}RbacV1`,
  'monitoring.coreos.com/v1': `${operator}V1`,
};

/**
 * What Kubernetes' own schema has against a manifest. The compiled schemas pass fields that they do not know,
 * so whatever a schema never looked at is a fault as well.
 */
export async function schemaFaults(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind } = manifest as { readonly apiVersion: string; readonly kind: string };
  const from = groups[apiVersion];
  if (from === undefined) return [`no schemas for ${apiVersion}`];
  const { validate } = (await import(`${from}${kind}.js`)) as { readonly validate: Validator };
  const read = new Set<string>();
  const valid = validate(watched(manifest, '', read));
  const broken = valid
    ? []
    : (validate.errors ?? []).map(({ instancePath, keyword, params }) => `${instancePath} ${keyword} ${JSON.stringify(params)}`);
  return [
    ...broken,
    ...pathsOf(manifest, '')
      .filter((path) => !read.has(path))
      .map((path) => `${path} is not a field`),
  ];
}

/** Notes the path of every field that is asked for. */
function watched(value: object, path: string, read: Set<string>): object {
  return new Proxy(value, {
    get(target, key) {
      const field: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol') return field;
      read.add(`${path}/${key}`);
      return typeof field === 'object' && field !== null ? watched(field, `${path}/${key}`, read) : field;
    },
  });
}

function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => [`${path}/${key}`, ...pathsOf(field, `${path}/${key}`)]);
}
