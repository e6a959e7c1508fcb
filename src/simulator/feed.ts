import { byteQueue } from './byteQueue.ts';

/** What a body gives when asked: bytes, its end, or nothing yet. */
export type Taken =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly how: 'close' | 'reset' }
  | { readonly type: 'nothing' };

/**
 * A body that its face pulls: the server keeps what is not taken, so a reader that pauses loses
 * nothing and costs no memory. It has no clock of its own; `dueAt` and `ready` tell when to ask again.
 */
export interface Feed {
  /** Takes at most `bytesMax` bytes (1 or more). After an end there is nothing more. */
  take(bytesMax: number): Taken;
  /** When asking may give something though nothing is written. Absent: never. */
  dueAt(): number | undefined;
  /** Calls back whenever a write may have made something ready; one callback, told from anywhere. */
  onReady(callback: () => void): void;
  /** The reader has gone. */
  cancel(): void;
}

export const nothing: Taken = { type: 'nothing' };

/** A body that is known from the start. */
export function wholeFeed(...pieces: readonly Uint8Array[]): Feed {
  const queue = byteQueue();
  queue.push(...pieces);
  return {
    take: (bytesMax) => (queue.length() > 0 ? { type: 'bytes', bytes: queue.take(bytesMax) } : { type: 'end', how: 'close' }),
    dueAt: () => undefined,
    onReady() {},
    cancel() {},
  };
}
