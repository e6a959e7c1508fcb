import { concat, defer, EMPTY, firstValueFrom, NEVER, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Checkpoint, Position } from '../../src/model/checkpoint.ts';
import type { CheckpointStore } from '../../src/ports.ts';
import { pairedStore } from '../../src/transports/pairedStore.ts';

const meaning = { shard: { index: 0, total: 1, function: 'fnv1a32-mod' }, selectors: { label: '', field: '' }, sink: 'file' } as const;
const checkpoint = (at: Position['at'], incarnation = 0, more: Partial<Checkpoint> = {}): Checkpoint => ({
  format: 1,
  ...meaning,
  positions: { '': { at, incarnation } },
  ...more,
});

/** A store that tells what is asked of it. */
function told(name: string, stored: Checkpoint | undefined, log: string[]): CheckpointStore {
  const tell = (what: string) =>
    defer(() => {
      log.push(`${name} ${what}`);
      return EMPTY;
    });
  return {
    hold: () => concat(tell('hold'), of(stored), NEVER),
    save: ({ positions }) => tell(`save ${positions['']?.at}`),
    release: () => tell('release'),
  };
}

async function held(claimed: Checkpoint | undefined, kept: Checkpoint | undefined): Promise<[Checkpoint | undefined, string[]]> {
  const log: string[] = [];
  const store = pairedStore(told('claim', claimed, log), told('content', kept, log));
  return [await firstValueFrom(store.hold(meaning)), log];
}

describe('pairedStore', () => {
  const inherited = [{ total: 2, function: 'fnv1a32-mod', positions: { '': [null, { at: '9', incarnation: 0 }] } }] as const;

  test.each([
    ['nothing is known', undefined, undefined, undefined],
    ['only the account knows', undefined, checkpoint('7'), checkpoint('7')],
    ['the account is ahead', checkpoint('5', 0, { inherited }), checkpoint('10'), checkpoint('10', 0, { inherited })],
    ['the claim is ahead', checkpoint('12'), checkpoint('9'), checkpoint('12')],
    ['the account had not begun', checkpoint('5'), checkpoint('earliest'), checkpoint('5')],
    ['the claim had not begun', checkpoint('earliest'), checkpoint('5'), checkpoint('5')],
    ['the claim is of a newer store', checkpoint('5', 1), checkpoint('900', 0), checkpoint('5', 1)],
    ['the account is of a newer store', checkpoint('900', 0), checkpoint('5', 1), checkpoint('5', 1)],
  ])('starts from whichever is ahead: %s', async (_, claimed, kept, start) => {
    expect((await held(claimed, kept))[0]).toEqual(start);
  });

  test('begins a new account with an inherited claim before anything is delivered', async () => {
    expect(await held(checkpoint('5'), undefined)).toEqual([checkpoint('5'), ['claim hold', 'content hold', 'content save 5']]);
  });

  test('saves in the account first, and gives up the claim last', () => {
    const log: string[] = [];
    const store = pairedStore(told('claim', undefined, log), told('content', undefined, log));
    store.save(checkpoint('5')).subscribe();
    store.release().subscribe();
    expect(log).toEqual(['content save 5', 'claim save 5', 'content release', 'claim release']);
  });
});
