import { Readable } from 'node:stream';
import { BehaviorSubject, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { bodyChunks } from '../../src/transports/bodyChunks.ts';

/** Streams tell of what they have in a later turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function reading(paused = of(false)) {
  const body = new Readable({ read: () => undefined });
  const seen: string[] = [];
  const subscription = bodyChunks(body, paused, (bytes) => seen.push(`read ${bytes}`)).subscribe({
    next: (chunk) => seen.push(Buffer.from(chunk).toString()),
    error: (error: Error) => seen.push(error.message),
    complete: () => seen.push('end'),
  });
  const come = async (...texts: readonly (string | null)[]): Promise<void> => {
    for (const text of texts) body.push(text);
    await turn();
  };
  return { body, seen, come, subscription };
}

describe('bodyChunks', () => {
  it('hands on at once what comes, as one what lies ready, and tells of each read once it is handed on', async () => {
    const { seen, come } = reading();
    await come('a');
    await come('b', 'cd');
    await come(null);
    expect(seen).toEqual(['a', 'read 1', 'bcd', 'read 3', 'end']);
  });

  it('reads nothing while paused, and everything when it goes on', async () => {
    const paused = new BehaviorSubject(false);
    const { seen, come } = reading(paused);
    await come('a');
    paused.next(true);
    await come('b');
    await come('c');
    expect(seen).toEqual(['a', 'read 1']);
    paused.next(false);
    await come('d');
    expect(seen).toEqual(['a', 'read 1', 'bc', 'read 2', 'd', 'read 1']);
  });

  it('ends at once when the body breaks off, also while paused', async () => {
    const { seen, come, body } = reading(of(true));
    await come('a');
    body.destroy(new Error('cut'));
    await turn();
    expect(seen).toEqual(['cut']);
  });

  it('reads nothing more once it is unsubscribed', async () => {
    const { seen, come, subscription } = reading();
    await come('a');
    subscription.unsubscribe();
    await come('b');
    expect(seen).toEqual(['a', 'read 1']);
  });
});
