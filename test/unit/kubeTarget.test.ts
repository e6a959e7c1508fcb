import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KubeConfigSource } from '../../src/transports/kubeConfigFile.ts';
import { kubeConfigFault, kubeTarget } from '../../src/transports/kubeTarget.ts';

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'kube-sluice-'));
}

function fileOf(text: string, name = 'config'): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

const good = `
clusters:
- {name: c, cluster: {server: "https://c.test:6443", certificate-authority: ca.crt}}
- {name: d, cluster: {server: "https://d.test"}}
users:
- {name: u, user: {client-certificate: client.crt, client-key: /keys/client.key}}
- {name: t, user: {tokenFile: token, token: old}}
- {name: e, user: {exec: {command: ./bin/plugin, apiVersion: v1}}}
- {name: anonymous, user: }
contexts:
- {name: one, context: {cluster: c, user: u}}
- {name: two, context: {cluster: d, user: t}}
- {name: three, context: {cluster: d, user: e}}
- {name: four, context: {cluster: d, user: anonymous}}
- {name: five, context: {cluster: d}}
- {name: lost, context: {cluster: nowhere, user: u}}
- {name: nobody, context: {cluster: c, user: nobody}}
current-context: one
`;

function target(source: KubeConfigSource) {
  const { server, kubeConfigText, origin } = kubeTarget({ environment: {}, ...source });
  const { clusters, users } = JSON.parse(kubeConfigText) as { clusters: [{ cluster: object }]; users: [{ user: object }] };
  return { origin, server: server.href, cluster: clusters[0].cluster, user: users[0].user };
}

describe('kubeTarget', () => {
  it('takes the current context, and paths relative to the file', () => {
    const path = fileOf(good);
    const beside = (name: string): string => join(path, '..', name);
    expect(target({ kubeconfig: path })).toEqual({
      origin: `kubeconfig ${path}`,
      server: 'https://c.test:6443/',
      cluster: { server: 'https://c.test:6443/', 'certificate-authority': beside('ca.crt') },
      user: { 'client-certificate': beside('client.crt'), 'client-key': '/keys/client.key' },
    });
  });

  it('takes the context that is asked for, and spells tokenFile so that it is read', () => {
    const path = fileOf(good);
    expect(target({ kubeconfig: path, context: 'two' })).toMatchObject({
      server: 'https://d.test/',
      user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile: join(path, '..', 'token') } } },
    });
    expect(target({ kubeconfig: path, context: 'two' }).user).not.toHaveProperty('token');
  });

  it('finds an exec plugin beside its kubeconfig', () => {
    const path = fileOf(good);
    expect(target({ kubeconfig: path, context: 'three' }).user).toMatchObject({ exec: { command: join(path, '..', 'bin/plugin') } });
  });

  it('takes a context without a user', () => {
    const path = fileOf(good);
    expect(target({ kubeconfig: path, context: 'four' }).user).toEqual({});
    expect(target({ kubeconfig: path, context: 'five' }).user).toEqual({});
  });

  it('merges the files of KUBECONFIG, the first wins', () => {
    const first = fileOf('users: [{name: u, user: {token: first}}]\nclusters: [{name: c, cluster: {server: "https://first.test"}}]\n');
    const KUBECONFIG = ['', first, fileOf(good)].join(delimiter);
    expect(target({ environment: { KUBECONFIG } })).toMatchObject({ server: 'https://first.test/', user: { token: 'first' } });
  });

  it('looks into ~/.kube/config, which KUBECONFIG and --kubeconfig replace', () => {
    const home = folder();
    mkdirSync(join(home, '.kube'));
    writeFileSync(join(home, '.kube', 'config'), good.replace('c.test', 'home.test'));
    const environment = { HOME: home };
    expect(target({ environment }).server).toBe('https://home.test:6443/');
    expect(target({ environment, kubeconfig: fileOf(good) }).server).toBe('https://c.test:6443/');
    expect(target({ environment: { ...environment, KUBECONFIG: fileOf(good) } }).server).toBe('https://c.test:6443/');
  });

  it('makes a target of the service account, also for IPv6', () => {
    const serviceAccountFolder = folder();
    writeFileSync(join(serviceAccountFolder, 'token'), 'abc');
    const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443', HOME: folder() };
    expect(target({ environment, serviceAccountFolder })).toEqual({
      origin: 'service account',
      server: 'https://[fd00::1]/',
      cluster: { server: 'https://[fd00::1]/', 'certificate-authority': join(serviceAccountFolder, 'ca.crt') },
      user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile: join(serviceAccountFolder, 'token') } } },
    });
  });

  it('takes the proxy of the environment unless the kubeconfig names one', () => {
    const path = fileOf(good.replace('"https://d.test"', '"https://d.test", proxy-url: "http://own.test"'));
    const environment = { HTTPS_PROXY: 'http://proxy.test' };
    expect(target({ environment, kubeconfig: path }).cluster).toMatchObject({ 'proxy-url': 'http://proxy.test' });
    expect(target({ environment, kubeconfig: path, context: 'two' }).cluster).toMatchObject({ 'proxy-url': 'http://own.test' });
  });
});

