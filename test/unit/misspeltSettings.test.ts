import { describe, expect, test } from 'vitest';
import { readSettings, type SettingsReading } from '../../src/config/readSettings.ts';

interface Given {
  readonly flags?: Readonly<Record<string, string | undefined>>;
  readonly file?: string;
}

function read({ flags = {}, file }: Given): SettingsReading {
  const all = Object.entries({ ...flags, ...(file === undefined ? {} : { config: 'c.yaml' }) });
  const given = new Map(all.map(([name, text]) => [name, [text]]));
  return readSettings({ command: 'run', flags: given, environment: {}, hostname: 'laptop', read: () => file ?? '' });
}

describe('a misspelt name is one fault, and none follows from it', () => {
  test('as a flag', () => {
    const { faults, settings, complete } = read({ flags: { 'total-shrds': '3', 'shard-id': '2', kubeconfg: '/x' } });
    expect(faults).toEqual([
      '--total-shrds is not an option (did you mean --total-shards?)',
      '--kubeconfg is not an option (did you mean --kubeconfig?)',
    ]);
    expect([settings.totalShards, settings.kubeconfig, complete]).toEqual([3, '/x', true]);
  });

  test('in the file', () => {
    const { faults } = read({ file: 'total-shrds: 3\nshard-id: 2' });
    expect(faults).toEqual(['total-shrds in c.yaml line 1 is not an option (did you mean total-shards?)']);
  });

  test('without its value, or in a file that cannot be read, what was meant is not known', () => {
    expect(read({ flags: { kubeconfg: undefined } }).complete).toBe(false);
    expect(read({ file: '{', flags: { 'shard-id': '2' } })).toMatchObject({ faults: [expect.stringContaining('line 1')], complete: false });
  });

  test('a wrong value is told beside it, under the name that was written', () => {
    expect(read({ flags: { 'total-shrds': 'x' } }).faults.at(-1)).toBe('--total-shrds must be a whole number from 1 to 65536 (got "x")');
  });
});
