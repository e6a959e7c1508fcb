/** A line without its LF and CR; blank if nothing but white space is left. Its bytes may be a view of the chunk. */
export type SplitLine =
  | { readonly type: 'line'; readonly bytes: Buffer }
  | { readonly type: 'blank' }
  /** Longer than the limit; its bytes were thrown away and counted. */
  | { readonly type: 'oversized'; readonly bytes: number };

export interface LineSplitter {
  /** Tells the lines that this chunk ends, and of each whether it ends another behind it; stops when `tell` answers false. */
  push(chunk: Uint8Array, tell: (line: SplitLine, followed: boolean) => boolean): void;
  /** How many bytes there are after the last LF; 0 if they are blank. */
  rest(): number;
  /** Those bytes; empty if they are over the limit. */
  restBytes(): Buffer;
}

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;

/**
 * Cuts bytes into lines at LF, wherever the chunks were cut. A line has at most `lineBytesMax` bytes
 * before its LF, a CR included; those of an unfinished line are kept as they came and joined once.
 */
export function lineSplitter(lineBytesMax: number): LineSplitter {
  // What came after the last LF: `length` bytes, of which `parts` holds all, or nothing once they are too many.
  let parts: Buffer[] = [];
  let length = 0;

  const keep = (part: Buffer): void => {
    if (part.length === 0) return;
    length += part.length;
    if (length > lineBytesMax) parts = [];
    else parts.push(part);
  };

  const endLine = (last: Buffer): SplitLine => {
    const total = length + last.length;
    const line = total > lineBytesMax ? undefined : length === 0 ? last : Buffer.concat([...parts, last], total);
    parts = [];
    length = 0;
    return line === undefined ? { type: 'oversized', bytes: total } : toLine(line);
  };

  return {
    push(chunk, tell) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end !== -1; ) {
        const line = endLine(bytes.subarray(start, end));
        start = end + 1;
        end = bytes.indexOf(lineFeed, start);
        if (!tell(line, end !== -1)) return;
      }
      keep(bytes.subarray(start));
    },
    rest: () => (length <= lineBytesMax && isBlank(Buffer.concat(parts)) ? 0 : length),
    restBytes: () => Buffer.concat(parts),
  };
}

function toLine(line: Buffer): SplitLine {
  const bytes = line[line.length - 1] === carriageReturn ? line.subarray(0, -1) : line;
  return isBlank(bytes) ? { type: 'blank' } : { type: 'line', bytes };
}

function isBlank(bytes: Buffer): boolean {
  const { length } = bytes;
  for (let at = 0; at < length; at++) if ((bytes[at] as number) > space) return false;
  return true;
}
