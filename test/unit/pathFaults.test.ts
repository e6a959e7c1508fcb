import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathFaults } from '../../src/cli/pathFaults.ts';
import { readSettings } from '../../src/config/readSettings.ts';

const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-'));
writeFileSync(join(folder, 'there'), '');
const { settings } = readSettings({ command: 'run', flags: new Map(), environment: {}, hostname: '', read: () => '' });

function reasons(path: string): readonly string[] {
  const faults = pathFaults({ ...settings, sink: 'file', filePath: path });
  return faults.map((fault) => fault.replaceAll(folder, 'FOLDER').replace(/^.*\(got '[^']*': (.*)\)$/, '$1'));
}

test('a file that is there, or can be made, has no fault', () => {
  expect([reasons(join(folder, 'there')), reasons(join(folder, 'new')), pathFaults(settings)]).toEqual([[], [], []]);
});

test.each([
  ['no/file', 'there is no folder FOLDER/no'],
  ['there/file', 'FOLDER/there is no folder'],
  ['', 'it is a folder'],
])('%j is told in plain words', (path, reason) => {
  expect(reasons(`${folder}/${path}`)).toEqual([reason]);
});

test('each file is named by its flag', () => {
  const faults = pathFaults({
    ...settings,
    sink: 'file',
    filePath: '/nowhere/a',
    checkpoint: 'file:/nowhere/b',
    refusedFile: '/nowhere/c',
  });
  expect(faults.map((fault) => /^(\S+) must .*'(\S+)':/.exec(fault)?.slice(1))).toEqual([
    ['--file-path', '/nowhere/a'],
    ['--checkpoint', '/nowhere/b'],
    ['--refused-file', '/nowhere/c'],
  ]);
});
