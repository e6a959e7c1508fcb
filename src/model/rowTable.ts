/**
 * Finds row numbers by a hash of their text. A Map from text costs 37 to 75 bytes a row; this costs
 * 8 to 16, because the text itself stays in the caller's columns. Equal hashes are chained, so the
 * caller compares the text of each row it is offered.
 */
export interface RowTable {
  /** Newest row with this hash, or `none`. Rows of other hashes may be among them. */
  first(hash: number): number;
  /** The row after this one, or `none`. */
  next(row: number): number;
  add(row: number): void;
  /** Nothing happens if the row is not in the table. */
  remove(row: number): void;
}

export const none = -1;

const rowsMin = 16;

/** `hashOf` gives the hash of a row that is or was just in the table, as an unsigned 32-bit number. */
export function rowTable(hashOf: (row: number) => number): RowTable {
  let rows = 0;
  let heads = new Int32Array(rowsMin).fill(none);
  let following = new Int32Array(rowsMin).fill(none);

  const bucketOf = (hash: number): number => hash & (heads.length - 1);
  const link = (row: number): void => {
    const bucket = bucketOf(hashOf(row));
    following[row] = heads[bucket] ?? none;
    heads[bucket] = row;
  };
  /** Twice the heads, every chain made anew. The lengths are powers of two. */
  const growHeads = (): void => {
    const chains = heads;
    heads = new Int32Array(chains.length * 2).fill(none);
    for (const head of chains) {
      for (let row = head, after = none; row !== none; row = after) {
        after = following[row] ?? none;
        link(row);
      }
    }
  };
  const growRows = (row: number): void => {
    const grown = new Int32Array(2 ** Math.ceil(Math.log2(row + 1))).fill(none);
    grown.set(following);
    following = grown;
  };

  return {
    first: (hash) => heads[bucketOf(hash)] ?? none,
    next: (row) => following[row] ?? none,
    add(row) {
      if (row >= following.length) growRows(row);
      if (rows === heads.length) growHeads();
      rows += 1;
      link(row);
    },
    remove(row) {
      const bucket = bucketOf(hashOf(row));
      const after = following[row] ?? none;
      let before = heads[bucket] ?? none;
      if (before === row) {
        heads[bucket] = after;
        rows -= 1;
        return;
      }
      while (before !== none && following[before] !== row) before = following[before] ?? none;
      if (before === none) return;
      following[before] = after;
      rows -= 1;
    },
  };
}
