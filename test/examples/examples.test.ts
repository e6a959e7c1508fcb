import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));
const programs = readdirSync(folder).filter((name) => name.endsWith('.ts'));
const flags = ['--disable-warning=ExperimentalWarning', '--import', new URL('fromSource.ts', import.meta.url).href];
const run = promisify(execFile);

describe('examples', () => {
  test.each(programs.filter((name) => name.endsWith('.test.ts')))('%s passes', async (name) => {
    const { stdout } = await run(process.execPath, [...flags, '--test-reporter=tap', `${folder}${name}`], { timeout: 50_000 });
    expect(stdout).toMatch(/^# pass [1-9]/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });

  const expectedOf = (name: string): string => `${folder}expected/${name.replace(/\.ts$/, '.txt')}`;
  const printing = programs.filter((name) => !name.endsWith('.test.ts') && /console\.log/.test(readFileSync(`${folder}${name}`, 'utf8')));

  test.each(printing)('%s prints what examples/expected says', async (name) => {
    const existed = existsSync(expectedOf(name));
    const { stdout } = await run(process.execPath, [...flags, `${folder}${name}`], { timeout: 50_000 });
    // A missing file would be written, and pass.
    await expect(stdout).toMatchFileSnapshot(expectedOf(name));
    expect(existed, `${expectedOf(name)} is missing: run npm run docs`).toBe(true);
  });

  test('are eight, with their tests and what they share', () => {
    expect(programs).toHaveLength(10);
    expect(printing).toHaveLength(7);
  });

  test.each(programs)('%s imports the two public entry points, RxJS, prom-client and Node only', (name) => {
    const imported = [...readFileSync(`${folder}${name}`, 'utf8').matchAll(/ from '([^']+)'/g)].map(([, from = '']) => from);
    expect(imported.filter((from) => !/^(kube-sluice(\/testing)?|rxjs|prom-client|node:.*|\.\/keepReasons\.ts)$/.test(from))).toEqual([]);
  });
});
