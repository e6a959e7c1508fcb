import { numberedLines } from './numberedLines.ts';

const recordedAt = /^\{"at":(\d+),/;

/** Emits the time from each recorded line to the next one, in milliseconds, without reading what they say. For estimates. */
export async function* recordedPauses(path: string): AsyncGenerator<number> {
  let last: number | undefined;
  for await (const { bytes } of numberedLines(path, () => undefined)) {
    const [, text] = recordedAt.exec(bytes.toString('latin1', 0, 40)) ?? [];
    if (text === undefined) continue;
    const at = Number(text);
    if (last !== undefined) yield Math.max(0, at - last);
    last = Math.max(at, last ?? at);
  }
}
