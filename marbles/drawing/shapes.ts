import type { Shape } from './shapeOf.ts';

const outlines: Readonly<Record<Shape, string>> = {
  item: '<circle r="8.5" class="CLASS"/>',
  removed: '<circle r="8.5" class="CLASS dashed"/><path d="M-6 6L6-6" class="stroke"/>',
  listStart: '<rect x="-5" y="-10" width="13" height="20" class="blank"/><path d="M6-11H-6V11H6" class="bracket"/>',
  listEnd: '<rect x="-8" y="-10" width="13" height="20" class="blank"/><path d="M-6-11H6V11H-6" class="bracket"/>',
  bookmark: '<path d="M-7-10H7V11L0 6L-7 11Z" class="control"/>',
  gap: '<path d="M0-12L12 0L0 12L-12 0Z" class="gap"/>',
  expired: '<path d="M-5-11H5L11-5V5L5 11H-5L-11 5V-5Z" class="gap"/>',
  cut: '<path d="M2-12L-4 1H4L-2 12" class="cut"/>',
  ack: '<rect x="-8.5" y="-8.5" width="17" height="17" rx="3.5" class="ack"/><path d="M4-9L7-6L12-12" class="tick"/>',
  refusal: '<rect x="-8.5" y="-8.5" width="17" height="17" rx="3.5" class="gap"/><path d="M6-12L12-6M12-12L6-6" class="cross"/>',
  entry: '<path d="M-8-10H3L8-5V10H-8Z" class="CLASS"/><path d="M3-10V-5H8" class="thin"/>',
  batch:
    '<rect x="-6" y="-11" width="17" height="17" rx="3" class="CLASS"/><rect x="-9.5" y="-7.5" width="17" height="17" rx="3" class="CLASS"/>',
  position: '<path d="M-8.5-9.5H8.5V3L0 11.5L-8.5 3Z" class="ack"/>',
  fact: '<path d="M-9 0L-5-8H5L9 0L5 8H-5Z" class="control"/>',
};

/** Where the letter of a shape stands, when that is not its middle. */
const middles: Partial<Record<Shape, readonly [x: number, y: number]>> = { batch: [-1, 1], position: [0, -1.5], bookmark: [0, -1] };
const silent: ReadonlySet<Shape> = new Set(['cut']);
const colours = 6;

/** One item at its place, with its letter. */
export function shape(kind: Shape, letter: string, x: number, y: number): string {
  const colour = `c${((letter.toLowerCase().codePointAt(0) ?? 0) + 5) % colours}`;
  const [letterX, letterY] = middles[kind] ?? [0, 0];
  const shown = kind === 'expired' ? '410' : kind === 'gap' && letter === '%' ? '!' : letter;
  const text = silent.has(kind)
    ? ''
    : `<text x="${letterX}" y="${letterY + 3.8}" class="letter${shown.length > 1 ? ' small' : ''}">${escaped(shown)}</text>`;
  return `<g transform="translate(${round(x)} ${y})">${outlines[kind].replaceAll('CLASS', colour)}${text}</g>`;
}

/** The end of a stream. */
export function ending(kind: 'complete' | 'error', x: number, y: number): string {
  const d =
    kind === 'complete'
      ? `M${round(x)} ${y - 12}V${y + 12}`
      : `M${round(x - 7)} ${y - 7}L${round(x + 7)} ${y + 7}M${round(x + 7)} ${y - 7}L${round(x - 7)} ${y + 7}`;
  return `<path d="${d}" class="${kind}"/>`;
}

/** One decimal is finer than anybody sees. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
