import type { Mark, RecordedRow, RecordedSpec } from './recorded.ts';
import { shapeOf } from './shapeOf.ts';
import { ending, escaped, round, shape } from './shapes.ts';
import { type TimeAxis, timeAxis } from './timeAxis.ts';
import { type Written, written } from './written.ts';

/** A drawn spec. */
export interface Panel {
  readonly width: number;
  readonly height: number;
  readonly body: string;
}

interface Row {
  readonly row: RecordedRow;
  readonly label: string;
  readonly note: string;
  /** First frame that is drawn. */
  readonly from: number;
}

const left = 118;
const rowHeight = 33;
const thinHeight = 24;

/** Draws one spec: its title, and a line for each of its diagrams. `text` is the file it stands in. */
export function panel({ title, rows }: RecordedSpec, text: string): Panel {
  const lines = rowsOf(rows, title, text);
  const axis = timeAxis(together(lines));
  const end = left + axis.width + 26;
  let y = 44;
  const parts = [`<text x="18" y="24" class="title">${escaped(title)}</text>`];
  for (const line of lines) {
    const height = line.row.type === 'subscription' || line.row.type === 'time' ? thinHeight : rowHeight;
    y += height / 2;
    parts.push(`<text x="${left - 16}" y="${round(y + 4)}" class="label">${escaped(line.label)}</text>`, drawn(line, axis, round(y), end));
    if (line.note !== '') parts.push(`<text x="${round(end + 12)}" y="${round(y + 4)}" class="note">${escaped(line.note)}</text>`);
    y += height / 2;
  }
  for (const { x, ms } of axis.breaks)
    parts.push(`<text x="${round(left + x)}" y="42" class="note" text-anchor="middle">${duration(ms)}</text>`);
  const noted = Math.max(...lines.map(({ note }) => note.length * 5.9));
  const width = Math.max(end + (noted > 0 ? noted + 24 : 16), title.length * 8.3 + 36);
  return { width: Math.ceil(width), height: y + 12, body: parts.join('\n') };
}

function rowsOf(rows: readonly RecordedRow[], title: string, text: string): readonly Row[] {
  const first = rows.find(({ type }) => type === 'source');
  const origin = first === undefined ? undefined : written(text, title, first.marbles, 0);
  const times = new Map<string, number>();
  // What each of several shards is to store is worked out when the spec runs.
  const outputs = rows.filter(({ type }) => type === 'expected');
  const overShards = outputs.length > 1 && outputs.some(({ marbles }) => written(text, title, marbles, 0) === undefined);
  let shard = 0;
  return sourcesFirst(rows.filter(isTelling)).flatMap((row) => {
    const time = times.get(row.marbles) ?? 0;
    times.set(row.marbles, time + 1);
    const found = written(text, title, row.marbles, time);
    // Silence that nobody named is only there to be silent.
    if (row.type === 'source' && row.marks.length === 0 && !found?.name) return [];
    const label = row.type === 'expected' && overShards ? `shard ${shard++}` : found?.name || fallback[row.type];
    return [{ row, label, note: found?.note ?? '', from: startOf(row, found, origin, first?.marbles.trimStart() ?? '') }];
  });
}

/** What was made only while the spec ran belongs above what came of it. */
function sourcesFirst(rows: readonly RecordedRow[]): readonly RecordedRow[] {
  const late = rows.slice(rows.findLastIndex(({ type }) => type !== 'source') + 1);
  const before = rows.slice(0, rows.length - late.length);
  const outputs = before.findIndex(({ type }) => type === 'expected');
  return outputs < 0 ? rows : [...before.slice(0, outputs), ...late, ...before.slice(outputs)];
}

/** Several streams are often read for the same time; it is drawn once. */
function isTelling(row: RecordedRow, at: number, rows: readonly RecordedRow[]): boolean {
  if (row.type !== 'subscription') return true;
  return !rows.slice(0, at).some((other) => other.type === 'subscription' && other.from === row.from && other.to === row.to);
}

const fallback = { source: 'in', expected: 'out', subscription: 'reading', time: 'time' } as const;

/** A wait stands under the frame that it is written under, as far as characters are frames there. */
function startOf(row: RecordedRow, found: Written | undefined, origin: Written | undefined, source: string): number {
  if (row.type === 'source' || row.type === 'expected') return row.from();
  if (row.type === 'subscription') return row.from;
  const columns = found === undefined || origin === undefined ? 0 : found.column - origin.column;
  return columns > 0 && !/[( \d]/.test(source.slice(0, columns)) ? columns : 0;
}

/** How many marks stand at each moment at most. */
function together(lines: readonly Row[]): ReadonlyMap<number, number> {
  const most = new Map<number, number>([[0, 1]]);
  const note = (frame: number, count: number): void => {
    if (Number.isFinite(frame)) most.set(frame, Math.max(most.get(frame) ?? 1, count));
  };
  for (const { row, from } of lines) {
    note(from, 1);
    if (row.type === 'subscription') note(row.to, 1);
    else if (row.type === 'time') note(from + row.ms, 1);
    else for (const { frame } of row.marks) note(from + frame, marksAt(row.marks, frame));
  }
  return most;
}

function drawn({ row, from }: Row, axis: TimeAxis, y: number, end: number): string {
  const at = (frame: number): number => left + axis.x(frame);
  if (row.type === 'time') {
    const [start, stop] = [round(at(from)), round(at(from + row.ms))];
    return `<path d="M${start} ${y - 6}V${y + 6}M${stop} ${y - 6}V${y + 6}M${start} ${y}H${stop}" class="span"/>`;
  }
  if (row.type === 'subscription') {
    const stop = Number.isFinite(row.to) ? at(row.to) : end;
    const close = Number.isFinite(row.to) ? `M${round(stop)} ${y - 7}V${y + 7}` : '';
    return `<path d="M${round(at(from))} ${y}H${round(stop)}" class="reading"/><path d="M${round(at(from))} ${y - 7}V${y + 7}${close}" class="edge"/>`;
  }
  const last = row.marks.findLast(({ kind }) => kind !== 'next');
  const stop = last === undefined ? end : at(from + last.frame) + (marksAt(row.marks, last.frame) - 1) * 20;
  const cuts = axis.breaks
    .filter(({ x }) => left + x > at(from) && left + x < stop)
    .map(({ x }) => `M${round(left + x - 4)} ${y + 5}l4-10m1 10l4-10`);
  const head = last === undefined ? `<path d="M${round(stop + 7)} ${y}l-9-4v8z" class="head"/>` : '';
  const line = `<path d="M${round(at(from))} ${y}H${round(stop)}" class="axis"/>${cuts.length === 0 ? '' : `<path d="${cuts.join('')}" class="axis"/>`}${head}`;
  const seen = new Map<number, number>();
  const marks = row.marks.map((mark) => {
    const before = seen.get(mark.frame) ?? 0;
    seen.set(mark.frame, before + 1);
    const x = at(from + mark.frame) + before * 20;
    return mark.kind === 'next' ? shape(shapeOf(mark.value), mark.letter, x, y) : ending(mark.kind, x, y);
  });
  return [line, ...marks].join('');
}

function marksAt(marks: readonly Mark[], frame: number): number {
  return marks.filter((mark) => mark.frame === frame).length;
}

function duration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 120_000 ? `${round(ms / 1_000)} s` : `${round(ms / 60_000)} min`;
}
