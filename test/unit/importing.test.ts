import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** Imports an entry point in a process of its own, and tells what that did. */
const probe = (entry: string): string => `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const read = [];
  // What Node's own loader looks up is Node's business.
  const note = (name) => { if (!/node:internal/.test(new Error().stack.split('\\n')[3] ?? '')) read.push(name); };
  process.env = new Proxy({ ...process.env }, { get: (all, name) => (note(String(name)), all[name]), ownKeys: (all) => (note('*'), Reflect.ownKeys(all)) });
  const written = [];
  for (const stream of [process.stdout, process.stderr]) { const write = stream.write.bind(stream); stream.write = (...given) => (written.push(given[0]), write(...given)); }
  const library = await import(${JSON.stringify(entry)});
  const packages = new Set(loaded.flatMap((url) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules\\/)/.exec(url)?.[1] ?? []));
  const listeners = ['exit', 'SIGTERM', 'SIGINT', 'uncaughtException', 'unhandledRejection'].filter((name) => process.listenerCount(name) > 0);
  const told = { names: Object.keys(library).length, packages: [...packages].sort(), read, written, listeners, active: process.getActiveResourcesInfo() };
  console.log(JSON.stringify(told));
`;

interface Told {
  readonly names: number;
  readonly packages: readonly string[];
  readonly read: readonly string[];
  readonly written: readonly string[];
  readonly listeners: readonly string[];
  readonly active: readonly string[];
}

describe.each([
  ['index.ts', ['@opentelemetry/api', 'bintrees', 'prom-client', 'rxjs', 'tdigest', 'yaml']],
  ['testing.ts', ['rxjs']],
])('importing src/%s', (file, packages) => {
  const entry = fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
  // It ends by itself: whatever it had started would keep it alive until the limit.
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', probe(entry)], { encoding: 'utf8', timeout: 25_000 });
  const told = JSON.parse(output) as Told;

  test('starts nothing, writes nothing and reads no environment', () => {
    expect(told.names).toBeGreaterThan(5);
    expect(told).toMatchObject({ read: [], written: [], listeners: [] });
    expect(told.active.filter((name) => name !== 'PipeWrap')).toEqual([]);
  });

  test('loads small packages only: the Kubernetes client, undici and Google wait until they are used', () => {
    expect(told.packages).toEqual(packages);
  });
});