describe('kubeConfigFault', () => {
  const faultOf = (text: string, context?: string): string | undefined => {
    const path = fileOf(text);
    return kubeConfigFault({ kubeconfig: path, environment: {}, ...(context === undefined ? {} : { context }) })?.replace(path, 'FILE');
  };

  it('says nothing about a good one', () => {
    expect(faultOf(good)).toBeUndefined();
  });

  it.each<[string, string, string | undefined]>([
    ['kubeconfig FILE: there is no context six (its contexts are one, two, three, four, five, lost, nobody)', good, 'six'],
    ['kubeconfig FILE: the context names the cluster nowhere, which is not there', good, 'lost'],
    ['kubeconfig FILE: the context names the user nobody, which is not there', good, 'nobody'],
    [
      'kubeconfig FILE: it has no current-context, so --context must name one (its contexts are one, two, three, four, five, lost, nobody)',
      good.replace('current-context: one', ''),
      undefined,
    ],
    ['kubeconfig FILE: it has no current-context, so --context must name one (it has no contexts)', '{}', undefined],
    ['kubeconfig FILE is not a mapping', 'just text', undefined],
    ['kubeconfig FILE is not a mapping', '', undefined],
    ['kubeconfig FILE is not valid YAML: BAD_INDENT in line 2', 'users: [\ntoken: secret', undefined],
    ['kubeconfig FILE is not valid YAML: an alias without its anchor, or too many aliases', 'users: [{name: *secret}]', undefined],
    ['kubeconfig FILE: users must be a list of mappings', 'users: none', undefined],
    ['kubeconfig FILE: the server of the cluster must be an https URL', good.replace('https://c.test:6443', 'c.test'), undefined],
    [
      'kubeconfig FILE: the server c.test:6443 is plain http; if that is meant, set insecure-skip-tls-verify: true in its cluster',
      good.replace('https://c', 'http://c'),
      undefined,
    ],
  ])('says: %s', (wanted, text, context) => {
    expect(faultOf(text, context)).toBe(wanted);
  });

  it('takes a text in place of any file', () => {
    expect(kubeConfigFault({ kubeconfigText: good, kubeconfig: '/nowhere', environment: {} })).toBeUndefined();
    expect(kubeConfigFault({ kubeconfigText: 'just text', environment: {} })).toBe('kubeconfig (as given) is not a mapping');
  });

  it('names a file that is not there, and one that cannot be read', () => {
    const missing = join(folder(), 'missing');
    expect(kubeConfigFault({ kubeconfig: missing, environment: {} })).toBe(`kubeconfig ${missing} does not exist`);
    const directory = folder();
    expect(kubeConfigFault({ kubeconfig: directory, environment: {} })).toContain(`kubeconfig ${directory} cannot be read: EISDIR`);
  });

  it('says what to set where there is no cluster at all', () => {
    const rule = 'no cluster to talk to: set --kubeconfig or KUBECONFIG, or run in a pod with a mounted service account';
    expect(kubeConfigFault({ environment: {} })).toBe(
      `${rule} (there is no ~/.kube/config, and KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set)`,
    );
    const serviceAccountFolder = folder();
    const environment = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    expect(kubeConfigFault({ environment, serviceAccountFolder })).toBe(
      `${rule} (there is no ~/.kube/config, and ${serviceAccountFolder}/token is missing)`,
    );
  });
});
