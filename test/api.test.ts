import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiReport, emitDeclarations } from './docs/apiReport.ts';
import { allNames } from './docs/referencePages.ts';

const advice = 'differs from the sources: look at the change, then run `npm run docs`';

beforeAll(emitDeclarations, 60_000);

describe.each(['index', 'testing'])('the public API of %s', (entry) => {
  test('is what docs/api says, and names every type that it needs', { timeout: 120_000 }, async () => {
    const path = new URL(`../docs/api/${entry}.api.md`, import.meta.url).pathname;
    const existed = existsSync(path);
    const { text, forgotten } = apiReport(entry);
    await expect(text, `${path} ${advice}`).toMatchFileSnapshot(path);
    expect(existed, `${path} is missing: run \`npm run docs\``).toBe(true);
    const exported = new Set(allNames.map(({ name }) => name));
    expect(forgotten.filter((name) => !exported.has(name))).toEqual([]);
  });
});

test('every exported name has a docstring', () => {
  expect(allNames.length).toBeGreaterThan(100);
  expect(allNames.filter(({ doc }) => doc === '').map(({ name, path }) => `${name} in ${path}`)).toEqual([]);
});
