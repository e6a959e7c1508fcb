/** Records shared by all that use them, each kept as long as somebody does. */
export interface InternTable<T> {
  /** Records in use. */
  size(): number;
  /** The record of this key, made by the first who takes it. */
  take(key: string): T;
  /** Every `take` is given back once; the last one lets the record go. */
  giveBack(key: string): void;
}

export function internTable<T>(make: (key: string) => T): InternTable<T> {
  const records = new Map<string, { readonly record: T; users: number }>();
  return {
    size: () => records.size,
    take(key) {
      const known = records.get(key);
      if (known !== undefined) {
        known.users += 1;
        return known.record;
      }
      const record = make(key);
      records.set(key, { record, users: 1 });
      return record;
    },
    giveBack(key) {
      const known = records.get(key);
      if (known === undefined) return;
      known.users -= 1;
      if (known.users === 0) records.delete(key);
    },
  };
}
