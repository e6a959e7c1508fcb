import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whatever the tests of a run put into the temporary folder goes with them when it ends. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-tests-'));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
