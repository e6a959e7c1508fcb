import { card } from '../../marbles/drawing/card.ts';
import { escaped, shape } from '../../marbles/drawing/shapes.ts';

/** When each version was read and acknowledged, as places from left to right. */
const slots = [
  { version: '4', read: 180, acked: 300 },
  { version: '5', read: 235, acked: 345 },
  { version: '6', read: 290, acked: 610 },
  { version: '7', read: 345, acked: 455 },
  { version: '8', read: 400, acked: 675 },
] as const;

const positions = [
  ['4', 300],
  ['5', 345],
  ['7', 610],
  ['8', 675],
] as const;

const saved = [
  ['5', 395],
  ['8', 765],
] as const;

const crashes = [
  { x: 520, name: 'A' },
  { x: 715, name: 'B' },
  { x: 815, name: 'C' },
] as const;

const rows = { read: 62, slots: 104, position: 252, checkpoint: 300 } as const;
const [width, height] = [900, 424];

/** docs/delivery.svg: how slots, acknowledgements, the position and the checkpoint move, and what a crash would mean. */
export function deliveryDrawing(): string {
  const line = (label: string, y: number): string =>
    `<text x="132" y="${y + 4}" class="label">${label}</text><path d="M150 ${y}H856" class="axis"/><path d="M864 ${y}l-9-4v8z" class="head"/>`;
  const bars = slots.map(({ version, read, acked }, at) => {
    const y = rows.slots + at * 27;
    const bar = `<path d="M${read} ${y}H${acked}" class="reading"/><path d="M${read} ${y - 7}V${y + 7}" class="edge"/>`;
    return `${bar}${shape('ack', version, acked, y)}<text x="${read - 12}" y="${y + 4}" class="label">${version}</text>`;
  });
  const crossings = crashes.map(
    ({ x, name }) =>
      `<path d="M${x} 44V318" class="cut" stroke-dasharray="5 4"/><circle cx="${x}" cy="34" r="10" class="gap"/><text x="${x}" y="38" class="letter">${name}</text>`,
  );
  const notes = [
    ['A', '6, 7 and 8 are read again. The sink gets 7 a second time, with the same key and the same time.'],
    ['B', '8 is acknowledged, and that is not saved yet: 6, 7 and 8 come a second time. A sink with a key has each once.'],
    ['C', 'Everything is saved: nothing comes again.'],
  ].map(
    ([name = '', text = ''], at) =>
      `<text x="36" y="${352 + at * 24}" class="title">${name}</text><text x="58" y="${352 + at * 24}" class="note">${escaped(text)}</text>`,
  );
  return card(width, height, [
    ...crossings,
    line('read', rows.read),
    ...slots.map(({ version, read }) => shape('item', version, read, rows.read)),
    `<text x="132" y="${rows.slots + 58}" class="label">open slots</text>`,
    ...bars,
    line('position', rows.position),
    ...positions.map(([version, x]) => shape('position', version, x, rows.position)),
    line('checkpoint', rows.checkpoint),
    ...saved.map(([version, x]) => shape('entry', version, x, rows.checkpoint)),
    ...notes,
  ]);
}
