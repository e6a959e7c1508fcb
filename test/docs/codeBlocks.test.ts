import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { optionTable } from '../../src/config/options.ts';
import { type CodeBlock, codeBlocks } from './codeBlocks.ts';

const root = new URL('../../', import.meta.url);
const at = (path: string): string => fileURLToPath(new URL(path, root));
const guide = readdirSync(new URL('docs/guide/', root)).map((name) => `docs/guide/${name}`);
const pages = ['README.md', 'CONTRIBUTING.md', 'docs/delivery.md', 'docs/comparison.md', 'examples/README.md', ...guide].filter((name) =>
  name.endsWith('.md'),
);
const blocks = pages.flatMap((page) => codeBlocks(page, new URL(page, root)));
const run = promisify(execFile);

/** In the repository, so that programs find the packages they import; git leaves tmp/ out. */
const folder = at('tmp/blocks/');
const fileOf = ({ name }: CodeBlock): string => `${folder}${name}.ts`;

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const block of blocks) writeFileSync(fileOf(block), block.code);
  const paths = { 'kube-sluice': [at('src/index.ts')], 'kube-sluice/testing': [at('src/testing.ts')] };
  const compilerOptions = { paths, rootDir: at('.'), noEmit: true };
  writeFileSync(
    `${folder}tsconfig.json`,
    JSON.stringify({ extends: at('tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }),
  );
});

describe('programs in the documents', () => {
  test('compile', { timeout: 60_000 }, async () => {
    expect(blocks.length).toBeGreaterThan(6);
    const compiled = run(at('node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false']);
    expect(
      await compiled.then(
        () => '',
        ({ stdout }: { readonly stdout: string }) => stdout,
      ),
    ).toBe('');
  });

  test.each(blocks.filter(({ output }) => output !== undefined))('$name prints what its page says', async (block) => {
    const flags = ['--disable-warning=ExperimentalWarning', '--import', new URL('test/examples/fromSource.ts', root).href];
    const { stdout } = await run(process.execPath, [...flags, fileOf(block)], { timeout: 50_000 });
    expect(stdout).toBe(block.output);
  });
});

const texts = pages.map((page) => [page, readFileSync(new URL(page, root), 'utf8')] as const);

test.each(texts)('%s names scripts, flags and files that are there', (page, text) => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const shell = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block).join('\n');
  const named = [...shell.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);

  const commands = [...shell.matchAll(/^.*kube-sluice -- (.*)$/gm)].map(([, given = '']) => given);
  const flags = commands.flatMap((command) => [...command.matchAll(/--([\w-]+)/g)].map(([, flag = '']) => flag));
  expect(flags.filter((flag) => !Object.keys(optionTable).some((name) => flagOf(name) === flag))).toEqual([]);

  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !isThere(new URL(link, new URL(page, root))))).toEqual([]);
});

function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function isThere(url: URL): boolean {
  try {
    readFileSync(url);
    return true;
  } catch (error) {
    return (error as { readonly code?: string }).code === 'EISDIR';
  }
}
