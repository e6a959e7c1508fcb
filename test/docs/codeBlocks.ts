import { readFileSync } from 'node:fs';

/** A program in a page, and what the page says that it prints. */
export interface CodeBlock {
  /** Page and number, usable as the name of a file. */
  readonly name: string;
  readonly code: string;
  /** Absent: the page does not say, because it needs a cluster. */
  readonly output?: string;
}

/** The TypeScript blocks of a page. A block of plain text right behind one is its output. */
export function codeBlocks(page: string, url: URL): readonly CodeBlock[] {
  const text = readFileSync(url, 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm)].map(([, code = '', output], at) => ({
    name: `${page.replaceAll('/', '-').replace(/\.md$/, '')}-${at + 1}`,
    code,
    ...(output === undefined ? {} : { output }),
  }));
}
