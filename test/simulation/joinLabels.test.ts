import { mergeMap, NEVER, of, Subject, throwError, timer } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { pod, podKept, podRemoved } from '../../marbles/builders.ts';
import { about } from '../../marbles/joining.ts';
import { marbleKit } from '../../src/marbleKit.ts';
import type { OwnerChange } from '../../src/model/owner.ts';
import { shardKey } from '../../src/model/shard.ts';
import type { Slotted } from '../../src/model/slot.ts';
import type { LookUpPod } from '../../src/operators/askForPods.ts';
import { joinLabels } from '../../src/operators/joinLabels.ts';

const settings = {
  ownerWaitMs: 20,
  waitingMax: 12,
  lookUpsMax: 2,
  queuedMax: 3,
  lookUpTimeoutMs: 15,
  missesRememberedMs: 40,
  missesMax: 3,
  lingerMs: 50,
};
/** The wait, the questions that may be ahead in the queue, and the own one. */
const longestMs = 20 + 3 * 15;
const occurrences = 400;
const lastsMs = 600;

interface Passage {
  readonly slot: number;
  readonly key: string;
  readonly atMs: number;
}

/** Occurrences about a few pods, pods that come and go, answers of every kind; all at times that the seed gives. */
function play(seed: number): { sent: Passage[]; left: Passage[]; completed: number } {
  const upTo = randomFrom(seed);
  const [sent, left]: [Passage[], Passage[]] = [[], []];
  let completed = 0;

  marbleKit(() => undefined)(({ runtime, scheduler }) => {
    const source = new Subject<Slotted>();
    const owners = new Subject<OwnerChange>();
    const passage = ({ slot, item }: Slotted): Passage => {
      return { slot, key: item.type === 'occurrence' ? shardKey(item) : '', atMs: runtime.scheduler.now() };
    };
    const lookUpPod: LookUpPod = (_, name) => {
      const answers = [of(undefined), of(pod(name)), throwError(() => new Error('refused')), NEVER];
      return timer(upTo(25), runtime.scheduler).pipe(mergeMap(() => answers[upTo(answers.length)] ?? NEVER));
    };
    source.pipe(joinLabels(settings, owners, lookUpPod, runtime)).subscribe({
      next: (joined) => left.push(passage(joined)),
      complete: () => {
        completed += 1;
      },
    });
    owners.next({ type: 'relistDone', scope: '' });
    for (let count = 0; count < occurrences; count++) {
      scheduler.schedule(() => {
        const slotted = about(`p${upTo(12)}`, sent.length + 1, upTo(4) === 0 ? { involved: { uid: '' } } : {});
        sent.push(passage(slotted));
        source.next(slotted);
      }, upTo(lastsMs));
    }
    for (let count = 0; count < 60; count++) {
      scheduler.schedule(() => owners.next((upTo(3) === 0 ? podRemoved : podKept)(`p${upTo(12)}`)), upTo(lastsMs));
    }
    scheduler.schedule(() => source.complete(), lastsMs);
  });
  return { sent, left, completed };
}

/** Park and Miller's generator: `upTo(n)` is a whole number in [0, n). */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

describe('joinLabels lets every occurrence out once, in the order of its object, in time', () => {
  const seeds = Array.from({ length: 50 }, (_, index) => index + 1);

  test.each(seeds)('seed %i', (seed) => {
    const { sent, left, completed } = play(seed);

    expect(completed).toBe(1);
    expect(sent.length).toBe(occurrences);
    expect(left.map(({ slot }) => slot).toSorted((a, b) => a - b)).toEqual(sent.map(({ slot }) => slot));
    const byKey = (a: Passage, b: Passage) => a.key.localeCompare(b.key);
    expect(left.toSorted(byKey)).toEqual(left.toSorted((a, b) => byKey(a, b) || a.slot - b.slot));
    for (const { slot, atMs } of left) expect(atMs - (sent[slot - 1]?.atMs ?? 0)).toBeLessThanOrEqual(longestMs);
  });

  test('and the seeds make many of them wait', () => {
    const waited = seeds
      .map((seed) => play(seed))
      .map(({ sent, left }) => left.filter(({ slot, atMs }) => atMs > (sent[slot - 1]?.atMs ?? 0)).length);
    expect(Math.min(...waited)).toBeGreaterThan(20);
  });
});
