import type { Kind } from './kinds.ts';
import type { Parsed } from './labelSelector.ts';
import type { PlainObject } from './object.ts';

export type FieldTest = (object: PlainObject) => boolean;

/**
 * Reads a field selector: `a=b`, `a==b`, `a!=b`, joined by commas; a backslash keeps the next letter
 * as it is. Only the fields that the kind makes selectable can be named. A missing field is empty text.
 */
export function fieldSelector(text: string, kind: Kind): Parsed<FieldTest> {
  const tests: FieldTest[] = [];
  for (const term of splitTerms(text)) {
    const [, field = '', operator, escaped = ''] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
    if (operator === undefined) return { type: 'bad', message: `invalid selector: '${text}'; can't understand '${term}'` };
    const read = kind.fields[field];
    if (read === undefined) return { type: 'bad', message: `field label not supported: ${field}` };
    const wanted = escaped.replace(/\\(.)/gs, '$1');
    const equal: FieldTest = (object) => textOf(read(object)) === wanted;
    tests.push(operator === '!=' ? (object) => !equal(object) : equal);
  }
  return { type: 'ok', value: (object) => tests.every((test) => test(object)) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? String(value) : '';
}

function splitTerms(text: string): string[] {
  return [...text.matchAll(/(?:\\.|[^\\,])+/gs)].map(([term]) => term);
}
