import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { messageOf, PipelineError } from '../errors.ts';

/** Where the address of the API server and the credentials come from. */
export interface KubeConfigSource {
  /**
   * Path of a kubeconfig. Absent: the files that KUBECONFIG names, else ~/.kube/config, else the
   * service account of the pod this runs in.
   */
  readonly kubeconfig?: string;
  /** A kubeconfig itself, in place of any file. Paths in it are relative to the working folder. */
  readonly kubeconfigText?: string;
  /** A context of the kubeconfig. Absent: its current-context. */
  readonly context?: string;
  /** Variables to look in. Absent: those of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Folder with a pod's token and ca.crt. Default: where Kubernetes mounts it. */
  readonly serviceAccountFolder?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** A kubeconfig as plain data, its paths absolute; the lists hold `{ name, cluster | user | context }`. */
export interface KubeConfigDocument {
  readonly clusters: readonly Fields[];
  readonly users: readonly Fields[];
  readonly contexts: readonly Fields[];
  readonly 'current-context'?: string;
  /** How messages name it. */
  readonly origin: string;
}

/** How messages name the service account of the pod. */
export const serviceAccountOrigin = 'service account';

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Finds and reads the kubeconfig, or makes one of the pod's service account. Throws CREDENTIALS_INVALID. */
export function readKubeConfig(source: KubeConfigSource): KubeConfigDocument {
  const environment = environmentOf(source);
  if (source.kubeconfigText !== undefined) return parse('(as given)', source.kubeconfigText);
  if (source.kubeconfig !== undefined) return readFile(source.kubeconfig);
  const listed = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return merge(listed.map(readFile));
  const home = environment['HOME'];
  const text = home === undefined || home === '' ? undefined : readText(join(home, '.kube', 'config'));
  if (home !== undefined && text !== undefined) return parse(join(home, '.kube', 'config'), text);
  return ofServiceAccount(source.serviceAccountFolder ?? serviceAccountFolder, environment);
}

/** The variables to look in. */
export function environmentOf(source: KubeConfigSource): Readonly<Record<string, string | undefined>> {
  // tidy-allow ambient: kubectl and client-go look there too, so callers expect it without saying so
  return source.environment ?? process.env;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new PipelineError('CREDENTIALS_INVALID', `kubeconfig ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function readFile(path: string): KubeConfigDocument {
  const text = readText(path);
  if (text === undefined) throw new PipelineError('CREDENTIALS_INVALID', `kubeconfig ${path} does not exist`);
  return parse(path, text);
}

function parse(path: string, text: string): KubeConfigDocument {
  const lines = new LineCounter();
  // Pretty errors and warnings quote the file, and with it perhaps a token.
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', lineCounter: lines });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const where = `line ${lines.linePos(fault.pos[0]).line}`;
    throw new PipelineError('CREDENTIALS_INVALID', `kubeconfig ${path} is not valid YAML: ${fault.code} in ${where}`);
  }
  let fields: unknown;
  try {
    fields = document.toJS();
  } catch {
    // The message quotes the file too.
    throw new PipelineError(
      'CREDENTIALS_INVALID',
      `kubeconfig ${path} is not valid YAML: an alias without its anchor, or too many aliases`,
    );
  }
  if (!isFields(fields)) throw new PipelineError('CREDENTIALS_INVALID', `kubeconfig ${path} is not a mapping`);
  const folder = dirname(resolve(path));
  return {
    clusters: listOf(fields, 'clusters', path).map((each) => ({
      ...each,
      cluster: absolute(each['cluster'], folder, ['certificate-authority']),
    })),
    users: listOf(fields, 'users', path).map((each) => ({ ...each, user: absoluteUser(each['user'], folder) })),
    contexts: listOf(fields, 'contexts', path),
    ...(typeof fields['current-context'] === 'string' && fields['current-context'] !== ''
      ? { 'current-context': fields['current-context'] }
      : {}),
    origin: `kubeconfig ${path}`,
  };
}

function listOf(fields: Fields, key: string, path: string): readonly Fields[] {
  const list = fields[key] ?? [];
  if (Array.isArray(list) && list.every(isFields)) return list;
  throw new PipelineError('CREDENTIALS_INVALID', `kubeconfig ${path}: ${key} must be a list of mappings`);
}

/** As kubectl merges: of entries with one name the first wins, and so does the first current-context. */
function merge(documents: readonly KubeConfigDocument[]): KubeConfigDocument {
  const first = (key: 'clusters' | 'users' | 'contexts'): readonly Fields[] => {
    const byName = new Map<unknown, Fields>();
    for (const each of documents.flatMap((document) => document[key])) if (!byName.has(each['name'])) byName.set(each['name'], each);
    return [...byName.values()];
  };
  const current = documents.map((document) => document['current-context']).find((name) => name !== undefined);
  return {
    clusters: first('clusters'),
    users: first('users'),
    contexts: first('contexts'),
    ...(current === undefined ? {} : { 'current-context': current }),
    origin: documents.map((document) => document.origin).join(', '),
  };
}

function ofServiceAccount(folder: string, environment: Readonly<Record<string, string | undefined>>): KubeConfigDocument {
  const host = environment['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = environment['KUBERNETES_SERVICE_PORT'] ?? '';
  if (host === '' || port === '' || readText(join(folder, 'token')) === undefined) {
    const rule = 'no cluster to talk to: set --kubeconfig or KUBECONFIG, or run in a pod with a mounted service account';
    const missing =
      host === '' || port === '' ? 'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set' : `${folder}/token is missing`;
    throw new PipelineError('CREDENTIALS_INVALID', `${rule} (there is no ~/.kube/config, and ${missing})`);
  }
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    clusters: [{ name: 'in-cluster', cluster: { server, 'certificate-authority': join(folder, 'ca.crt') } }],
    users: [{ name: 'in-cluster', user: { tokenFile: join(folder, 'token') } }],
    contexts: [{ name: 'in-cluster', context: { cluster: 'in-cluster', user: 'in-cluster' } }],
    'current-context': 'in-cluster',
    origin: serviceAccountOrigin,
  };
}

function absolute(value: unknown, folder: string, keys: readonly string[]): unknown {
  if (!isFields(value)) return value;
  const paths = keys.flatMap((key) => {
    const path = value[key];
    return typeof path === 'string' && path !== '' && !isAbsolute(path) ? [[key, join(folder, path)] as const] : [];
  });
  return { ...value, ...Object.fromEntries(paths) };
}

function absoluteUser(value: unknown, folder: string): unknown {
  const user = absolute(value, folder, ['client-certificate', 'client-key', 'tokenFile']);
  if (!isFields(user) || !isFields(user['exec'])) return user;
  // A plain command name is looked up in PATH; one with a slash is relative to its kubeconfig.
  const command = user['exec']['command'];
  const relative = typeof command === 'string' && command.includes('/');
  return relative ? { ...user, exec: absolute(user['exec'], folder, ['command']) } : user;
}

/** True for a plain mapping. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
