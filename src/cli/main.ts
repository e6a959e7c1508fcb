#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type Observable, ReplaySubject } from 'rxjs';
import { messageOf } from '../errors.ts';
import type { CommandContext } from './command.ts';
import { demoCommand } from './demo.ts';
import { diffCommand } from './diff.ts';
import { doctorCommand } from './doctor.ts';
import { inspectCommand } from './inspect.ts';
import { programOf } from './programOf.ts';
import { recordCommand } from './record.ts';
import { replayCommand } from './replay.ts';
import { runCommand } from './run.ts';
import { runCommandLine } from './runCommandLine.ts';

const flushMsMax = 1_000;
const commands = [runCommand, doctorCommand, recordCommand, replayCommand, diffCommand, inspectCommand, demoCommand];

// A first list of 120,000 Events leaves a third less memory behind, at no cost in CPU that could be measured (docs/performance.md).
setFlagsFromString('--heap-growing-percent=50');
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
// A log that nobody reads any more must not change how the process ends.
process.stderr.on('error', () => undefined);

const context: CommandContext = {
  environment: process.env,
  hostname: hostname(),
  program: programOf(process.argv[1]),
  version: ownVersion(),
  stdout: process.stdout,
  stderr: process.stderr,
  stops: stopsOf(process),
};

const code = await runCommandLine(process.argv.slice(2), commands, context).catch(fail);
await flushed(process.stderr);
process.exit(code);

/** The package is two folders up, from the sources as well as from dist. */
function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** Told again to whoever subscribes late, so that a signal during the start is not lost. */
function stopsOf(process: NodeJS.Process): Observable<'drain' | 'now'> {
  const stops = new ReplaySubject<'drain' | 'now'>();
  let signals = 0;
  const stop = (): void => stops.next(signals++ === 0 ? 'drain' : 'now');
  process.on('SIGTERM', stop).on('SIGINT', stop);
  return stops;
}

/** Waits until what was logged has left, but not for a reader that has stopped reading. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
    setTimeout(resolve, flushMsMax);
  });
}

/** An error that nobody caught: what follows it cannot be trusted. One line, no stack. */
function fail(error: unknown): never {
  process.stderr.write(`kube-sluice: unexpected: ${messageOf(error)}\n`);
  process.exit(1);
}
