import { environmentName, flagCommands, type Option, optionGroups, takes } from '../../src/config/optionKinds.ts';
import { optionTable } from '../../src/config/options.ts';
import { code, page, table } from './markdown.ts';

const kinds: Readonly<Record<Option['kind'], string>> = {
  text: 'Text.',
  flag: '`true` or `false`; `--NAME` alone is true, `--no-NAME` false.',
  count: 'A whole number in decimal digits.',
  duration: 'A Go duration: numbers with a unit, such as `300ms`, `1.5h` or `1m30s`.',
  bytes: 'A number of bytes, with a unit if wanted: `512KiB`, `32MiB`, `1GiB` (or `Ki`, `Mi`, `Gi`; `kB`, `MB`, `GB` for powers of 1000).',
  choice: 'One of the words listed.',
  list: 'Words separated by commas. The flag may also be given several times. In the file it may be a YAML list.',
  address: '`HOST:PORT`, `:PORT` for every address of the machine, `[::1]:PORT` for IPv6.',
  factor: 'A number above 0, or `max`.',
  options: 'Flags of its own, separated by spaces.',
};

export function flagsPage(): string {
  return page(
    '# Settings',
    'Each option is a flag, an environment variable and a key of the file that `--config` names (its name without dashes in front). Flags win over the environment, the environment over the file, the file over the default. From the environment only the names below are read. One dash in front of a long flag works, too.',
    'All faults are shown in one message before the first request, and the exit code is 2.',
    'A file for a shard of three:',
    '```yaml\ntotal-shards: 3\nnamespace: [shop, checkout]\nevent-field-selector: type=Warning\ndrain-timeout: 10s\n```',
    ...optionGroups.flatMap((group) => [`## ${group}`, groupTable(group), ...subTables(group)]),
    '## Kinds of values',
    table(
      ['kind', 'how it is written'],
      Object.entries(kinds).map(([kind, text]) => [kind, text]),
    ),
  );
}

function groupTable(group: string): string {
  const rows = Object.entries(optionTable).filter(([, option]) => option.group === group);
  return table(
    ['flag', 'kind', 'default', 'example', 'environment', 'commands', 'meaning'],
    rows.map(([name, option]) => [
      [`--${name}`, ...(option.short === undefined ? [] : [`-${option.short}`])].map(code).join(', '),
      option.kind,
      defaultText(option),
      code(option.example),
      code(environmentName(name)),
      flagCommands.every((command) => takes(option, command)) ? 'all' : option.commands.join(', '),
      meaning(option),
    ]),
  );
}

function defaultText({ default: common, defaults = {}, eventExporter }: Option): string {
  const others = [...Object.entries(defaults), ...(eventExporter === undefined ? [] : [['called as event-exporter', eventExporter]])];
  return [code(common), ...others.map(([when, text = '']) => `${when}: ${code(text) || 'empty'}`)].join(', ');
}

function subTables(group: string): readonly string[] {
  return Object.entries(optionTable).flatMap(([name, option]) => {
    if (option.group !== group || option.kind !== 'options') return [];
    const rows = Object.entries(option.of).map(([inner, row]) => [code(inner), row.kind, defaultText(row), meaning(row)]);
    return [`Inside \`--${name}\`:`, table(['option', 'kind', 'default', 'meaning'], rows)];
  });
}

function meaning(option: Option): string {
  const choices = option.kind === 'choice' ? ` One of: ${option.choices.map(choice(option.meanings)).join(', ')}.` : '';
  const notFor =
    option.kind === 'choice' && option.notFor !== undefined
      ? Object.entries(option.notFor).map(([command, not]) => ` Not with ${command}: ${not.map(code).join(', ')}.`)
      : [];
  const limits = option.kind === 'count' ? ` From ${option.min} to ${option.max}.` : '';
  const upstream = option.upstream === undefined ? '' : ` Here ${option.upstream}.`;
  const sinks =
    option.sinks === undefined ? '' : ` Used by: ${option.sinks.length === 0 ? 'no sink yet; accepted' : option.sinks.join(', ')}.`;
  return `${option.description}${choices}${notFor.join('')}${limits}${upstream}${sinks}`;
}

const choice =
  (meanings: Readonly<Record<string, string>> = {}) =>
  (word: string): string =>
    meanings[word] === undefined ? code(word) : `${code(word)} (${meanings[word]})`;
