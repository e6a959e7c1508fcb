import type { Observable, Subscription } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/errors.ts';
import { type Checkpoint, type CheckpointMeaning, checkpointFormat, type Position } from '../../src/model/checkpoint.ts';
import type { CheckpointStore } from '../../src/ports.ts';
import { type StorePlace, storeKinds } from './stores.ts';

const meaning: CheckpointMeaning = {
  shard: { index: 1, total: 3, function: 'fnv1a32-mod' },
  selectors: { label: '', field: 'type=Warning' },
  sink: 'file /var/log/events.ndjson',
};

function checkpoint(at: Position['at'], more: Partial<Checkpoint> = {}): Checkpoint {
  return { format: checkpointFormat, ...meaning, positions: { '': { at, incarnation: 0 } }, ...more };
}

const full = checkpoint('18446744073709551616', {
  positions: { shop: { at: '1700000000000000042', incarnation: 2 }, '': { at: 'earliest', incarnation: 0 } },
  inherited: [{ total: 2, function: 'fnv1a64-range', positions: { shop: [null, { at: '7', incarnation: 2 }] } }],
});

/** What a call has told so far. */
interface Told {
  readonly values: unknown[];
  completed: boolean;
  /** The code of the error that ended it. */
  failed: string | undefined;
  /** Something was told. */
  readonly any: () => boolean;
  readonly subscription: Subscription;
}

const listening: Subscription[] = [];
const places: StorePlace[] = [];

afterEach(async () => {
  for (const subscription of listening.splice(0)) subscription.unsubscribe();
  await Promise.all(places.splice(0).map((place) => place.close()));
});

function told(call: Observable<unknown>): Told {
  const made: Omit<Told, 'subscription'> = {
    values: [],
    completed: false,
    failed: undefined,
    any: () => made.values.length > 0 || made.completed || made.failed !== undefined,
  };
  const subscription = call.subscribe({
    next: (value) => made.values.push(value),
    error: (error: unknown) => {
      made.failed = error instanceof PipelineError ? error.code : String(error);
    },
    complete: () => {
      made.completed = true;
    },
  });
  listening.push(subscription);
  return Object.assign(made, { subscription });
}

async function placeOf(make: () => Promise<StorePlace>): Promise<StorePlace> {
  const made = await make();
  places.push(made);
  return made;
}

/** Holds, and waits until it is told what is stored. */
async function held(at: StorePlace, store: CheckpointStore, as = meaning): Promise<Told> {
  const holding = told(store.hold(as));
  await at.until(holding.any);
  return holding;
}

async function saved(at: StorePlace, store: CheckpointStore, what: Checkpoint): Promise<Told> {
  const saving = told(store.save(what));
  await at.until(saving.any);
  return saving;
}

async function released(at: StorePlace, store: CheckpointStore, holding: Told): Promise<void> {
  const releasing = told(store.release());
  await at.until(releasing.any);
  expect(releasing).toMatchObject({ values: [], completed: true, failed: undefined });
  holding.subscription.unsubscribe();
}

describe.each(Object.entries(storeKinds))('a checkpoint store %s', (_, { make }) => {
  test('holds nothing at first, and goes on holding', async () => {
    const at = await placeOf(make);
    const holding = await held(at, at.open());
    await at.rest();
    expect(holding).toMatchObject({ values: [undefined], completed: false, failed: undefined });
  });

  test('gives back the last that was saved, whole', async () => {
    const at = await placeOf(make);
    const store = at.open();
    const holding = await held(at, store);
    expect(await saved(at, store, checkpoint('7'))).toMatchObject({ values: [], completed: true, failed: undefined });
    await saved(at, store, full);
    await released(at, store, holding);
    expect((await held(at, at.open('pod-b'))).values).toEqual([full]);
  });

  test('gives it to the same pod again without a wait, although it crashed', async () => {
    const at = await placeOf(make);
    const store = at.open('pod-a');
    const holding = await held(at, store);
    await saved(at, store, checkpoint('7'));
    holding.subscription.unsubscribe();
    expect((await held(at, at.open('pod-a'))).values).toEqual([checkpoint('7')]);
  });

  test('takes saves one after the other for a long time, between renewals', async () => {
    const at = await placeOf(make);
    const store = at.open();
    const holding = await held(at, store);
    for (let version = 1; version <= 20; version++) expect((await saved(at, store, checkpoint(String(version)))).completed).toBe(true);
    await at.rest();
    expect((await saved(at, store, checkpoint('21'))).completed).toBe(true);
    expect(holding).toMatchObject({ completed: false, failed: undefined });
    await released(at, store, holding);
    expect((await held(at, at.open('pod-b'))).values).toEqual([checkpoint('21')]);
  });

  test('does nothing before it is subscribed to', async () => {
    const at = await placeOf(make);
    const store = at.open();
    const holding = await held(at, store);
    store.save(checkpoint('7'));
    store.release();
    await at.rest();
    await saved(at, store, checkpoint('8'));
    holding.subscription.unsubscribe();
    expect((await held(at, at.open())).values).toEqual([checkpoint('8')]);
  });

  test('refuses a checkpoint of other selectors or another sink, and leaves it as it is', async () => {
    const at = await placeOf(make);
    const store = at.open();
    const holding = await held(at, store);
    await saved(at, store, checkpoint('7'));
    await released(at, store, holding);
    for (const other of [
      { ...meaning, selectors: { label: 'a=b', field: 'type=Warning' } },
      { ...meaning, sink: 'local' },
    ]) {
      expect(await held(at, at.open('pod-b'), other)).toMatchObject({ values: [], failed: 'CHECKPOINT_INVALID' });
    }
    expect((await held(at, at.open('pod-b'))).values).toEqual([checkpoint('7')]);
  });
});

const excluding = (how: 'waits' | 'refuses') => Object.entries(storeKinds).filter(([, { excludes }]) => excludes === how);

describe.each(excluding('refuses'))('a checkpoint store %s, which excludes', (_, { make }) => {
  test('refuses a second process at once, and takes it where the first has ended', async () => {
    const at = await placeOf(make);
    const first = at.open('pod-a');
    const holding = await held(at, first);
    await saved(at, first, checkpoint('7'));
    expect(await held(at, at.open('pod-b'))).toMatchObject({ values: [], failed: 'SHARD_HELD' });
    expect((await saved(at, first, checkpoint('8'))).completed).toBe(true);
    await released(at, first, holding);
    expect((await held(at, at.open('pod-b'))).values).toEqual([checkpoint('8')]);
  });
});

describe.each(excluding('waits'))('a checkpoint store %s, which excludes', (_, { make }) => {
  test('lets one process at a time hold the shard; the next waits, and goes on where the first has ended', async () => {
    const at = await placeOf(make);
    const [first, second] = [at.open('pod-a'), at.open('pod-b')];
    const holding = await held(at, first);
    const waiting = told(second.hold(meaning));
    await at.rest();
    await saved(at, first, checkpoint('7'));
    expect([waiting.any(), holding.failed]).toEqual([false, undefined]);
    await released(at, first, holding);
    await at.until(waiting.any);
    expect(waiting.values).toEqual([checkpoint('7')]);
  });
});
