import { configFile } from './configFile.ts';
import { environmentName, type FlagCommand, type Option, optionFor, type Program, settingName, takes } from './optionKinds.ts';
import { optionTable, type Settings } from './options.ts';
import { readValue } from './readValue.ts';
import { resolveShard } from './resolveShard.ts';
import { type Given, settingWarnings } from './settingWarnings.ts';
import { didYouMean, suggest } from './suggest.ts';

/** Everything that settings are made of. */
export interface SettingsSources {
  readonly command: FlagCommand;
  /** Decides some defaults. Default kube-sluice. */
  readonly program?: Program;
  /** Texts by flag name in the order given, unknown names included. An undefined text: the value is missing. */
  readonly flags: ReadonlyMap<string, readonly (string | undefined)[]>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
  /** Reads the config file; may throw. */
  readonly read: (path: string) => string;
}

/** `settings` hold the default where a fault is; they are good for further checks, and for use only without faults. */
export interface SettingsReading {
  readonly settings: Settings;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  /** False: what was meant is not known in full (a file that cannot be read, a misspelt flag without value), and further checks would find faults that follow from that. */
  readonly complete: boolean;
}

/**
 * Reads the settings: flags win over the environment, the environment over the config file, that over the
 * defaults. From the environment only names in the table are read, because a Service called kube-sluice
 * makes Kubernetes inject others. All faults are found, not only the first; a misspelt name is one fault, and its
 * value counts for the name that was meant, so that no other fault follows from it.
 */
export function readSettings(sources: SettingsSources): SettingsReading {
  const flags = givenFlags(sources);
  const fromFlagsAndEnvironment = new Map([...givenInEnvironment(sources.environment), ...flags.given]);
  const file = givenInFile(fromFlagsAndEnvironment.get('config')?.text ?? '', sources.read);
  const given = onlyOf(sources.command, new Map([...file.given, ...fromFlagsAndEnvironment]));
  const values: Record<string, unknown> = {};
  const faults = [...flags.faults, ...file.faults];
  const faulty = new Set<string>();
  for (const [name, row] of Object.entries(optionTable)) {
    const option = optionFor(row, sources.command, sources.program ?? 'kube-sluice');
    const { text, label } = given.get(name) ?? { text: option.default, label: `--${name}` };
    const reading = readValue(option, text, label);
    if ('faults' in reading) {
      faults.push(...reading.faults);
      faulty.add(name);
    }
    const usable = 'value' in reading ? reading : readValue(option, option.default, name);
    values[settingName(name, option)] = 'value' in usable ? usable.value : undefined;
  }
  const settings = values as unknown as Settings;
  const complete = flags.complete && file.complete;
  const shard = !complete || faulty.has('total-shards') || faulty.has('shard-id') ? {} : resolveShard(settings, sources);
  return {
    settings: shard.index === undefined ? settings : { ...settings, shardId: shard.index },
    faults: shard.fault === undefined ? faults : [...faults, shard.fault.replace(/^--shard-id/, given.get('shard-id')?.label ?? '$&')],
    warnings: [...(shard.warning === undefined ? [] : [shard.warning]), ...settingWarnings(settings, given, sources.environment)],
    complete,
  };
}

interface GivenAndFaults {
  readonly given: ReadonlyMap<string, Given>;
  readonly faults: readonly string[];
  readonly complete: boolean;
}

function givenFlags({ command, flags }: SettingsSources): GivenAndFaults {
  let complete = true;
  const given = new Map<string, Given>();
  const faults: string[] = [];
  const known = namesFor(command);
  const meant = new Map<string, Given>();
  for (const [name, texts] of flags) {
    const option = optionOf(name);
    const present = texts.filter((text) => text !== undefined);
    const last = present.at(-1);
    if (option === undefined) {
      faults.push(`--${name} is not an option${didYouMean(name, known, (found) => `--${found}`)}`);
      const found = suggest(name, known);
      if (found !== undefined && last !== undefined) meant.set(found, { text: last, label: `--${name}` });
      complete &&= found === undefined || last !== undefined;
    } else if (!takes(option, command)) faults.push(`--${name} is an option of ${option.commands.join(' and ')}, not of ${command}`);
    else if (last === undefined || present.length < texts.length) faults.push(`--${name} needs a value`);
    else given.set(name, { text: option.kind === 'list' ? present.join(',') : last, label: `--${name}` });
  }
  return { given: new Map([...meant, ...given]), faults, complete };
}

function givenInEnvironment(environment: SettingsSources['environment']): ReadonlyMap<string, Given> {
  const given = new Map<string, Given>();
  for (const name of Object.keys(optionTable)) {
    const variable = environmentName(name);
    const text = environment[variable];
    if (text !== undefined) given.set(name, { text, label: `--${name} (from ${variable})` });
  }
  return given;
}

function givenInFile(path: string, read: (path: string) => string): GivenAndFaults {
  if (path === '') return { given: new Map(), faults: [], complete: true };
  const { texts, faults, readable } = configFile(path, read);
  const given = new Map<string, Given>();
  const meant = new Map<string, Given>();
  const unknown: string[] = [];
  const known = Object.keys(optionTable);
  for (const [name, { text, line }] of texts) {
    const where = `${path} line ${line}`;
    const label = `--${name} (from ${where})`;
    if (name === 'config') unknown.push(`config in ${where} must be left out: one file is read`);
    else if (optionOf(name) !== undefined) given.set(name, { text, label });
    else {
      unknown.push(`${name} in ${where} is not an option${didYouMean(name, known)}`);
      const found = suggest(name, known);
      if (found !== undefined) meant.set(found, { text, label });
    }
  }
  return { given: new Map([...meant, ...given]), faults: [...faults, ...unknown], complete: readable };
}

/** Environment and file may serve several commands, so what another command takes is passed over. */
function onlyOf(command: FlagCommand, given: ReadonlyMap<string, Given>): ReadonlyMap<string, Given> {
  return new Map([...given].filter(([name]) => isTaken(optionOf(name), command)));
}

function optionOf(name: string): Option | undefined {
  return Object.hasOwn(optionTable, name) ? optionTable[name] : undefined;
}

function namesFor(command: FlagCommand): readonly string[] {
  return Object.keys(optionTable).filter((name) => isTaken(optionTable[name], command));
}

function isTaken(option: Option | undefined, command: FlagCommand): boolean {
  return option !== undefined && takes(option, command);
}
