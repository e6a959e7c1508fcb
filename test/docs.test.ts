import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { legend } from '../marbles/drawing/legend.ts';
import { optionTable } from '../src/config/options.ts';
import { readValue } from '../src/config/readValue.ts';
import { configSchema } from './docs/configSchema.ts';
import { deliveryDrawing } from './docs/deliveryDrawing.ts';
import { dependenciesPage } from './docs/dependenciesPage.ts';
import { errorsPage } from './docs/errorsPage.ts';
import { flagsPage } from './docs/flagsPage.ts';
import { drawnSpecs, marblesPage } from './docs/marblesPage.ts';
import { metricsPage } from './docs/metricsPage.ts';
import { referencePages } from './docs/referencePages.ts';

const reference = Object.fromEntries(Object.entries(referencePages).map(([name, make]) => [`reference/${name}`, make]));
const pages = {
  'config.schema.json': configSchema,
  'flags.md': flagsPage,
  'metrics.md': metricsPage,
  'dependencies.md': dependenciesPage,
  'errors.md': errorsPage,
  'delivery.svg': deliveryDrawing,
  'marbles/README.md': marblesPage,
  'marbles/legend.svg': legend,
  ...reference,
};

describe.each(Object.entries(pages))('docs/%s', (name, make) => {
  const path = new URL(`../docs/${name}`, import.meta.url).pathname;
  const advice = `docs/${name} is not what src/ says: run \`npm run docs\``;
  // Asked before the comparison, which would write a missing page and pass.
  const existed = existsSync(path);

  test('says what the code says', async () => {
    await expect(make(), advice).toMatchFileSnapshot(path);
    expect(existed, advice).toBe(true);
  });
});

test.each(Object.entries(optionTable))('--%s: default and example are valid values', (name, option) => {
  expect(readValue(option, option.default, name)).toHaveProperty('value');
  expect(readValue(option, option.example, name)).toHaveProperty('value');
});

test('every drawing in docs/marbles has its spec', () => {
  const wanted = drawnSpecs().flatMap(({ name, all }) => [`${name}.svg`, ...(all ? [`${name}.all.svg`] : [])]);
  const drawings = readdirSync(new URL('../docs/marbles/', import.meta.url)).filter(
    (name) => name.endsWith('.svg') && name !== 'legend.svg',
  );
  expect(wanted.length).toBeGreaterThan(20);
  expect(drawings.sort()).toEqual(wanted.sort());
});
