import { accessSync, closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, PipelineError } from '../errors.ts';
import { reportOpening } from '../inspect/report/report.ts';

/** What is wrong with the path of a report. It may be that of an older report, and of nothing else that exists. */
export function reportFileFaults(path: string): readonly string[] {
  if (path === '') return ['--output must name a file for the report (got nothing)'];
  try {
    accessSync(dirname(path), constants.W_OK);
    if (!existsSync(path) || beginsAsReport(path)) return [];
    return [`--output must name a new file or an older report (got ${path}, which is something else)`];
  } catch (error) {
    return [`--output cannot be written: ${messageOf(error)}`];
  }
}

/** Writes a report that only its owner may read, for it holds what events say. Nobody ever sees half of one. */
export async function writeReport(path: string, text: string): Promise<void> {
  const whole = `${path}.part`;
  try {
    await writeFile(whole, text, { mode: 0o600, flush: true });
    await rename(whole, path);
  } catch (cause) {
    await rm(whole, { force: true });
    throw new PipelineError('OUTPUT_CLOSED', `the report cannot be written: ${messageOf(cause)}`, { cause });
  }
}

function beginsAsReport(path: string): boolean {
  const file = openSync(path, constants.O_RDONLY);
  try {
    const opening = Buffer.alloc(reportOpening.length);
    readSync(file, opening);
    return opening.toString('latin1') === reportOpening;
  } finally {
    closeSync(file);
  }
}
