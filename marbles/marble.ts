import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type MarbleHelpers, marbleKit } from '../src/marbleKit.ts';
import { drawing } from './drawing/drawing.ts';
import { type RecordedRow, type RecordedSpec, recording } from './drawing/recorded.ts';

const runMarbles = marbleKit((actual, expected) => {
  expect(actual).toStrictEqual(expected);
});

const titles: string[] = [];
const specs: RecordedSpec[] = [];
const folder = new URL('../docs/marbles/', import.meta.url);
let path = '';

/** One marble spec: a vitest test that runs in virtual time. What it runs is what docs/marbles shows. */
export function marble(title: string, spec: (helpers: MarbleHelpers) => void): void {
  titles.push(title);
  test(title, () => {
    const rows: RecordedRow[] = [];
    runMarbles((helpers) => spec(recording(helpers, rows)));
    specs.push({ title, rows });
    path = expect.getState().testPath ?? '';
  });
}

afterAll(() => {
  if (specs.length < titles.length || !/[/\\]marbles[/\\][^/\\]*$/.test(path)) return; // Some were left out or failed, or none is a specification.
  const text = readFileSync(path, 'utf8');
  const name = basename(path, '.test.ts');
  keep(new URL(`${name}.svg`, folder), drawing(specs.slice(0, 1), text));
  keep(new URL(`${name}.all.svg`, folder), specs.length > 1 ? drawing(specs, text) : undefined);
});

/** Compares with the drawing that is kept, or keeps it anew: `npm run marbles:draw`. */
function keep(url: URL, svg: string | undefined): void {
  if (process.env['MARBLES_DRAW'] === 'true') {
    mkdirSync(new URL('.', url), { recursive: true });
    if (svg !== undefined) writeFileSync(url, svg);
    return;
  }
  expect(kept(url), `${url.pathname} is not what its specs draw: run \`npm run marbles:draw\``).toBe(svg);
}

function kept(url: URL): string | undefined {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return undefined;
  }
}
