/** Where a diagram stands in the text of its spec. */
export interface Written {
  /** The name of the constant that it is given to, or empty. */
  readonly name: string;
  /** The comment behind it, or empty. */
  readonly note: string;
  /** Columns before its first character that is no space. */
  readonly column: number;
}

/** Finds a diagram in the text of a spec, the `time`-th of equal ones; undefined if it is put together when the spec runs. */
export function written(text: string, title: string, marbles: string, time: number): Written | undefined {
  const from = Math.max(text.indexOf(title), 0);
  const end = text.indexOf('\n  marble(', from);
  const block = text.slice(from, end < 0 ? text.length : end);
  const places = [`'${marbles}'`, `\`${marbles}\``].flatMap((quoted) => placesOf(block, quoted)).sort((a, b) => a - b);
  const at = places[time] ?? places.at(-1);
  if (at === undefined) return undefined;
  const start = block.lastIndexOf('\n', at) + 1;
  const line = block.slice(start, block.indexOf('\n', at) < 0 ? undefined : block.indexOf('\n', at));
  const [, name = ''] = /^\s*const (\w+)/.exec(line) ?? [];
  const [, note = ''] = /\/\/\s*(.*)$/.exec(line.slice(at - start + marbles.length)) ?? [];
  return { name, note, column: at - start + 1 + (marbles.length - marbles.trimStart().length) };
}

function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}
