import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const compiler = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
const project = fileURLToPath(new URL('tsconfig.json', import.meta.url));
const lines = readFileSync(new URL('compositions.ts', import.meta.url), 'utf8').split('\n');

test('right compositions infer their types, and each wrong one is refused in words that say why', async () => {
  const errors = errorsOf(await compiled());
  const wrong = lines.flatMap((line, at) => (line.startsWith('// wrong: ') ? [{ says: line.slice(10), line: at + 2 }] : []));

  expect(wrong.length).toBeGreaterThan(8);
  expect([...errors.keys()].sort((a, b) => a - b)).toEqual(wrong.map(({ line }) => line));
  for (const { says, line } of wrong) expect(errors.get(line), `line ${line}`).toContain(says);
});

function compiled(): Promise<string> {
  return new Promise((resolve) => execFile(compiler, ['-p', project, '--pretty', 'false'], (_error, stdout) => resolve(stdout)));
}

/** The whole text of each error by its line. */
function errorsOf(output: string): Map<number, string> {
  const errors = new Map<number, string>();
  for (const text of output.split(/\n(?=\S)/)) {
    const line = /compositions\.ts\((\d+),/.exec(text)?.[1];
    if (line !== undefined) errors.set(Number(line), text);
    else if (text.trim() !== '') errors.set(0, text);
  }
  return errors;
}
