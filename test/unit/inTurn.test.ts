import { EMPTY, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { expect, test } from 'vitest';
import { inTurn } from '../../src/transports/inTurn.ts';

/** Works that begin when they are told to in `begun`, and end when the test says so. */
function works(): { readonly begun: string[]; readonly ends: Subject<never>[]; work(name: string): () => Observable<never> } {
  const begun: string[] = [];
  const ends: Subject<never>[] = [];
  return {
    begun,
    ends,
    work: (name) => () => {
      begun.push(name);
      const end = new Subject<never>();
      ends.push(end);
      return end;
    },
  };
}

test('works run one after the other, in the order of their subscriptions', () => {
  const { begun, ends, work } = works();
  const inOrder = inTurn();
  const first = inOrder(work('first'));
  inOrder(work('second')).subscribe();
  first.subscribe();
  inOrder(work('third')).subscribe();

  expect(begun).toEqual(['second']);
  ends[0]?.complete();
  expect(begun).toEqual(['second', 'first']);
  ends[1]?.complete();
  expect(begun).toEqual(['second', 'first', 'third']);
});

test('a work that nobody waits for any more goes on, and the next one waits for its end', () => {
  const { begun, ends, work } = works();
  const inOrder = inTurn();
  inOrder(work('left')).subscribe().unsubscribe();
  inOrder(work('next')).subscribe();

  expect([begun, ends[0]?.observed]).toEqual([['left'], true]);
  ends[0]?.complete();
  expect(begun).toEqual(['left', 'next']);
});

test('a work that has not begun when nobody waits for it any more is left out', () => {
  const { begun, ends, work } = works();
  const inOrder = inTurn();
  inOrder(work('first')).subscribe();
  inOrder(work('left')).subscribe().unsubscribe();
  inOrder(work('last')).subscribe();

  ends[0]?.complete();
  expect(begun).toEqual(['first', 'last']);
});

test('an error is passed on, also one that is thrown, and the next work runs', () => {
  const inOrder = inTurn();
  const told: unknown[] = [];
  const observer = {
    next: (value: unknown) => told.push(value),
    error: (error: unknown) => told.push(error),
    complete: () => told.push('end'),
  };
  inOrder(() => throwError(() => 'broken')).subscribe(observer);
  inOrder(() => {
    throw new Error('thrown');
  }).subscribe(observer);
  inOrder(() => of(1, 2)).subscribe(observer);

  expect(told).toEqual(['broken', new Error('thrown'), 1, 2, 'end']);
});

test('works that end at once do not nest, however many follow each other', () => {
  const inOrder = inTurn();
  let left = 100_000;
  const more = (): void => {
    if (left-- > 0) inOrder(() => EMPTY).subscribe({ complete: more });
  };
  more();
  expect(left).toBe(-1);
});

test('a work asked for in the middle of another waits for it', () => {
  const inOrder = inTurn();
  const told: string[] = [];
  const work = (name: string) => (): Observable<never> => {
    told.push(name);
    return EMPTY;
  };
  inOrder(() => {
    inOrder(work('inner')).subscribe();
    told.push('outer');
    return EMPTY;
  }).subscribe();
  inOrder(() => NEVER).subscribe();
  inOrder(work('after one without end')).subscribe();

  expect(told).toEqual(['outer', 'inner']);
});
