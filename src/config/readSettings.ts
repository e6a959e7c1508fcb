import { configFile } from './configFile.ts';
import { environmentName, type FlagCommand, type Option, optionFor, settingName } from './optionKinds.ts';
import { optionTable, type Settings } from './options.ts';
import { readValue } from './readValue.ts';
import { resolveShard } from './resolveShard.ts';
import { type Given, settingWarnings } from './settingWarnings.ts';
import { didYouMean } from './suggest.ts';

/** Everything that settings are made of. */
export interface SettingsSources {
  readonly command: FlagCommand;
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
}

/**
 * Reads the settings: flags win over the environment, the environment over the config file, that over the
 * defaults. From the environment only names in the table are read, because a Service called kube-sluice
 * makes Kubernetes inject others. All faults are found, not only the first.
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
    const option = optionFor(row, sources.command);
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
  const shard = faulty.has('total-shards') || faulty.has('shard-id') ? {} : resolveShard(settings, sources);
  return {
    settings: shard.index === undefined ? settings : { ...settings, shardId: shard.index },
    faults: shard.fault === undefined ? faults : [...faults, shard.fault],
    warnings: [...(shard.warning === undefined ? [] : [shard.warning]), ...settingWarnings(settings, given, sources.environment)],
  };
}

type GivenAndFaults = { readonly given: ReadonlyMap<string, Given>; readonly faults: readonly string[] };

function givenFlags({ command, flags }: SettingsSources): GivenAndFaults {
  const given = new Map<string, Given>();
  const faults: string[] = [];
  for (const [name, texts] of flags) {
    const option = optionOf(name);
    const present = texts.filter((text) => text !== undefined);
    const last = present.at(-1);
    if (option === undefined) faults.push(`--${name} is not an option${didYouMean(name, namesFor(command), (known) => `--${known}`)}`);
    else if (!option.commands.includes(command))
      faults.push(`--${name} is an option of ${option.commands.join(' and ')}, not of ${command}`);
    else if (last === undefined || present.length < texts.length) faults.push(`--${name} needs a value`);
    else given.set(name, { text: option.kind === 'list' ? present.join(',') : last, label: `--${name}` });
  }
  return { given, faults };
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
  if (path === '') return { given: new Map(), faults: [] };
  const { texts, faults } = configFile(path, read);
  const given = new Map<string, Given>();
  const unknown: string[] = [];
  for (const [name, text] of texts) {
    if (name === 'config') unknown.push(`config in ${path} must be left out: one file is read`);
    else if (optionOf(name) === undefined) unknown.push(`${name} in ${path} is not an option${didYouMean(name, Object.keys(optionTable))}`);
    else given.set(name, { text, label: `--${name} (from ${path})` });
  }
  return { given, faults: [...faults, ...unknown] };
}

/** Environment and file may serve several commands, so what another command takes is passed over. */
function onlyOf(command: FlagCommand, given: ReadonlyMap<string, Given>): ReadonlyMap<string, Given> {
  return new Map([...given].filter(([name]) => optionOf(name)?.commands.includes(command)));
}

function optionOf(name: string): Option | undefined {
  return Object.hasOwn(optionTable, name) ? optionTable[name] : undefined;
}

function namesFor(command: FlagCommand): readonly string[] {
  return Object.keys(optionTable).filter((name) => optionTable[name]?.commands.includes(command));
}
