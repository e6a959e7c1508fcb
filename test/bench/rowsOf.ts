import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Row } from './measure.ts';

/** Runs a bench of its own as a process; the last line that it prints is its rows as JSON. */
export async function rowsOf(args: readonly string[]): Promise<readonly Row[]> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const last = (await text(child.stdout)).trimEnd().split('\n').at(-1) ?? '';
  return JSON.parse(last) as readonly Row[];
}
