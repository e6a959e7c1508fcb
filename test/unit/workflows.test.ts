import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes': number;
  readonly needs?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = new URL('../../', import.meta.url);
const names = readdirSync(new URL('.github/workflows', root));
const { scripts, version } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>>; version: string };

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

function workflow(name: string): Workflow {
  const document = parseDocument(read(`.github/workflows/${name}`), { strict: true });
  expect([document.errors, document.warnings]).toEqual([[], []]);
  return document.toJS() as Workflow;
}

/** Throws where bash cannot parse it; expressions of GitHub are words by then. */
function parseByBash(script: string): void {
  execFileSync('bash', ['-n'], { input: script.replace(/\$\{\{.*?\}\}/g, 'word'), stdio: ['pipe', 'ignore', 'pipe'] });
}

test('there is one for changes, one for clusters, one for releases', () => {
  expect(names.sort()).toEqual(['ci.yml', 'e2e.yml', 'release.yml']);
});

describe.each(names)('%s', (name) => {
  const { on, permissions, jobs } = workflow(name);
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

  test('may read, unless a job says more; every job has a limit of time and waits for jobs that exist', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.keys(on).length).toBeGreaterThan(0);
    for (const job of Object.values(jobs)) {
      expect(job['runs-on']).toMatch(/^ubuntu-\d\d\.\d\d$/);
      expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
      expect(job.needs === undefined || job.needs in jobs).toBe(true);
    }
  });

  test('pins each action to a version', () => {
    const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
    expect(steps.filter(({ uses, run }) => (uses === undefined) === (run === undefined))).toEqual([]);
  });

  test('calls npm scripts and files that exist', () => {
    const called = commands.flatMap((command) => [...command.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script]) => String(script)));
    expect(called.filter((script) => scripts[script] === undefined)).toEqual([]);
    const files = commands.flatMap((command) => command.match(/(?<![\w/])(?:\.ci|k8s|test)\/[\w./-]+/g) ?? []);
    expect(files.filter((file) => !file.endsWith('/') && !existsSync(new URL(file, root)))).toEqual([]);
    for (const command of commands) parseByBash(command);
  });
});

test('the tests run on every Node that is supported, the clusters are three', () => {
  expect(workflow('ci.yml').jobs['node']?.strategy?.matrix).toEqual({ node: [22, 24, 26] });
  const versions = workflow('e2e.yml').jobs['kind']?.strategy?.matrix['kubernetes'];
  expect(versions).toHaveLength(3);
  expect(versions?.filter((kubernetes) => !/^v1\.\d+\.\d+$/.test(String(kubernetes)))).toEqual([]);
});

test('one version everywhere: the package, the image, the manifests and what is loaded into a cluster', () => {
  expect(read('Dockerfile')).toContain(`ARG VERSION=${version}\n`);
  for (const overlay of ['single', 'sharded']) expect(read(`k8s/${overlay}/kustomization.yaml`)).toContain(`newTag: ${version}\n`);
  expect(read('k8s/base/statefulset.yaml')).toContain(`image: kube-sluice:${version}\n`);
  expect(read('.github/workflows/e2e.yml')).toContain(`docker-image kube-sluice:${version} `);
});

test.each(['run', 'image', 'contained'])('bash can read .ci/%s', (name) => {
  expect(read(`.ci/${name}`)).toMatch(/^#!\/usr\/bin\/env bash\n/);
  parseByBash(read(`.ci/${name}`));
});
