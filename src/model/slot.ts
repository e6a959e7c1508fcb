import type { Gap } from './change.ts';
import type { Item, Occurrence } from './occurrence.ts';

/** An item with the namespace that its reader reads; empty for all namespaces. */
export interface Scoped {
  readonly scope: string;
  readonly item: Item;
}

/** An occurrence or gap record that waits for its acknowledgement. */
export interface Slotted {
  readonly slot: number;
  readonly item: Occurrence | Gap;
}

/** The same with its owner labels; empty if there are none. */
export interface Joined extends Slotted {
  readonly labels: Readonly<Record<string, string>>;
}
