import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dependenciesPage, productionPackages } from '../docs/dependenciesPage.ts';

/** Licences that ask for no more than to be named. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unlicense',
  '(BSD-2-Clause OR MIT OR Apache-2.0)',
];

test('everything in production has a permissive licence', () => {
  const others = productionPackages().filter(([, { license }]) => !permissive.includes(license ?? ''));
  expect(others.map(([name, { license }]) => `${name}: ${license}`)).toEqual([]);
});

test('every direct dependency has its purpose written down', () => {
  expect(dependenciesPage()).not.toContain('no purpose is written');
});

test('no package of production runs a script when it is installed, or can do without it', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Readonly<Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean; hasInstallScript?: boolean }>>;
  };
  const scripted = Object.entries(packages).filter(
    ([, each]) => each.hasInstallScript === true && each.dev !== true && each.optional !== true,
  );
  // protobufjs only compares version numbers there.
  expect(scripted.map(([path]) => path.replace(/^.*node_modules\//, '')).filter((name) => name !== 'protobufjs')).toEqual([]);
});
