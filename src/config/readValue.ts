import { goDuration } from './goDuration.ts';
import { listenAddress } from './listenAddress.ts';
import { type ChoiceOption, type Option, type OptionsOption, settingName } from './optionKinds.ts';
import { didYouMean } from './suggest.ts';

/** A checked value, or what is wrong with the text: each fault names the option, the rule and the value got. */
export type Reading = { readonly value: unknown } | { readonly faults: readonly string[] };

/** Longest wait that timers can hold, about 24 days. */
const timerMsMax = 2 ** 31 - 1;

const flagWords: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  '0': false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};

const bytesUnits: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  k: 1e3,
  kB: 1e3,
  M: 1e6,
  MB: 1e6,
  G: 1e9,
  GB: 1e9,
  Ki: 2 ** 10,
  KiB: 2 ** 10,
  Mi: 2 ** 20,
  MiB: 2 ** 20,
  Gi: 2 ** 30,
  GiB: 2 ** 30,
};

/**
 * Reads one option's value from its text. `label` names the option as the user wrote it.
 * The same grammar for flags, environment and config file.
 */
export function readValue(option: Option, text: string, label: string): Reading {
  if (option.kind === 'options') return readOptions(option, text, label);
  const value = parsed(option, text);
  const rule = value === undefined ? ruleOf(option) : ownRule(option, value);
  if (rule !== undefined) return { faults: [`${label} ${rule} (got ${shown(text)})`] };
  return { value: value === none ? undefined : value };
}

/** Stands for the value `undefined`, which here means that the text has no value. */
const none = Symbol('none');

function parsed(option: Exclude<Option, OptionsOption>, text: string): unknown {
  switch (option.kind) {
    case 'text':
      return text;
    case 'flag':
      return Object.hasOwn(flagWords, text) ? flagWords[text] : undefined;
    case 'count':
      return within(/^(?:0|-?[1-9][0-9]*)$/.test(text) ? Number(text) : undefined, option.min, option.max);
    case 'duration':
      return within(goDuration(text), option.minMs ?? 0, timerMsMax);
    case 'bytes':
      return within(bytesOf(text), option.min, Number.MAX_SAFE_INTEGER);
    case 'choice':
      return option.choices.find((choice) => choice === text || choice === aliasOf(option, text));
    case 'list':
      return [...new Set(wordsOf(text))];
    case 'address':
      return text === '' ? none : listenAddress(text);
    case 'factor':
      if (text === 'max') return Number.POSITIVE_INFINITY;
      return /^[0-9]+(?:\.[0-9]+)?$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
  }
}

function aliasOf({ aliases = {} }: ChoiceOption, text: string): string | undefined {
  return Object.hasOwn(aliases, text) ? aliases[text] : undefined;
}

/** What a value of this kind has to be. */
export function ruleOf(option: Exclude<Option, OptionsOption>): string {
  switch (option.kind) {
    case 'text':
      return 'must be text';
    case 'flag':
      return 'must be true or false';
    case 'count':
      return `must be a whole number from ${option.min} to ${option.max}`;
    case 'duration':
      return `must be a duration such as 300ms, 1.5h or 1m30s, ${option.minMs === undefined ? 'not negative' : `at least ${option.minMs}ms`} and below 24 days`;
    case 'bytes':
      return `must be a number of bytes such as 1048576, 512KiB or 32MiB, at least ${option.min}`;
    case 'choice':
      return `must be ${option.choices.length === 1 ? '' : 'one of '}${option.choices.join(', ')}`;
    case 'list':
      return 'must be words separated by commas';
    case 'address':
      return 'must be an address to listen on such as :8080, 127.0.0.1:9090 or [::1]:0, or empty';
    case 'factor':
      return 'must be a number above 0, or max';
  }
}

/** The rule of the option itself that the value breaks, or nothing. */
function ownRule(option: Exclude<Option, OptionsOption>, value: unknown): string | undefined {
  if (option.kind === 'text') return option.rule?.(value as string);
  if (option.kind === 'list') return (value as readonly string[]).map((word) => option.rule?.(word)).find((rule) => rule !== undefined);
  return undefined;
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined;
}

function bytesOf(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^([0-9]+)([A-Za-z]*)$/.exec(text) ?? [];
  const size = Object.hasOwn(bytesUnits, unit) ? bytesUnits[unit] : undefined;
  return digits === '' || size === undefined ? undefined : Number(digits) * size;
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function readOptions(option: OptionsOption, text: string, label: string): Reading {
  const { texts, faults } = subOptionTexts(option, text, label);
  const read = Object.entries(option.of).map(([name, row]) => {
    const reading = readValue(row, texts.get(name) ?? row.default, `${label} ${name}`);
    return { key: settingName(name, row), reading };
  });
  const all = [...faults, ...read.flatMap(({ reading }) => ('faults' in reading ? reading.faults : []))];
  if (all.length > 0) return { faults: all };
  return { value: Object.fromEntries(read.map(({ key, reading }) => [key, 'value' in reading ? reading.value : undefined])) };
}

/** Splits `-name=value --other value` at white space. Names are not checked for their values here. */
export function subOptionTexts(
  option: OptionsOption,
  text: string,
  label: string,
): { texts: ReadonlyMap<string, string>; faults: readonly string[] } {
  const texts = new Map<string, string>();
  const faults: string[] = [];
  const names = Object.keys(option.of);
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, name = '', inline] = /^--?([^-=][^=]*)(?:=(.*))?$/.exec(word) ?? [];
    if (name === '') {
      faults.push(`${label} must be flags such as -${names[0]}=VALUE separated by spaces (got ${shown(word)})`);
      continue;
    }
    const value = inline ?? words[++at];
    if (!names.includes(name)) faults.push(`${label} has no option ${name}${didYouMean(name, names)}; it knows ${names.join(', ')}`);
    else if (value === undefined) faults.push(`${label} ${name} needs a value`);
    else texts.set(name, value);
  }
  return { texts, faults };
}

/** A value in a message: never longer than a line, control characters made visible. */
export function shown(text: string): string {
  if (text === '') return 'nothing';
  const quoted = JSON.stringify(text);
  return quoted.length > 80 ? `${quoted.slice(0, 76)}..."` : quoted;
}
