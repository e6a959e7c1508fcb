import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspectCommand } from '../../src/cli/inspect.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { fakeProcess } from '../unit/cliContext.ts';

export interface MadeReport {
  /** `file://` address of the report. */
  readonly url: string;
  readonly path: string;
  readonly code: number;
  /** What the command wrote to standard output and standard error. */
  readonly output: string;
  readonly errors: string;
  remove(): void;
}

/** Runs `inspect` on the text of a recording, in a folder of its own. */
export async function reportOf(recording: string, ...flags: readonly string[]): Promise<MadeReport> {
  const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-inspect-'));
  const [input, path] = [join(folder, 'incident.ndjson'), join(folder, 'report.html')];
  writeFileSync(input, recording);
  const { context, output, errors } = fakeProcess();
  const code = await runCommandLine(['inspect', input, '-o', path, ...flags], [inspectCommand], context);
  return {
    url: pathToFileURL(path).href,
    path,
    code,
    output: output(),
    errors: errors(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
