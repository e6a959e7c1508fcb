import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tlsFile } from './apiServer.ts';

/** A new empty folder. */
export function folder(): string {
  return mkdtempSync(join(tmpdir(), 'kube-sluice-'));
}

interface KubeConfigParts {
  readonly server: string;
  readonly cluster?: object;
  readonly user?: object;
}

/** Writes a kubeconfig with one context into a folder of its own; TLS servers are trusted by the test's CA. */
export function kubeconfig({ server, cluster, user }: KubeConfigParts): string {
  const trust = server.startsWith('https') ? { 'certificate-authority': tlsFile('ca.crt') } : { 'insecure-skip-tls-verify': true };
  const path = join(folder(), 'config');
  const document = {
    clusters: [{ name: 'c', cluster: cluster ?? { server, ...trust } }],
    users: [{ name: 'u', user: user ?? { token: 'abc' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(path, JSON.stringify(document));
  return path;
}
