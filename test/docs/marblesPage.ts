import { readdirSync } from 'node:fs';
import { page } from './markdown.ts';

/** The specs that have a drawing, and whether there is one of all their cases. */
export function drawnSpecs(): readonly { readonly name: string; readonly all: boolean }[] {
  const files = new Set(readdirSync(new URL('../../docs/marbles/', import.meta.url)));
  const specs = readdirSync(new URL('../../marbles/', import.meta.url)).filter((name) => name.endsWith('.test.ts'));
  return specs
    .map((file) => file.replace(/\.test\.ts$/, ''))
    .filter((name) => files.has(`${name}.svg`))
    .map((name) => ({ name, all: files.has(`${name}.all.svg`) }));
}

/** docs/marbles/README.md: what the shapes mean, and the first case of each spec. */
export function marblesPage(): string {
  const sections = drawnSpecs().map(({ name, all }) => {
    const more = all ? ` · [all cases](${name}.all.svg)` : '';
    return `## ${name}\n\n![${name}](${name}.svg)\n\n[marbles/${name}.test.ts](../../marbles/${name}.test.ts)${more}`;
  });
  return page(
    '# Specifications, drawn',
    'Drawn from the very diagrams that the tests run (`npm run marbles:draw`).',
    '![What the shapes mean](legend.svg)',
    ...sections,
  );
}
