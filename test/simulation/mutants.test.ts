import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Mutant, mutants } from './mutants.ts';

const root = resolve(import.meta.dirname, '../..');

/** Runs the simulation over a copy of the sources with the fault put in, until the first broken promise. */
function caughtBy({ file, from, to, seed }: Mutant): string | undefined {
  const copy = mkdtempSync(join(tmpdir(), 'kube-sluice-mutant-'));
  try {
    for (const part of ['src', 'test/simulation', 'package.json']) cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const text = readFileSync(join(copy, file), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} does not hold exactly once: ${from}`);
    writeFileSync(
      join(copy, file),
      text.replace(from, () => to),
    );
    const args = ['test/simulation/main.ts', '--bail', '--from', String(seed), '--seeds', String(Math.min(60, 501 - seed))];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', timeout: 200_000 });
    if (status !== 5) throw new Error(`no checker found it (status ${status}): ${stderr}`);
    return /broken: (\w+)/.exec(stdout)?.[1];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

describe('mutants', () => {
  for (const mutant of mutants) {
    test(`${mutant.name} is caught: ${mutant.caught}`, { timeout: 240_000 }, () => {
      expect(caughtBy(mutant)).toBe(mutant.caught);
    });
  }
});
