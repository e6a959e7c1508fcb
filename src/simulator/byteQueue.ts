/** Bytes on their way out, in pieces that are shared with others and never copied before they leave. */
export interface ByteQueue {
  readonly length: () => number;
  push(...pieces: readonly Uint8Array[]): void;
  /** At most `bytesMax` from the front. */
  take(bytesMax: number): Uint8Array;
}

export function byteQueue(): ByteQueue {
  let pieces: Uint8Array[] = [];
  let first = 0;
  let offset = 0; // Within the first piece.
  let length = 0;

  return {
    length: () => length,
    push(...more) {
      for (const piece of more) {
        if (piece.length === 0) continue;
        pieces.push(piece);
        length += piece.length;
      }
    },
    take(bytesMax) {
      const taken: Uint8Array[] = [];
      let left = Math.min(bytesMax, length);
      length -= left;
      while (left > 0) {
        const piece = pieces[first];
        if (piece === undefined) break;
        const end = Math.min(piece.length, offset + left);
        taken.push(piece.subarray(offset, end));
        left -= end - offset;
        offset = end;
        if (offset === piece.length) {
          first += 1;
          offset = 0;
        }
      }
      if (length === 0) {
        pieces = [];
        first = 0;
      }
      const [only] = taken;
      return taken.length === 1 && only !== undefined ? only : Buffer.concat(taken);
    },
  };
}
