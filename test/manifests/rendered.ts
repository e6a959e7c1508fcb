import { execFileSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { kubectl } from './kubectl.ts';

export type Manifest = Readonly<Record<string, unknown>>;

const folder = new URL('../../k8s/', import.meta.url).pathname;

/** The manifests of a kustomization under k8s/, as kubectl makes them. */
export function rendered(name: string): readonly Manifest[] {
  return documents(execFileSync(kubectl(), ['kustomize', folder + name], { encoding: 'utf8' }));
}

export function documents(text: string): readonly Manifest[] {
  return parseAllDocuments(text, { strict: true }).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as Manifest;
  });
}

/** The one manifest of a kind. */
export function only(kind: string, manifests: readonly Manifest[]): Manifest {
  const [manifest, ...more] = manifests.filter((candidate) => candidate['kind'] === kind);
  if (manifest === undefined || more.length > 0)
    throw new Error(`there must be one ${kind} (got ${more.length + (manifest === undefined ? 0 : 1)})`);
  return manifest;
}

/** The value at a path of names and indexes. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, step) => (inner as Manifest | undefined)?.[step], value);
}
