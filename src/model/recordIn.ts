/** The object under a key; empty for whatever is no object. */
export function recordIn(record: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const value = record[key];
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
