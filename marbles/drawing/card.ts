import { style } from './style.ts';

/** An SVG of its own around the parts: a card with round corners, in light and dark. */
export function card(width: number, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    style,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" class="card"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
