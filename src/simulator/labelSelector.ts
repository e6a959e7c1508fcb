/** True for the labels that a selector wants. */
export type LabelTest = (labels: Readonly<Record<string, string>>) => boolean;

/** A selector that can be used, or the server's words for what is wrong with it. */
export type Parsed<T> = { readonly type: 'ok'; readonly value: T } | { readonly type: 'bad'; readonly message: string };

interface Requirement {
  readonly key: string;
  readonly test: (value: string | undefined) => boolean;
}

const keyForm = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const valueForm = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/**
 * Reads a label selector: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, joined by commas.
 * `!=` and `notin` also want objects without the label. Numeric comparisons are left out.
 * Source: kubernetes.io, "Labels and Selectors".
 */
export function labelSelector(text: string): Parsed<LabelTest> {
  const requirements: Requirement[] = [];
  const terms = text.trim() === '' ? [] : splitTerms(text);
  for (const term of terms) {
    const requirement = readTerm(term.trim());
    if (typeof requirement === 'string') return { type: 'bad', message: `unable to parse requirement: ${requirement}` };
    requirements.push(requirement);
  }
  return { type: 'ok', value: (labels) => requirements.every(({ key, test }) => test(labels[key])) };
}

/** Cuts at commas that are not inside brackets. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    else if (text[at] === ',' && depth <= 0) {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function readTerm(term: string): Requirement | string {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(term);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    const within = (value: string | undefined): boolean => value !== undefined && values.includes(value);
    return checked(key, values, operator === 'in' ? within : (value) => !within(value));
  }
  const exact = /^([^=!]*?)\s*(==|=|!=)\s*([^=!]*)$/.exec(term);
  if (exact !== null) {
    const [, key = '', operator, wanted = ''] = exact;
    return checked(key, [wanted], operator === '!=' ? (value) => value !== wanted : (value) => value === wanted);
  }
  const absent = /^!\s*(.*)$/.exec(term);
  if (absent !== null) return checked(absent[1] ?? '', [], (value) => value === undefined);
  return checked(term, [], (value) => value !== undefined);
}

function checked(key: string, values: readonly string[], test: Requirement['test']): Requirement | string {
  if (/\s/.test(key)) {
    const [, second = ''] = key.split(/\s+/);
    return `found '${second}', expected: in, notin, =, ==, !=, gt, lt`;
  }
  if (key === '') return "found '', expected: identifier";
  if (!keyForm.test(key))
    return `<nil>: Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters, '-', '_' or '.'`;
  const bad = values.find((value) => !valueForm.test(value));
  if (bad !== undefined)
    return `values[0][${key}]: Invalid value: ${JSON.stringify(bad)}: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.'`;
  return { key, test };
}
