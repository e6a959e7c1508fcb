/** The known word that `word` was probably meant to be: at most two slips away, or a third of its length. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const slipsMax = Math.min(2, Math.ceil(word.length / 3));
  return known
    .map((candidate) => ({ candidate, slips: slipsBetween(word, candidate) }))
    .filter(({ slips }) => slips <= slipsMax)
    .sort((a, b) => a.slips - b.slips)[0]?.candidate;
}

/** ` (did you mean X?)`, or nothing. */
export function didYouMean(word: string, known: readonly string[], show = (name: string) => name): string {
  const found = suggest(word, known);
  return found === undefined ? '' : ` (did you mean ${show(found)}?)`;
}

/** Letters to insert, remove or replace, two swapped neighbours counting once (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const differ = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const slips = Math.min(at(above, column) + 1, at(current, column - 1) + 1, at(above, column - 1) + differ);
      current.push(swapped ? Math.min(slips, at(before, column - 2) + 1) : slips);
    }
    before = above;
    above = current;
  }
  return at(above, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
