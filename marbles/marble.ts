import { expect, test } from 'vitest';
import { type MarbleHelpers, marbleKit } from '../src/marbleKit.ts';

const runMarbles = marbleKit((actual, expected) => {
  expect(actual).toStrictEqual(expected);
});

/** One marble spec: a vitest test that runs in virtual time. */
export function marble(title: string, spec: (helpers: MarbleHelpers) => void): void {
  test(title, () => runMarbles(spec));
}
