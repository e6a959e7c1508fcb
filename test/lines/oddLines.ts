/** Numbers in [0, 1). */
export type Random = () => number;

/**
 * One watch line as no API server may ever write it: fields in any order, missing, doubled, of other types; names and texts
 * with escapes and letters of all kinds; look-alikes inside of texts and deeper objects; white space; bytes changed at random.
 * Most lines are JSON, some are not.
 */
export function oddLine(random: Random): Buffer {
  const line = Buffer.from(oddText(random));
  if (random() < 0.8) return line;
  const faults = 1 + Math.floor(random() * 3);
  for (let fault = 0; fault < faults; fault++) line[Math.floor(random() * line.length)] = oddByte(random);
  return random() < 0.1 ? line.subarray(0, Math.floor(random() * line.length)) : line;
}

function oddText(random: Random): string {
  const type = mostly(
    random,
    0.9,
    () => text(pick(random, ['ADDED', 'MODIFIED', 'DELETED'])),
    () => anyValue(random, 2),
  );
  const members = [
    member(random, 'type', type),
    member(
      random,
      'object',
      mostly(
        random,
        0.97,
        () => eventObject(random),
        () => anyValue(random, 3),
      ),
    ),
  ];
  if (random() < 0.03) members.push(member(random, pick(random, ['type', 'object', 'kind', 'x']), anyValue(random, 2)));
  return `${space(random)}${object(random, random() < 0.05 ? members.toReversed() : members)}${space(random)}`;
}

function eventObject(random: Random): string {
  const members = [
    member(random, 'kind', '"Event"'),
    member(random, 'apiVersion', '"v1"'),
    ...sometimes(random, 0.97, () =>
      member(
        random,
        'metadata',
        mostly(
          random,
          0.97,
          () => metadata(random),
          () => anyValue(random, 2),
        ),
      ),
    ),
    ...sometimes(random, 0.95, () =>
      member(
        random,
        'involvedObject',
        mostly(
          random,
          0.97,
          () => involved(random),
          () => anyValue(random, 2),
        ),
      ),
    ),
    member(random, 'message', oddString(random)),
    member(random, 'count', pick(random, ['1', '0', '-3', '2.5e7', 'null', '12345678901234567890'])),
    ...unknownMembers(random),
  ];
  return object(random, shuffled(random, doubled(random, members)));
}

function metadata(random: Random): string {
  const members = [
    member(random, 'name', oddString(random)),
    ...sometimes(random, 0.9, () => member(random, 'namespace', field(random, ['shop', 'default', '']))),
    ...sometimes(random, 0.95, () => member(random, 'uid', field(random, ['b70074ab-4542-47b4-8ca7-54d7b462789e', 'u', '']))),
    ...sometimes(random, 0.97, () =>
      member(random, 'resourceVersion', field(random, ['238', '0', '', '18446744073709551616', 'v1', '007'])),
    ),
    ...sometimes(random, 0.5, () => member(random, 'annotations', anyValue(random, 3))),
    ...sometimes(random, 0.5, () => member(random, 'managedFields', `[${anyValue(random, 3)}]`)),
    ...unknownMembers(random),
  ];
  return object(random, shuffled(random, doubled(random, members)));
}

function involved(random: Random): string {
  const members = [
    ...sometimes(random, 0.95, () => member(random, 'kind', field(random, ['Pod', 'Node', '']))),
    ...sometimes(random, 0.9, () => member(random, 'namespace', field(random, ['shop', 'default']))),
    ...sometimes(random, 0.95, () => member(random, 'name', field(random, ['web-0', 'node-17']))),
    ...sometimes(random, 0.9, () => member(random, 'uid', field(random, ['5f6a26b0-9c4e-4ef7-83e3-06fec61c2639', 'node-17', '']))),
    ...unknownMembers(random),
  ];
  return object(random, shuffled(random, doubled(random, members)));
}

/** A field that is looked for: mostly plain text, else text that needs a parser, else no text at all. */
function field(random: Random, values: readonly string[]): string {
  return mostly(
    random,
    0.985,
    () => text(pick(random, values)),
    () =>
      mostly(
        random,
        0.7,
        () => oddString(random),
        () => anyValue(random, 2),
      ),
  );
}

const names = [
  'metadata',
  'involvedObject',
  'uid',
  'resourceVersion',
  'namespace',
  'name',
  'kind',
  'type',
  'object',
  'f:uid',
  '',
  '__proto__',
  'x',
];

function unknownMembers(random: Random): string[] {
  return Array.from({ length: random() < 0.6 ? 0 : Math.ceil(random() * 3) }, () =>
    member(
      random,
      random() < 0.15 ? pick(random, names) : pick(random, ['x', 'labels', 'f:metadata', 'Metadata', 'uids', 'ui']),
      anyValue(random, 3),
    ),
  );
}

/** Any JSON value, with members named like those that are looked for. */
function anyValue(random: Random, depth: number): string {
  const choice = random();
  if (depth > 0 && choice < 0.35)
    return object(
      random,
      Array.from({ length: Math.floor(random() * 4) }, () => member(random, pick(random, names), anyValue(random, depth - 1))),
    );
  if (depth > 0 && choice < 0.5)
    return `[${Array.from({ length: Math.floor(random() * 4) }, () => anyValue(random, depth - 1)).join(`${space(random)},`)}]`;
  return choice < 0.8 ? oddString(random) : pick(random, ['null', 'true', 'false', '0', '-1.5E+3', '{}', '[]', '""', '[[],{}]']);
}

const pieces = [
  'plain text',
  '"',
  '\\',
  '\\"',
  '}',
  '{',
  ']',
  ',',
  ':',
  '"metadata":{"uid":"evil"}',
  '","involvedObject":{"uid":"evil"},"x":"',
  '}}',
  '{"type":"DELETED","object":{',
  'é',
  '日本',
  '😀',
  '\u2028',
  '\u0085',
  '\n',
  '\t',
  '\u0000',
  '\u007f',
  '<',
  '/',
  'uid',
  '\\u0022',
]; // prettier-ignore

function oddString(random: Random): string {
  return text(Array.from({ length: Math.floor(random() * 4) }, () => pick(random, pieces)).join(''), random);
}

/** JSON text; with `random` some of its characters are written as escapes that need not be. */
function text(value: string, random?: Random): string {
  const written = JSON.stringify(value);
  if (random === undefined || random() < 0.8) return written;
  return written.replace(/[a-z/](?<!\\.)/g, (letter) =>
    random() < 0.1 ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
  );
}

function member(random: Random, name: string, value: string): string {
  return `${random() < 0.01 ? text(name, () => 0.9 * random() * random()) : text(name)}${space(random)}:${space(random)}${value}`;
}

function object(random: Random, members: readonly string[]): string {
  return `{${space(random)}${members.join(`${space(random)},${space(random)}`)}}`;
}

function space(random: Random): string {
  return random() < 0.9995 ? '' : pick(random, [' ', '\t', '  ', '\r']);
}

function shuffled(random: Random, members: readonly string[]): readonly string[] {
  if (random() < 0.7) return members;
  return members
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function doubled(random: Random, members: readonly string[]): readonly string[] {
  return random() < 0.95 ? members : [...members, pick(random, members)];
}

function sometimes(random: Random, share: number, make: () => string): string[] {
  return random() < share ? [make()] : [];
}

function mostly(random: Random, share: number, usual: () => string, other: () => string): string {
  return random() < share ? usual() : other();
}

function oddByte(random: Random): number {
  return random() < 0.5 ? pick(random, [...Buffer.from('"\\{}[],: u0')]) : Math.floor(random() * 256);
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}
