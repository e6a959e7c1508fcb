import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkConfig } from '../../src/cli/checkConfig.ts';
import { optionTable } from '../../src/config/options.ts';
import { fakeProcess } from './cliContext.ts';

const schema = JSON.parse(readFileSync(new URL('../../docs/config.schema.json', import.meta.url), 'utf8')) as { properties: object };
const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
const options = Object.entries(optionTable).filter(([name]) => name !== 'config');

/** What an option needs beside it. */
const beside: Readonly<Record<string, string>> = { 'shard-id': 'total-shards: 9', sink: 'file-path: events.ndjson' };

/** What the schema and what the program say of a file. */
function verdicts(file: string): { readonly schema: boolean; readonly program: boolean } {
  const code = checkConfig({ path: 'c.yaml', faults: [] }, fakeProcess().context, () => file);
  return { schema: validate(parse(file)), program: code === 0 };
}

test('every option but the file itself is in the schema', () => {
  expect(Object.keys(schema.properties)).toEqual(options.map(([name]) => name));
});

test.each(options)('%s: default and example pass both', (name, option) => {
  const values = [option.default, option.example].filter((value) => value !== '');
  for (const value of values) {
    // A text that YAML would take for something else is quoted, as a user has to.
    const text = ['text', 'options', 'address', 'list'].includes(option.kind) ? JSON.stringify(value) : value;
    const file = `${name}: ${text}\n${beside[name] ?? ''}`;
    expect([file, verdicts(file)]).toEqual([file, { schema: true, program: true }]);
  }
});

describe('what the program refuses, the schema refuses, too', () => {
  test.each([
    'total-shards: 0',
    'total-shards: 1.5',
    'total-shards: three',
    'shard-id: -2',
    'drain-timeout: 5',
    'drain-timeout: 5 minutes',
    'drain-timeout: -1s',
    'sink: kafka',
    'enable-pod-owner-label: maybe',
    'max-in-flight-bytes: 32 MiB',
    'max-in-flight-bytes: 0',
    'speed: 0',
    'speed: fast',
    'namespace: {a: b}',
    'namespce: shop',
    'config: other.yaml',
    '- sink',
  ])('%s', (file) => {
    expect(verdicts(file)).toEqual({ schema: false, program: false });
  });
});

test('lists may be written both ways', () => {
  expect(verdicts('namespace: [shop, checkout]')).toEqual({ schema: true, program: true });
  expect(verdicts('namespace: shop,checkout')).toEqual({ schema: true, program: true });
});
