import { type Fault, faultAt, lineAt, type Source } from './source.ts';

interface Allowance {
  readonly rule: string;
  readonly reason: string;
  readonly line: number;
  readonly start: number;
}

const form = /^\s*tidy-allow\s+(\w+)\s*:?\s*(.*)$/;

/**
 * Takes away the faults that a comment allows: `// tidy-allow RULE: the reason`, on the line itself
 * or the line above; for a whole file on its first line. An allowance without a reason, or one that
 * nothing needs any more, is a fault.
 */
export function withoutAllowed(source: Source, faults: readonly Fault[]): Fault[] {
  const allowances = allowancesOf(source);
  const used = new Set<Allowance>();
  const left = faults.filter((fault) => {
    const allowance = allowances.find(({ rule, line }) => rule === fault.rule && (line === fault.line || line + 1 === fault.line));
    if (allowance !== undefined) used.add(allowance);
    return allowance === undefined;
  });
  const bad = allowances.flatMap((allowance) => {
    const { rule, reason } = allowance;
    if (reason.length < 8) return [faultAt(source, allowance, 'allow', `say why: // tidy-allow ${rule}: the reason`)];
    return used.has(allowance) ? [] : [faultAt(source, allowance, 'allow', `nothing here breaks the rule '${rule}'; remove the comment`)];
  });
  return [...left, ...bad];
}

function allowancesOf(source: Source): Allowance[] {
  return source.comments.flatMap(({ value, start }) => {
    const [, rule, reason] = form.exec(value) ?? [];
    return rule === undefined || reason === undefined ? [] : [{ rule, reason: reason.trim(), line: lineAt(source, start), start }];
  });
}
