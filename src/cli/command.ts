import type { Writable } from 'node:stream';
import type { Observable } from 'rxjs';
import type { FlagCommand, Program } from '../config/optionKinds.ts';
import type { Settings } from '../config/options.ts';
import type { Signal } from '../telemetry/signals.ts';
import type { ExitCode } from './exitCodes.ts';

/** What the process around a command offers. Commands use this and no global. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
  /** The name that it was called by. */
  readonly program: Program;
  /** Version of kube-sluice. */
  readonly version: string;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Emits `drain` at the first SIGTERM or SIGINT and `now` at the second; tells late subscribers again. Never completes. */
  readonly stops: Observable<'drain' | 'now'>;
}

/** One call of a command: checked settings, and the arguments that are no flags. */
export interface Invocation {
  readonly settings: Settings;
  readonly positionals: readonly string[];
  readonly context: CommandContext;
  /** The log on standard error, for the command's runtime. */
  readonly log: (signal: Signal) => void;
}

/** Commands take their flags from the options table: those whose `commands` hold the name. */
export interface Command {
  readonly name: FlagCommand;
  /** In yargs' notation, without the name: `[file]`, or `[files..]` for any number. Absent: none are taken. */
  readonly positional?: { readonly usage: string; readonly name: string; readonly description: string };
  /** One line, no full stop. */
  readonly description: string;
  /** Pairs of a command line and what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Faults that only this command can see, each a whole sentence. No requests. All faults are shown together. */
  readonly check?: (invocation: Invocation) => readonly string[];
  /** Does the work and resolves to the exit code. An error becomes one line of the log and its exit code. */
  readonly run: (invocation: Invocation) => Promise<ExitCode>;
}
