/** Rows of cells as aligned lines, each with its LF: the first column to the left, numbers to the right. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ');
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}
