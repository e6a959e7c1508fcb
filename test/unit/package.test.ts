import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The source that the compiler makes a file of dist/ from. */
function sourceOf(built: string): string {
  return built.replace(/^\.\/dist\//, 'src/').replace(/(\.d\.ts|\.js)$/, '.ts');
}

test('versions are exact', () => {
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('the lock file says what to install, not from where', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, { resolved?: string }>> };
  expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

test('every command and entry point has a source', () => {
  const built = [
    ...Object.values(manifest.bin),
    ...Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [] : Object.values(entry))),
  ];
  expect(built.length).toBeGreaterThan(4);
  expect(built.map(sourceOf).filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
});

test('the command can be run as a program', () => {
  for (const built of Object.values(manifest.bin)) expect(read(sourceOf(built)).split('\n')[0]).toBe('#!/usr/bin/env node');
});

test('the image takes everything that it copies past the ignore file', () => {
  const kept = new Set([...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path));
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  expect(copied.length).toBeGreaterThan(4);
  expect(copied.filter((path) => !kept.has(path))).toEqual([]);
});
