import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { idsOf } from './caseFile.ts';
import { checkExpectations } from './checkCase.ts';

const folder = new URL('./', import.meta.url);

/** Test file by group of cases. */
const files: Readonly<Record<string, string>> = {
  'odd event': 'oddEvents.test.ts',
  'odd pod': 'oddPods.test.ts',
  watch: 'watch.test.ts',
  list: 'list.test.ts',
  process: 'process.test.ts',
  sink: 'sink.test.ts',
};

test.each(Object.entries(files))('every case about "%s" has its test in %s', (group, file) => {
  const text = readFileSync(new URL(file, folder), 'utf8');
  // A title begins with the id; in a table of tests it is the first column.
  const tested = [...text.matchAll(/^(?:test\(| +\[)'([A-Z]\d\d)\b/gm)].map(([, id]) => String(id));
  expect([...new Set(tested)].toSorted()).toEqual(idsOf(group).toSorted());
});

test('every test file here belongs to a group', () => {
  const here = readdirSync(folder).filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts');
  expect(here.toSorted()).toEqual(Object.values(files).toSorted());
});

test('an expectation that nobody understands is a failure', () => {
  expect(() => checkExpectations({ shape: 'round' }, [])).toThrow('an expectation that nobody understands: shape');
});
