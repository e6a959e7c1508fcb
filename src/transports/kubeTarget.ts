import { messageOf, PipelineError } from '../errors.ts';
import { environmentOf, isFields, type KubeConfigDocument, type KubeConfigSource, readKubeConfig } from './kubeConfigFile.ts';
import { proxyFromEnvironment } from './proxyFromEnvironment.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One cluster and one user, chosen and checked. */
export interface KubeTarget {
  /** Where it was found, for messages. */
  readonly origin: string;
  /** A path in it is kept in front of every request's path. */
  readonly server: URL;
  /** A kubeconfig with one context, in the words that KubeConfig of client-node reads. */
  readonly kubeConfigText: string;
  /** Headers that KubeConfig does not make. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Its tokens are refreshed in memory only, so it must not be read anew. */
  readonly keepsTokens: boolean;
}

/** Chooses the context and checks what it names. Throws CREDENTIALS_INVALID with the origin and the reason. */
export function kubeTarget(source: KubeConfigSource): KubeTarget {
  const document = readKubeConfig(source);
  const fault = (reason: string): PipelineError => new PipelineError('CREDENTIALS_INVALID', `${document.origin}: ${reason}`);
  const context = contextOf(document, source.context, fault);
  const named = partOf(document.clusters, 'cluster', context['cluster'], fault);
  const user = context['user'] === undefined || context['user'] === '' ? {} : partOf(document.users, 'user', context['user'], fault);
  const server = serverOf(named, fault);
  const proxy = proxyFromEnvironment(server, environmentOf(source));
  const cluster = proxy === undefined ? named : { 'proxy-url': proxy, ...named };
  return {
    origin: document.origin,
    server,
    kubeConfigText: JSON.stringify({
      clusters: [{ name: 'cluster', cluster: { ...cluster, server: server.href } }],
      users: [{ name: 'user', user: readableUser(user, cluster) }],
      contexts: [{ name: 'context', context: { cluster: 'cluster', user: 'user' } }],
      'current-context': 'context',
    }),
    headers: impersonation(user),
    keepsTokens: isFields(user['auth-provider']) && user['auth-provider']['name'] === 'oidc',
  };
}

type Fault = (reason: string) => PipelineError;

function contextOf(document: KubeConfigDocument, asked: string | undefined, fault: Fault): Fields {
  const names = document.contexts.map((each) => String(each['name']));
  const known = names.length === 0 ? 'it has no contexts' : `its contexts are ${names.join(', ')}`;
  const name = asked ?? document['current-context'];
  if (name === undefined) throw fault(`it has no current-context, so --context must name one (${known})`);
  return partOf(document.contexts, 'context', name, () => fault(`there is no context ${name} (${known})`));
}

function partOf(list: readonly Fields[], key: 'cluster' | 'user' | 'context', name: unknown, fault: Fault): Fields {
  const part = list.find((each) => each['name'] === name)?.[key];
  if (isFields(part)) return part;
  if (key === 'user' && part === null) return {};
  throw fault(`the context names the ${key} ${String(name)}, which is not there`);
}

function serverOf(cluster: Fields, fault: Fault): URL {
  const text = cluster['server'];
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw fault('the server of the cluster must be an https URL');
  if (url.protocol === 'http:' && cluster['insecure-skip-tls-verify'] !== true) {
    throw fault(`the server ${url.host} is plain http; if that is meant, set insecure-skip-tls-verify: true in its cluster`);
  }
  return url;
}

/** Spells what client-node does not read so that it does. Source: client-node 2.0.1, config_types and exec_auth. */
function readableUser(user: Fields, cluster: Fields): Fields {
  const { tokenFile, token, ...rest } = user;
  if (typeof tokenFile === 'string' && tokenFile !== '') {
    // The official key; read again every minute, and it wins over `token`.
    return { ...rest, 'auth-provider': { name: 'tokenFile', config: { tokenFile } } };
  }
  const exec = user['exec'];
  return isFields(exec) ? { ...user, exec: { ...exec, env: [...variablesOf(exec), execInfo(exec, cluster)] } } : user;
}

function variablesOf(exec: Fields): readonly unknown[] {
  return Array.isArray(exec['env']) ? exec['env'] : [];
}

/** What kubectl tells an exec plugin; several plugins refuse to work without it. */
function execInfo(exec: Fields, cluster: Fields): Fields {
  const told = {
    server: cluster['server'],
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
    'certificate-authority-data': cluster['certificate-authority-data'],
    'proxy-url': cluster['proxy-url'],
  };
  const spec = { interactive: false, ...(exec['provideClusterInfo'] === true ? { cluster: told } : {}) };
  return { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify({ apiVersion: exec['apiVersion'], kind: 'ExecCredential', spec }) };
}

/** `as` is known to KubeConfig, the rest is not. */
function impersonation(user: Fields): Readonly<Record<string, string | readonly string[]>> {
  const groups = user['as-groups'];
  const extra = user['as-user-extra'];
  return {
    ...(typeof user['as-uid'] === 'string' ? { 'impersonate-uid': user['as-uid'] } : {}),
    ...(Array.isArray(groups) ? { 'impersonate-group': groups.map(String) } : {}),
    ...(isFields(extra)
      ? Object.fromEntries(
          Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [values].flat().map(String)]),
        )
      : {}),
  };
}

/** The reason why the source cannot be used, or nothing. Makes no request and runs no plugin. */
export function kubeConfigFault(source: KubeConfigSource): string | undefined {
  try {
    kubeTarget(source);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
