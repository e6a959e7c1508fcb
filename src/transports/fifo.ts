/** A queue whose `take` costs the same however long it is. */
export interface Fifo<T> {
  put(item: T): void;
  /** The oldest item, which stays. */
  peek(): T | undefined;
  take(): T | undefined;
  size(): number;
}

/** Taken items are cleared away when they are half of the list, so each moves once at most. */
export function fifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = [];
  let first = 0;
  return {
    put: (item) => void items.push(item),
    peek: () => items[first],
    take() {
      if (first === items.length) return undefined;
      const item = items[first];
      items[first++] = undefined;
      if (first * 2 > items.length && first > 64) {
        items = items.slice(first);
        first = 0;
      }
      return item;
    },
    size: () => items.length - first,
  };
}
