/**
 * Syntax of the selectors that go to the API server, so that a bad one is told before the first
 * request. Each function names what is wrong, or returns undefined.
 * Source: Kubernetes, "Labels and Selectors" and "Field Selectors"; the fields are those that
 * core/v1 declares for Event.
 */

const namePart = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Fields of an Event that the API server can select by. */
export const eventFields = [
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'involvedObject.apiVersion',
  'involvedObject.resourceVersion',
  'involvedObject.fieldPath',
  'reason',
  'reportingComponent',
  'source',
  'type',
  'metadata.name',
  'metadata.namespace',
] as const;

export function namespaceFault(text: string): string | undefined {
  return dnsLabel.test(text) && text.length <= 63
    ? undefined
    : 'must be a namespace name: at most 63 lower-case letters, digits and dashes, a letter or digit at both ends';
}

export function labelSelectorFault(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  for (const requirement of splitOutsideBrackets(text)) {
    const fault = requirementFault(requirement.trim());
    if (fault !== undefined) return `must be a label selector; ${fault}`;
  }
  return undefined;
}

function requirementFault(text: string): string | undefined {
  if (text === '') return 'there is nothing between two commas or at an end';
  const set = /^(\S+)\s+(?:in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (set !== null) return keyFault(set[1] ?? '') ?? firstFault((set[2] ?? '').split(','), valueFault);
  const order = /^([^\s=!<>]+)\s*[<>]\s*(\S*)$/.exec(text);
  if (order !== null) return keyFault(order[1] ?? '') ?? integerFault(order[2] ?? '');
  const equal = /^([^\s=!<>]+)\s*(?:==|=|!=)\s*(.*)$/.exec(text);
  if (equal !== null) return keyFault(equal[1] ?? '') ?? valueFault(equal[2] ?? '');
  const exists = /^!?\s*(\S+)$/.exec(text);
  if (exists !== null) return keyFault(exists[1] ?? '');
  return `'${text}' is none of key, !key, key=value, key!=value, key in (a,b), key notin (a,b), key>1, key<1`;
}

function keyFault(key: string): string | undefined {
  const slash = key.indexOf('/');
  const prefix = key.slice(0, Math.max(slash, 0));
  const name = key.slice(slash + 1);
  const prefixGood = slash === -1 || (prefix.length <= 253 && prefix.split('.').every((label) => dnsLabel.test(label)));
  return prefixGood && name.length <= 63 && namePart.test(name) ? undefined : `'${key}' cannot be the name of a label`;
}

function valueFault(value: string): string | undefined {
  const trimmed = value.trim();
  return trimmed === '' || (trimmed.length <= 63 && namePart.test(trimmed)) ? undefined : `'${trimmed}' cannot be the value of a label`;
}

function integerFault(value: string): string | undefined {
  return /^[0-9]+$/.test(value) ? undefined : `'${value}' is not a whole number`;
}

function firstFault(values: readonly string[], fault: (value: string) => string | undefined): string | undefined {
  return values.map(fault).find((found) => found !== undefined);
}

/** Commas inside the brackets of a set belong to the set. */
function splitOutsideBrackets(text: string): readonly string[] {
  return text.match(/(?:\([^()]*\)|[^,])+|(?<=,|^)(?=,|$)/g) ?? [];
}

export function fieldSelectorFault(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  for (const term of text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? []) {
    const fault = termFault(term);
    if (fault !== undefined) return `must be a field selector; ${fault}`;
  }
  return undefined;
}

function termFault(term: string): string | undefined {
  const parts = /^([^=!]*?)(?:!=|==|=)(.*)$/s.exec(term);
  if (parts === null) return `'${term}' is none of field=value, field==value, field!=value`;
  const [, field = '', value = ''] = parts;
  if (!eventFields.some((known) => known === field)) return `events have no field '${field}' to select by, only ${eventFields.join(', ')}`;
  if (/(?<!\\)(?:\\\\)*(?:=|\\(?![\\,=]))/.test(value))
    return `in '${value}' a comma, '=' or backslash must have a backslash before it, and nothing else may`;
  return undefined;
}
