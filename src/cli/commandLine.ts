import yargs, { type Argv } from 'yargs';
import { type FlagCommand, type Option, optionFor, optionGroups, type Program, takes } from '../config/optionKinds.ts';
import { optionTable } from '../config/options.ts';
import { didYouMean } from '../config/suggest.ts';
import type { Command } from './command.ts';
import { flagWords } from './flagWords.ts';

/** What a command line asks for. */
export type CommandLine =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'check'; readonly path: string | undefined; readonly faults: readonly string[] }
  | {
      readonly type: 'call';
      readonly command: FlagCommand;
      readonly flags: ReadonlyMap<string, readonly (string | undefined)[]>;
      readonly positionals: readonly string[];
      readonly faults: readonly string[];
      /** Nothing at all was given. */
      readonly bare: boolean;
    };

interface CommandLineSettings {
  readonly commands: readonly Command[];
  readonly version: string;
  /** Default kube-sluice. */
  readonly program?: Program;
  /** Width of the help. */
  readonly columns: number;
}

/** Help is no easier to read when it is wider. */
const columnsMax = 140;

/**
 * Takes arguments apart with yargs, which also writes the help and the completion. Values stay text and
 * unknown flags stay in: the options table judges both, so that all faults are shown at once.
 */
export async function commandLine(args: readonly string[], settings: CommandLineSettings): Promise<CommandLine> {
  let called = 'run' as FlagCommand | 'check';
  let output = '';
  const completing = args[0] === '--get-yargs-completions';
  const words = completing ? args : flagWords(args, optionTable);
  const helping = completing || words.some((word) => /^(--help\b|-h$)/.test(word));
  const parser = configured(words, settings);
  for (const command of settings.commands) addCommand(parser, command, { ...settings, completing, helping }, () => (called = command.name));
  const check = (): void => {
    called = 'check';
  };
  const checks = (builder: Argv): Argv =>
    builder
      .usage('$0 config check FILE\n\nShows every fault of a file for --config, with its line.')
      .command('check [file]', 'Show every fault', {}, check);
  parser.command('config', 'Check a file for --config: config check FILE', checks, check);
  parser.command({
    command: 'completion',
    describe: 'Print a completion script for bash or zsh',
    handler: () => void parser.showCompletionScript(),
  });
  const argv = await parser.parse(words, {}, (error, _argv, text) => {
    if (error !== undefined && error !== null) throw error;
    output = text;
  });
  if (output !== '') return { type: 'text', text: output };
  return called === 'check' ? checkOf(argv) : { ...callOf(called, argv, settings.commands), bare: args.length === 0 };
}

function configured(words: readonly string[], { version, columns, program = 'kube-sluice' }: CommandLineSettings): Argv {
  return yargs(words)
    .scriptName(program)
    .usage('$0 [command] [flags]\n\nExports Kubernetes Events, each revision once.')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
    })
    .locale('en')
    .exitProcess(false)
    .help('help', 'Show this help')
    .alias('help', 'h')
    .version('version', 'Show the version', `kube-sluice ${version}`)
    .wrap(Math.min(columns, columnsMax));
}

interface HelpSettings extends Pick<CommandLineSettings, 'program'> {
  readonly completing: boolean;
  /** False: what nobody asked for is left out. yargs lays out the help of each command that it runs, which takes 3 MB. */
  readonly helping: boolean;
}

function addCommand(parser: Argv, command: Command, settings: HelpSettings, called: () => void): void {
  const names = command.positional === undefined ? command.name : `${command.name} ${command.positional.usage}`;
  parser.command({
    command: command.name === 'run' ? [names, '$0'] : names,
    describe: command.description,
    builder: (builder: Argv) => {
      if (command.positional !== undefined) builder.positional(command.positional.name, { describe: command.positional.description });
      for (const group of optionGroups) addGroup(builder, group, command.name, settings);
      builder.epilogue(epilogue(command.examples));
      return builder.group(['help', 'version'], 'General:');
    },
    handler: called,
  });
}

/** Examples stand one below the other: columns side by side would break the commands in the middle. */
function epilogue(examples: Command['examples']): string {
  const told = examples.map(([line, does]) => `  ${does}:\n    ${line}\n`).join('');
  return `${told === '' ? '' : `Examples:\n${told}\n`}Every flag is also an environment variable (--shard-id: KUBE_SLUICE_SHARD_ID) and a key in the file of --config.`;
}

function addGroup(
  builder: Argv,
  group: string,
  command: FlagCommand,
  { program = 'kube-sluice', completing, helping }: HelpSettings,
): void {
  for (const [name, row] of Object.entries(optionTable)) {
    const option = optionFor(row, command, program);
    if (option.group !== group || !takes(row, command)) continue;
    builder.option(name, {
      group: `${group}:`,
      hidden: option.hidden === true || !helping,
      describe: helpText(option),
      ...(option.short === undefined ? {} : { alias: option.short }),
      ...(option.default === '' || option.upstream !== undefined ? {} : { defaultDescription: option.default }),
      ...(completing && option.kind === 'choice' ? { choices: option.choices } : {}),
    });
  }
}

function helpText(option: Option): string {
  if (option.kind !== 'choice' || (option.choices.length === 1 && option.meanings === undefined)) return option.description;
  const choices = option.choices.map((choice) =>
    option.meanings?.[choice] === undefined ? choice : `${choice} (${option.meanings[choice]})`,
  );
  return `${option.description} ${choices.length === 1 ? 'Only' : 'One of'}: ${choices.join(', ')}.`;
}

type Call = Omit<Extract<CommandLine, { type: 'call' }>, 'bare'>;

function callOf(command: FlagCommand, argv: Readonly<Record<string, unknown>>, commands: readonly Command[]): Call {
  const { _: words, $0: _script, ...rest } = argv;
  const positional = commands.find(({ name }) => name === command)?.positional?.name;
  const named = positional === undefined ? undefined : rest[positional];
  const flags = new Map<string, readonly (string | undefined)[]>();
  for (const [name, value] of Object.entries(rest)) {
    if (name !== positional && value !== undefined && !isShort(name)) flags.set(name, (Array.isArray(value) ? value : [value]).map(textOf));
  }
  const extra = (Array.isArray(words) ? words : []).map(String).filter((word, at) => at > 0 || word !== command);
  return {
    type: 'call',
    command,
    flags,
    positionals: typeof named === 'string' ? [named] : Array.isArray(named) ? named.map(String) : [],
    faults: extra.map(
      (word) =>
        `'${word}' is not expected here${didYouMean(
          word,
          commands.map(({ name }) => name),
        )}`,
    ),
  };
}

/** yargs gives the value under both names. */
function isShort(name: string): boolean {
  return Object.values(optionTable).some(({ short }) => short === name);
}

function checkOf({ _: words, $0: _script, file, ...flags }: Readonly<Record<string, unknown>>): CommandLine {
  const given = (Array.isArray(words) ? words : []).map(String);
  const extra = given.slice(given[1] === 'check' ? 2 : 1);
  return {
    type: 'check',
    path: textOf(file),
    faults: [
      ...extra.map((word) => `'${word}' is not expected here${didYouMean(word, ['check'])}`),
      ...Object.keys(flags).map((name) => `--${name} is not an option of config check`),
    ],
  };
}

/** yargs gives true where a value is missing. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
