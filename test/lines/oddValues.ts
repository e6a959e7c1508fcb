import type { Random } from './oddLines.ts';

const texts = [
  '',
  'web-0',
  'web-5d4f',
  '-29000000',
  'nightly-29000000',
  'é\u2028\u0000',
  '\ud800',
  '../../etc/passwd',
  '%s%n',
  '1m30s',
  '007',
  '-1',
];

/** Names that mean something to JavaScript, besides those that mean something to whoever reads the value. */
const trapNames = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'then', 'length'];

export function pick<T>(random: Random, values: readonly [T, ...T[]] | readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** Any JSON value, its members named `names` or like traps. As text, so that `__proto__` is a member and no prototype. */
export function oddJson(random: Random, names: readonly string[], depth: number): string {
  const choice = random();
  const size = (): number => Math.floor(random() * 4);
  if (depth > 0 && choice < 0.4) {
    const members = Array.from({ length: size() }, () => {
      const name = random() < 0.2 ? pick(random, trapNames) : pick(random, names);
      const value = name === '__proto__' ? '{"polluted":true}' : oddJson(random, names, depth - 1);
      return `${JSON.stringify(name)}:${value}`;
    });
    return `{${members.join(',')}}`;
  }
  if (depth > 0 && choice < 0.55) return `[${Array.from({ length: size() }, () => oddJson(random, names, depth - 1)).join(',')}]`;
  if (choice < 0.85) return JSON.stringify(pick(random, [...texts, ...names]));
  return pick(random, ['null', 'true', 'false', '0', '-1', '1e400', '12345678901234567890', '2.5']);
}

/** The text with a few characters left out, doubled or replaced. */
export function damaged(random: Random, text: string): string {
  let odd = text;
  for (let faults = Math.floor(random() * 4); faults > 0; faults--) {
    const at = Math.floor(random() * odd.length);
    const instead = pick(random, [
      '',
      ' ',
      '\t',
      '\n',
      ':',
      '- ',
      '"',
      '{',
      '[',
      '&a ',
      '*a',
      '!!js/function ',
      '\u0000',
      '\ufeff',
      odd.slice(at, at + 9),
    ]);
    odd = odd.slice(0, at) + instead + odd.slice(at + Math.floor(random() * 3));
  }
  return odd;
}
