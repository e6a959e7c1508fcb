import { readFileSync } from 'node:fs';
import { catchError, firstValueFrom, of } from 'rxjs';
import { readSettings } from '../config/readSettings.ts';
import { messageOf, PipelineError } from '../errors.ts';
import { textWriter } from '../sinks/textWriter.ts';
import { logger } from '../telemetry/logger.ts';
import { checkConfig } from './checkConfig.ts';
import type { Command, CommandContext, Invocation } from './command.ts';
import { type CommandLine, commandLine } from './commandLine.ts';
import { type ExitCode, exitCodeOf } from './exitCodes.ts';
import { faultsText } from './faultsText.ts';
import { shortHelp } from './shortHelp.ts';

const columnsDefault = 100;

/**
 * Does what the arguments ask for and gives the exit code. All faults of the settings, and those that the
 * command finds itself, are shown in one message before anything is started.
 */
export async function runCommandLine(args: readonly string[], commands: readonly Command[], context: CommandContext): Promise<ExitCode> {
  const columns = context.stdout.isTTY === true ? (context.stdout.columns ?? columnsDefault) : columnsDefault;
  const line = await commandLine(args, { commands, version: context.version, program: context.program, columns });
  if (line.type === 'text') return print(context, `${line.text}\n`);
  if (line.type === 'check') return checkConfig(line, context, read);
  const command = commands.find(({ name }) => name === line.command);
  if (command === undefined) throw new PipelineError('CONFIG_INVALID', `there is no command ${line.command}`);
  return call(command, line, context);
}

async function call(command: Command, line: CommandLine & { readonly type: 'call' }, context: CommandContext): Promise<ExitCode> {
  const { environment, hostname, program, stderr } = context;
  const { settings, faults, warnings, complete } = readSettings({
    command: command.name,
    program,
    flags: line.flags,
    environment,
    hostname,
    read,
  });
  const log = logger({ level: settings.logLevel, pretty: stderr.isTTY === true }, (text) => void stderr.write(text));
  const invocation: Invocation = {
    settings,
    positionals: line.positionals,
    context,
    log: (signal) => log.observe(signal, Date.now()),
  };
  const all = [...line.faults, ...faults, ...((complete ? command.check?.(invocation) : undefined) ?? [])];
  if (all.length > 0) {
    stderr.write(faultsText(all) + (line.bare ? `\n${shortHelp}` : ''));
    return exitCodeOf.CONFIG_INVALID;
  }
  for (const text of warnings) invocation.log({ type: 'warning', text });
  try {
    return await command.run(invocation);
  } catch (error) {
    return tellFailure(error, invocation);
  } finally {
    log.flush(Date.now());
  }
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** One line; where in the code it happened is for debugging only. */
function tellFailure(error: unknown, { settings, log }: Invocation): ExitCode {
  const code = error instanceof PipelineError ? error.code : 'UNEXPECTED';
  const stack = settings.logLevel === 'debug' && error instanceof Error ? { stack: error.stack ?? '' } : {};
  log({ type: 'failed', code, message: messageOf(error), ...stack });
  return error instanceof PipelineError ? exitCodeOf[error.code] : 1;
}

/** Help for a reader that is gone, such as `| head`, needs nobody's attention. */
async function print({ stdout }: CommandContext, text: string): Promise<ExitCode> {
  await firstValueFrom(textWriter(stdout, 'standard output')(text).pipe(catchError(() => of(undefined))));
  return 0;
}
