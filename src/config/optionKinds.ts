/** Commands that take flags. */
export const flagCommands = ['run', 'doctor', 'record', 'replay', 'inspect', 'diff', 'demo'] as const;

export type FlagCommand = (typeof flagCommands)[number];

/** The name that the program is called by. As event-exporter it takes the place of the Go exporter, and has its defaults. */
export type Program = 'kube-sluice' | 'event-exporter';

/** Headings of the help, in this order. */
export const optionGroups = [
  'Cluster',
  'Selection',
  'Shard',
  'Owner labels',
  'Sink',
  'Flow',
  'Checkpoint',
  'Telemetry',
  'Recordings',
  'Comparison',
  'Accepted from the Go exporter',
  'General',
] as const;

interface OptionBase {
  readonly group: (typeof optionGroups)[number];
  readonly commands: readonly FlagCommand[];
  /** One sentence or two, from the user's side. */
  readonly description: string;
  /** The default, written as a user would write it. */
  readonly default: string;
  /** Another default for some of the commands. */
  readonly defaults?: Readonly<Partial<Record<FlagCommand, string>>>;
  /** Another default when the program is called as event-exporter. */
  readonly eventExporter?: string;
  /** One letter that stands for the name, after one dash. */
  readonly short?: string;
  /** A value worth showing in the documentation. */
  readonly example: string;
  /** Present: accepted from the Go exporter and without meaning here, for this reason. */
  readonly upstream?: string;
  /** True: left out of the help, not of the documentation. */
  readonly hidden?: true;
  /** Present: only these sinks make use of it. */
  readonly sinks?: readonly string[];
}

/** Free text; `rule` names what is wrong with a value, or nothing. */
export interface TextOption extends OptionBase {
  readonly kind: 'text';
  readonly rule?: (text: string) => string | undefined;
}

/** True or false. */
export interface FlagOption extends OptionBase {
  readonly kind: 'flag';
}

/** A whole number in decimal digits. */
export interface CountOption extends OptionBase {
  readonly kind: 'count';
  readonly min: number;
  readonly max: number;
}

/** A Go duration; milliseconds as a setting. Never negative, at most what a timer can wait (24 days). */
export interface DurationOption extends OptionBase {
  readonly kind: 'duration';
  /** Absent: zero is allowed. */
  readonly minMs?: number;
}

/** A number of bytes with an optional unit. */
export interface BytesOption extends OptionBase {
  readonly kind: 'bytes';
  readonly min: number;
}

/** One of the words in `choices`, or a word that stands for one. */
export interface ChoiceOption extends OptionBase {
  readonly kind: 'choice';
  readonly choices: readonly string[];
  /** What the choices mean, where their names do not say it. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Choices that a command does not take. */
  readonly notFor?: Partial<Readonly<Record<FlagCommand, readonly string[]>>>;
  /** Other words, and the choice each stands for. Absent: none. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Words separated by commas; as a flag it may also be repeated. Doubles count once. */
export interface ListOption extends OptionBase {
  readonly kind: 'list';
  /** Names what is wrong with one word, or nothing. */
  readonly rule?: (word: string) => string | undefined;
}

/** `HOST:PORT` to listen on; empty is undefined. */
export interface AddressOption extends OptionBase {
  readonly kind: 'address';
}

/** A number above zero, or `max` for no limit (Infinity as a setting). */
export interface FactorOption extends OptionBase {
  readonly kind: 'factor';
}

/** Flags of its own inside one text. */
export interface OptionsOption extends OptionBase {
  readonly kind: 'options';
  readonly of: Readonly<Record<string, Option>>;
}

/** One row of the options table. */
export type Option =
  | TextOption
  | FlagOption
  | CountOption
  | DurationOption
  | BytesOption
  | ChoiceOption
  | ListOption
  | AddressOption
  | FactorOption
  | OptionsOption;

/** Where to listen. */
export interface Address {
  /** Without brackets. Absent: every address of the machine. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
}

type ValueOf<O> = O extends { kind: 'choice'; choices: readonly (infer Choice)[] }
  ? Choice
  : O extends { kind: 'options'; of: infer Of }
    ? SettingsOf<Of>
    : O extends { kind: 'flag' }
      ? boolean
      : O extends { kind: 'list' }
        ? readonly string[]
        : O extends { kind: 'address' }
          ? Address | undefined
          : O extends { kind: 'text' }
            ? string
            : number;

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

type SettingName<Name extends string, O> = O extends { kind: 'duration' } ? `${Camel<Name>}Ms` : Camel<Name>;

/** The settings of a table: names in camel case, durations in milliseconds with `Ms` at the end. */
export type SettingsOf<Table> = {
  readonly [Name in keyof Table & string as SettingName<Name, Table[Name]>]: ValueOf<Table[Name]>;
};

/** Whether a command takes the option. The doctor is given what run is given. */
export function takes({ commands }: Option, command: FlagCommand): boolean {
  return commands.includes(command === 'doctor' ? 'run' : command);
}

/** The option as a command has it: with its own default, or that of the program's other name, and without the choices that are not for it. */
export function optionFor(row: Option, command: FlagCommand, program: Program): Option {
  const renamed = program === 'event-exporter' ? row.eventExporter : undefined;
  const option = { ...row, default: renamed ?? row.defaults?.[command] ?? row.default };
  if (option.kind === 'options') {
    return {
      ...option,
      of: Object.fromEntries(Object.entries(option.of).map(([name, inner]) => [name, optionFor(inner, command, program)])),
    };
  }
  const not = option.kind === 'choice' ? option.notFor?.[command] : undefined;
  return option.kind !== 'choice' || not === undefined
    ? option
    : { ...option, choices: option.choices.filter((choice) => !not.includes(choice)) };
}

/** The setting's name in `SettingsOf`. */
export function settingName(name: string, option: Option): string {
  const camel = name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return option.kind === 'duration' ? `${camel}Ms` : camel;
}

/** The environment variable of an option. */
export function environmentName(name: string): string {
  return `KUBE_SLUICE_${name.toUpperCase().replaceAll('-', '_')}`;
}
