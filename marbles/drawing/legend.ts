import { card } from './card.ts';
import type { Shape } from './shapeOf.ts';
import { ending, escaped, shape } from './shapes.ts';

const entries: readonly (readonly [Shape | 'complete' | 'error' | 'reading', letter: string, text: string])[] = [
  ['item', 'a', 'one item: an occurrence, an object, a change'],
  ['removed', 'x', 'an object that was deleted'],
  ['listStart', 's', 'a list begins (relistStarted)'],
  ['listEnd', 'd', 'a list is done (relistDone)'],
  ['bookmark', 'm', 'a bookmark: only the position moves'],
  ['gap', 'g', 'a gap record'],
  ['batch', 'x', 'a batch'],
  ['entry', 'x', 'an entry, as a sink stores it'],
  ['ack', 'a', 'an acknowledgement: stored'],
  ['refusal', 'a', 'an acknowledgement: refused for good'],
  ['position', '7', 'the position, or a checkpoint'],
  ['fact', 'o', 'a fact: a flag, the head of an answer'],
  ['cut', '', 'connections are cut'],
  ['expired', '', 'the history is compacted: 410'],
  ['complete', '', 'completion'],
  ['error', '', 'an error'],
  ['reading', '', 'subscribed from here to there'],
];

/** What each shape means. */
export function legend(): string {
  const columns = 2;
  const rows = Math.ceil(entries.length / columns);
  const [width, height] = [700, rows * 30 + 24];
  const parts = entries.map(([kind, letter, text], at) => {
    const [x, y] = [32 + Math.floor(at / rows) * 350, 27 + (at % rows) * 30];
    return `${sample(kind, letter, x, y)}<text x="${x + 26}" y="${y + 4}" class="note">${escaped(text)}</text>`;
  });
  return card(width, height, parts);
}

function sample(kind: Shape | 'complete' | 'error' | 'reading', letter: string, x: number, y: number): string {
  if (kind === 'complete' || kind === 'error') return ending(kind, x, y);
  if (kind === 'reading')
    return `<path d="M${x - 12} ${y}H${x + 12}" class="reading"/><path d="M${x - 12} ${y - 7}V${y + 7}M${x + 12} ${y - 7}V${y + 7}" class="edge"/>`;
  return shape(kind, letter, x, y);
}
