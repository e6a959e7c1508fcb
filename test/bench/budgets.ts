import { readFileSync } from 'node:fs';
import type { Row } from './measure.ts';

/** Greatest ratio to the base, or greatest number of bytes, by the row's name. Never a time: those are the machine's. */
export interface Budgets {
  readonly ratios: Readonly<Record<string, number>>;
  readonly bytes: Readonly<Record<string, number>>;
  /** Rows that miss their ratio so far: what is not to be exceeded meanwhile. To be lowered, never raised. */
  readonly held: Readonly<Record<string, number>>;
}

export const budgets = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8')) as Budgets;

/** One sentence per row over its budget; rows without a budget have none. */
export function overBudget(rows: readonly Row[], { ratios, bytes, held }: Budgets): readonly string[] {
  return rows.flatMap(({ name, unit, median, base }) => {
    const ratioMax = held[name] ?? ratios[name];
    const bytesMax = bytes[name];
    return [
      ...(ratioMax !== undefined && !((base?.ratio ?? Number.NaN) <= ratioMax)
        ? [`${name}: at most ${ratioMax} x ${base?.name ?? 'its base'} (got ${base?.ratio.toFixed(2) ?? 'no ratio'})`]
        : []),
      ...(bytesMax !== undefined && !(unit === 'B' && median <= bytesMax)
        ? [`${name}: at most ${bytesMax} B (got ${Math.round(median)} ${unit})`]
        : []),
    ];
  });
}
