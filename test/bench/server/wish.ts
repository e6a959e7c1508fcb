/** What the server's process is asked to do. */
export type Wish =
  | { readonly type: 'pods'; readonly count: number }
  /** Events as fast as they can be written. */
  | { readonly type: 'events'; readonly count: number }
  /** One Event, with the time of its writing. */
  | { readonly type: 'one' }
  | { readonly type: 'pace'; readonly perSecond: number; readonly seconds: number }
  /** How many watches of a stream are open. */
  | { readonly type: 'watches'; readonly stream: 'events' | 'pods' };

export interface Told {
  /** How many were written, or are open. */
  readonly events: number;
  readonly name?: string;
  /** By the machine's steady clock, in nanoseconds, as text. */
  readonly at?: string;
}
