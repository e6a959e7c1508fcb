/** How an item looks. Each has a shape of its own, so that none is told by colour alone. */
export type Shape =
  | 'item'
  | 'removed'
  | 'listStart'
  | 'listEnd'
  | 'bookmark'
  | 'gap'
  | 'expired'
  | 'cut'
  | 'ack'
  | 'refusal'
  | 'entry'
  | 'batch'
  | 'position'
  | 'fact';

const byType: Readonly<Record<string, Shape>> = {
  relistStarted: 'listStart',
  started: 'listStart',
  relistDone: 'listEnd',
  bookmark: 'bookmark',
  gap: 'gap',
  deleted: 'removed',
  podRemoved: 'removed',
  entry: 'entry',
  unreadable: 'entry',
  opened: 'fact',
  torn: 'fact',
  oversized: 'fact',
  exhausted: 'fact',
  answer: 'fact',
  '/': 'cut',
  '?': 'expired',
  '%': 'gap',
};

/** Goes by what the value is: wrappers are looked into, and text by its first word. */
export function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) return value.length > 0 && value.every(isAck) ? 'ack' : 'batch';
  if (typeof value === 'boolean' || typeof value === 'number') return 'fact';
  if (typeof value === 'string') return byType[value.split(' ')[0] ?? ''] ?? 'item';
  if (typeof value !== 'object' || value === null) return 'item';
  if (isAck(value)) return value.outcome === 'refused' ? 'refusal' : 'ack';
  const { type, item } = value as { readonly type?: unknown; readonly item?: unknown };
  if (item !== undefined) return shapeOf(item);
  if (type === undefined) return Object.values(value).some(isPosition) ? 'position' : 'item';
  return typeof type === 'string' ? (byType[type] ?? 'item') : 'item';
}

function isAck(value: unknown): value is { readonly outcome: string } {
  return typeof value === 'object' && value !== null && 'slot' in value && 'outcome' in value;
}

function isPosition(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'at' in value && 'incarnation' in value;
}
