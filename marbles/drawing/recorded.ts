import { type RunHelpers, TestScheduler } from 'rxjs/testing';
import type { MarbleHelpers } from '../../src/marbleKit.ts';

/** One notification of a diagram. */
export interface Mark {
  readonly frame: number;
  readonly kind: 'next' | 'error' | 'complete';
  /** As it stands in the diagram. */
  readonly letter: string;
  readonly value: unknown;
}

/** One line of a spec as it was run, to be drawn. */
export type RecordedRow =
  | { readonly type: 'source' | 'expected'; readonly marbles: string; readonly marks: readonly Mark[]; from(): number }
  | { readonly type: 'subscription'; readonly marbles: string; readonly from: number; readonly to: number }
  | { readonly type: 'time'; readonly marbles: string; readonly ms: number };

/** A spec that was run. */
export interface RecordedSpec {
  readonly title: string;
  readonly rows: readonly RecordedRow[];
}

type Values = Readonly<Record<string, unknown>>;

/** Helpers that do what they are for, and keep each diagram that passes through them. */
export function recording(helpers: MarbleHelpers, rows: RecordedRow[]): MarbleHelpers {
  const source = (marbles: string, values: Values | undefined, error: unknown, from: () => number): void => {
    rows.push({ type: 'source', marbles, marks: marksOf(marbles, values, error), from });
  };
  const subscription = (marbles: string | null | undefined): void => {
    if (typeof marbles !== 'string') return;
    const { subscribedFrame, unsubscribedFrame } = TestScheduler.parseMarblesAsSubscriptions(marbles, true);
    if (Number.isFinite(subscribedFrame)) rows.push({ type: 'subscription', marbles, from: subscribedFrame, to: unsubscribedFrame });
  };
  const hot = (marbles: string, values?: Values, error?: unknown) => {
    source(marbles, values, error, () => 0);
    return helpers.hot(marbles, values, error);
  };
  const cold = (marbles: string, values?: Values, error?: unknown) => {
    const made = helpers.cold(marbles, values, error);
    source(marbles, values, error, () => made.subscriptions[0]?.subscribedFrame ?? 0);
    return made;
  };
  const time = (marbles: string): number => {
    const ms = helpers.time(marbles);
    rows.push({ type: 'time', marbles, ms });
    return ms;
  };
  const expectObservable: RunHelpers['expectObservable'] = (observable, until) => {
    const expectation = helpers.expectObservable(observable, until);
    return {
      ...expectation,
      toBe(marbles, values?: Values, error?: unknown) {
        if (typeof until === 'string' && !until.trimStart().startsWith('^')) subscription(until);
        rows.push({ type: 'expected', marbles, marks: marksOf(marbles, values, error), from: () => 0 });
        expectation.toBe(marbles, values, error);
      },
    };
  };
  const expectSubscriptions: RunHelpers['expectSubscriptions'] = (logs) => {
    const expectation = helpers.expectSubscriptions(logs);
    return {
      toBe(marbles) {
        for (const each of typeof marbles === 'string' ? [marbles] : marbles) subscription(each);
        expectation.toBe(marbles);
      },
    };
  };
  const wrapped = { ...helpers, time, expectObservable, expectSubscriptions };
  return { ...wrapped, hot: hot as RunHelpers['hot'], cold: cold as RunHelpers['cold'] };
}

const kinds = { N: 'next', E: 'error', C: 'complete' } as const;

/** Parsed twice, because a notification does not remember its letter. */
function marksOf(marbles: string, values: Values | undefined, error: unknown): readonly Mark[] {
  const lettered = TestScheduler.parseMarbles(marbles, undefined, undefined, false, true);
  return TestScheduler.parseMarbles(marbles, values, error, false, true).map(({ frame, notification }, at) => {
    const before = lettered[at]?.notification;
    return {
      frame,
      kind: kinds[notification.kind],
      letter: before?.kind === 'N' ? String(before.value) : '',
      value: notification.kind === 'N' ? notification.value : undefined,
    };
  });
}
