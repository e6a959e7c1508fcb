import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../docs/migrating.md', import.meta.url), 'utf8');

/** What the rows in a section of docs/migrating.md say: name and verdict. */
export function migratingRows(heading: string): ReadonlyMap<string, string> {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/migrating.md has no section ${heading}`);
  return new Map([...section.matchAll(/^\| `(?:--)?([^`]+)` \| (\w+) \|/gm)].map(([, name = '', verdict = '']) => [name, verdict]));
}
