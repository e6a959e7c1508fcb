import type { Option } from '../config/optionKinds.ts';
import { suggest } from '../config/suggest.ts';

/**
 * Rewrites arguments to the one form `--name=value`, so that Go's habits work as well: one leading dash
 * for long names, a value in the next argument (also one that begins with a dash, if it is no known
 * flag itself), `--name` and `--no-name` for true and false. A misspelt flag takes its value along.
 * Everything after `--` is left alone.
 */
export function flagWords(args: readonly string[], table: Readonly<Record<string, Option>>): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = longForm(args[at] ?? '', table);
    if (word === '--') return [...words, ...args.slice(at)];
    const { name, inline } = flagOf(word);
    const option = name === undefined ? undefined : (optionOf(name, table) ?? meantOption(name, inline, table));
    const denied = name === undefined ? undefined : deniedFlag(name, table);
    const next = args[at + 1];
    if (name === undefined) words.push(word);
    else if (inline !== undefined) words.push(withValue(name, inline));
    else if (denied !== undefined) words.push(withValue(denied, 'false'));
    else if (option?.kind === 'flag') words.push(withValue(name, 'true'));
    else if (option !== undefined && next !== undefined && next !== '--' && !isKnownFlag(next, table)) {
      words.push(withValue(name, next));
      at++;
    } else words.push(`--${name}`);
  }
  return words;
}

/** `-o` and `-o=x` with the name that the letter stands for. */
function longForm(word: string, table: Readonly<Record<string, Option>>): string {
  const [, letter, rest = ''] = /^-([A-Za-z])(=.*)?$/s.exec(word) ?? [];
  const name = letter === undefined ? undefined : Object.keys(table).find((each) => table[each]?.short === letter);
  return name === undefined ? word : `--${name}${rest}`;
}

/** yargs takes one pair of quotes off such a value, so that a value keeps its own inside ours. */
function withValue(name: string, value: string): string {
  return `--${name}="${value}"`;
}

/** `-h` and `-1` are no long flags; `-name` and `--name` are. */
function flagOf(word: string): { readonly name?: string; readonly inline?: string } {
  const [, name, inline] = /^(?:--|-(?=[A-Za-z][-A-Za-z0-9]))([A-Za-z][^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  return name === undefined ? {} : { name, ...(inline === undefined ? {} : { inline }) };
}

function optionOf(name: string, table: Readonly<Record<string, Option>>): Option | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The option that was probably meant by a name that is none. Only for a value in the next argument. */
function meantOption(name: string, inline: string | undefined, table: Readonly<Record<string, Option>>): Option | undefined {
  if (inline !== undefined || name === 'help' || name === 'version') return undefined;
  const meant = suggest(name, Object.keys(table));
  return meant === undefined || meant === name ? undefined : optionOf(meant, table);
}

function deniedFlag(name: string, table: Readonly<Record<string, Option>>): string | undefined {
  const positive = name.startsWith('no-') ? name.slice(3) : '';
  return optionOf(positive, table)?.kind === 'flag' ? positive : undefined;
}

function isKnownFlag(word: string, table: Readonly<Record<string, Option>>): boolean {
  const { name } = flagOf(longForm(word, table));
  return (
    name !== undefined &&
    (name === 'help' || name === 'version' || optionOf(name, table) !== undefined || deniedFlag(name, table) !== undefined)
  );
}
