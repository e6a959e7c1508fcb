import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const pages = ['', 'docs/', 'docs/decisions/'].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => folder + name),
);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

function exists(path: string): boolean {
  return existsSync(new URL(path, root));
}

/** First group of every match. */
function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, group]) => (group === undefined ? [] : [group]));
}

/** The name under which a heading can be linked to, as GitHub makes it. */
function anchorsOf(path: string): string[] {
  return all(read(path), /^#+ +(.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function isDead(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : posix.join(posix.dirname(page), path);
  return !exists(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
}

test('the pages that a repository needs are there', () => {
  const needed = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'STYLE.md', 'SECURITY.md', 'CHANGELOG.md'];
  expect(needed.filter((page) => !pages.includes(page))).toEqual([]);
  expect(read('LICENSE')).toContain('Apache License');
});

describe.each(pages)('%s', (page) => {
  const text = read(page);
  const outsideBlocks = text.replace(/^```[\s\S]*?^```/gm, '');

  test('has no dead link', () => {
    const links = all(outsideBlocks, /\]\(([^)\s]+)\)/g).filter((link) => !/^\w+:/.test(link));
    expect(links.filter((link) => isDead(page, link))).toEqual([]);
  });

  test('names files that exist', () => {
    const files = all(text, /`((?:src|test|marbles|k8s|docs|\.ci)\/[\w./-]*)`/g);
    expect(files.filter((file) => !file.includes('NAME') && !exists(file))).toEqual([]);
  });

  test('names npm scripts that exist', () => {
    const named = all(text, /npm run (?:-s )?([\w:-]+)/g);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
