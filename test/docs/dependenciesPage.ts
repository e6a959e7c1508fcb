import { readFileSync } from 'node:fs';
import { code, page, table } from './markdown.ts';

interface Package {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** What each direct dependency is for. A new one needs its line. */
const purposes: Readonly<Record<string, string>> = {
  '@google-cloud/logging': 'credentials, project and types of Cloud Logging; loaded only for that sink',
  '@kubernetes/client-node': 'KubeConfig: kubeconfigs, service accounts, exec plugins, OpenID Connect, TLS',
  '@observablehq/plot': 'the charts of `inspect`',
  'cli-progress': 'progress bars of `demo` and `replay`',
  'cli-table3': 'tables of `demo` and `replay`',
  'gcp-metadata': 'name and place of a GKE cluster; loaded only for Cloud Logging',
  linkedom: 'a document for the charts of `inspect` to be drawn into',
  pino: 'the log',
  'prom-client': 'metrics',
  rxjs: 'observables and operators, of which everything is made',
  undici: 'HTTP',
  yaml: 'kubeconfigs and the file of `--config`',
  yargs: 'the command line, its help and completion',
};

/** Packages that a user's install brings, by path in node_modules. */
export function productionPackages(): readonly (readonly [name: string, Package])[] {
  const { packages } = lock();
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path, found]): [string, Package] => [path.replace(/^.*node_modules\//, ''), found])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function lock(): { readonly packages: Readonly<Record<string, Package>> } {
  return JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as { packages: Record<string, Package> };
}

export function dependenciesPage(): string {
  const all = productionPackages();
  const direct = Object.keys(lock().packages['']?.dependencies ?? {});
  const versions = new Map(all.map(([name, { version }]) => [name, version]));
  const licences = new Map<string, number>();
  for (const [, { license = 'not stated' }] of all) licences.set(license, (licences.get(license) ?? 0) + 1);
  return page(
    '# Dependencies',
    `A user's install brings ${all.length} packages, ${direct.length} of them directly. It works with \`--ignore-scripts\`: none needs a script of its own. In the image all but those of Cloud Logging are bundled into the program, and only the used parts of them.`,
    '## Direct',
    table(
      ['package', 'version', 'for'],
      direct.map((name) => [
        code(name),
        versions.get(name) ?? '',
        purposes[name] ?? 'no purpose is written: add it to test/docs/dependenciesPage.ts',
      ]),
    ),
    '## By licence',
    table(
      ['licence', 'packages'],
      [...licences].sort(([, a], [, b]) => b - a).map(([licence, count]) => [licence, String(count)]),
    ),
    '## All',
    table(
      ['package', 'version', 'licence'],
      all.map(([name, { version, license = 'not stated' }]) => [code(name), version, license]),
    ),
  );
}
