import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutAllowed } from './tidy/allow.ts';
import { fileFaults } from './tidy/fileRules.ts';
import { readSource } from './tidy/source.ts';
import { treeFaults } from './tidy/treeRules.ts';

const root = new URL('../', import.meta.url);

test('the tree keeps the rules of STYLE.md', () => {
  const sources = ['src', 'test', 'marbles']
    .flatMap(typescriptFiles)
    .map((path) => readSource(path, readFileSync(new URL(path, root), 'utf8')));
  const acrossFiles = treeFaults(sources);
  const faults = sources.flatMap((source) =>
    withoutAllowed(source, [...fileFaults(source), ...acrossFiles.filter(({ path }) => path === source.path)]),
  );
  expect(sources.length).toBeGreaterThan(20);
  expect(faults.map(({ path, line, rule, text }) => `${path}:${line} ${rule}: ${text}`)).toEqual([]);
});

function typescriptFiles(folder: string): string[] {
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}
