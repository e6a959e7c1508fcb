import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { readKubeConfig } from '../../src/transports/kubeConfigFile.ts';
import type { Admin } from './admin.ts';

interface RbacManifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly roleRef?: { readonly name: string };
  readonly subjects?: readonly { readonly namespace?: string }[];
}

/** What the program is given in a cluster. */
export interface Installed {
  /** A kubeconfig that holds nothing but the service account's token. */
  readonly kubeconfig: string;
  /** Removes what is not inside the namespace. */
  uninstall(): Promise<void>;
}

const rbacPath = '/apis/rbac.authorization.k8s.io/v1';
const plurals: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceaccounts',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
};

/** Creates the service account and the rules of k8s/base, in a namespace that exists, under the namespace's name. */
export async function install(cluster: Admin, namespace: string, adminKubeconfig: string): Promise<Installed> {
  const text = readFileSync(new URL('../../k8s/base/rbac.yaml', import.meta.url), 'utf8');
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as RbacManifest);
  const wide: string[] = [];
  for (const manifest of manifests) {
    const { kind, metadata, roleRef, subjects } = manifest;
    const isWide = metadata.namespace === undefined;
    const root = kind === 'ServiceAccount' ? '/api/v1' : rbacPath;
    const collection = `${root}${isWide ? '' : `/namespaces/${namespace}`}/${plurals[kind]}`;
    await cluster.create(collection, {
      ...manifest,
      metadata: { name: namespace, ...(isWide ? {} : { namespace }) },
      ...(roleRef === undefined ? {} : { roleRef: { ...roleRef, name: namespace } }),
      ...(subjects === undefined ? {} : { subjects: subjects.map((subject) => ({ ...subject, name: namespace, namespace })) }),
    });
    if (isWide) wide.push(`${collection}/${namespace}`);
  }
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts/${namespace}`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7_200 } };
  const { status } = await cluster.create(`${account}/token`, request);
  return {
    kubeconfig: kubeconfigWith((status as { token: string }).token, adminKubeconfig),
    async uninstall() {
      for (const path of wide) await cluster.remove(path);
    },
  };
}

/** The same server, trusted by the same authority, and another user. */
function kubeconfigWith(token: string, adminKubeconfig: string): string {
  const config = readKubeConfig({ kubeconfig: adminKubeconfig });
  const current = config.contexts.find(({ name }) => name === config['current-context'])?.['context'] as { cluster: string };
  const cluster = config.clusters.find(({ name }) => name === current.cluster);
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [cluster],
    users: [{ name: 'exporter', user: { token } }],
    contexts: [{ name: 'exporter', context: { cluster: current.cluster, user: 'exporter' } }],
    'current-context': 'exporter',
  });
}
