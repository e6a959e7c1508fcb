import { card } from './card.ts';
import { panel } from './panel.ts';
import type { RecordedSpec } from './recorded.ts';

/** Diagrams of more lines than this say nothing at a glance. */
const rowsMax = 9;

/** An SVG of specs, one below the other; undefined if none of them can be drawn. `text` is the file they stand in. */
export function drawing(specs: readonly RecordedSpec[], text: string): string | undefined {
  const drawable = specs.filter(({ rows }) => rows.some(({ type }) => type === 'expected' || type === 'source') && rows.length <= rowsMax);
  if (drawable.length === 0) return undefined;
  const panels = drawable.map((spec) => panel(spec, text));
  const width = Math.max(...panels.map((each) => each.width), 420);
  let y = 8;
  const parts = panels.map(({ height, body }, at) => {
    const rule = at === 0 ? '' : `<path d="M16 ${y}H${width - 16}" class="rule"/>\n`;
    const part = `${rule}<g transform="translate(0 ${y})">\n${body}\n</g>`;
    y += height;
    return part;
  });
  const height = y + 8;
  return card(width, height, parts);
}
