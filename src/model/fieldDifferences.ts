/** A field that two objects do not agree on. An absent side does not have it. */
export interface FieldDifference {
  /** Names from the outside inwards, joined by dots. */
  readonly field: string;
  readonly a?: unknown;
  readonly b?: unknown;
}

/** Fields that do not count, with everything inside them, written as in `FieldDifference`. */
export type IgnoredFields = readonly string[];

/** The fields on which two values differ, each as deep inside as can be told, in the order of the first. */
export function fieldDifferences(a: unknown, b: unknown, ignored: IgnoredFields = [], path = ''): readonly FieldDifference[] {
  if (ignored.includes(path)) return [];
  if (isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].flatMap((name) => {
      const inner = path === '' ? name : `${path}.${name}`;
      const [inA, inB] = [Object.hasOwn(a, name), Object.hasOwn(b, name)];
      if (inA && inB) return fieldDifferences(a[name], b[name], ignored, inner);
      if (ignored.includes(inner)) return [];
      return [{ field: inner, ...(inA ? { a: a[name] } : { b: b[name] }) }];
    });
  }
  return a === b ? [] : [{ field: path, a, b }];
}

/** Text that is equal for values without differences: names in order, ignored fields left out. */
export function canonicalJson(value: unknown, ignored: IgnoredFields = [], path = ''): string {
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).filter((name) => !ignored.includes(path === '' ? name : `${path}.${name}`));
  const inside = (name: string): string => canonicalJson(value[name], ignored, path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value)) return `[${names.map(inside).join(',')}]`;
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${inside(name)}`)
    .join(',')}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
