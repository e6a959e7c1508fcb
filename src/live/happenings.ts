import { shownLine } from '../inspect/shownText.ts';
import type { Signal } from '../telemetry/signals.ts';
import type { Happening } from './news.ts';

/** Happenings that are kept. */
const happeningsMax = 40;
const textLengthMax = 300;

/** What has happened lately, for people. */
export interface Happenings {
  observe(signal: Signal, nowMs: number): void;
  add(level: Happening['level'], text: string, nowMs: number): void;
  /** All that are kept, oldest first. */
  all(): readonly Happening[];
  /** Those that came since it was asked last. */
  fresh(): readonly Happening[];
}

type Told = Pick<Happening, 'level' | 'text'>;
type Tellers = { readonly [Type in Signal['type']]?: (signal: Extract<Signal, { type: Type }>) => Told | undefined };

const note = (text: string): Told => ({ level: 'note', text });
const warning = (text: string): Told => ({ level: 'warning', text });
const trouble = (text: string): Told => ({ level: 'trouble', text });

/** Signals that somebody who looks at the page wants to have seen. */
const tellers: Tellers = {
  warning: ({ text }) => warning(text),
  drainStarted: ({ inFlight }) => note(`draining: ${inFlight} in flight`),
  failed: ({ message }) => trouble(message),
  stopped: ({ unacknowledged }) => (unacknowledged === 0 ? note('stopped') : trouble(`stopped, ${unacknowledged} not acknowledged`)),
  shardWaiting: ({ claim, holder }) => note(`waits for the shard: ${holder} holds ${claim}`),
  shardHeld: ({ claim, takenOver, waitedMs }) =>
    note(`holds the shard (${claim})${takenOver ? ', taken over' : ''}${waitedMs > 0 ? ` after ${(waitedMs / 1_000).toFixed(1)} s` : ''}`),
  claimRetrying: ({ reason }) => warning(`no certain answer about the lease: ${reason}`),
  listStarted: ({ source, cause }) => note(`${source}: ${cause === 'start' ? 'lists' : `lists again (${cause})`}`),
  listDone: ({ source, items, resourceVersion }) => note(`${source}: listed ${items}, at ${resourceVersion}`),
  listFailed: ({ source, message }) => warning(`${source}: the list failed: ${message}`),
  watchEnded: ({ source, cause, status }) =>
    cause === 'closed' ? undefined : warning(`${source}: the watch ended (${cause}${status === undefined ? '' : `, HTTP ${status}`})`),
  frameSkipped: ({ source, cause }) => warning(`${source}: a line was left out (${cause})`),
  readerPaused: ({ paused }) => (paused ? warning('reading paused: the sink is behind') : note('reading goes on')),
  storeRestored: ({ source }) => warning(`${source}: the API server went back in time`),
  gapDeclared: ({ gap }) => trouble(`gap: revisions after ${gap.from} up to ${gap.to} may be missing (${gap.cause})`),
  refused: ({ reason }) => trouble(`a revision can never be stored: ${reason}`),
  podsSynced: ({ pods }) => note(`pods synced: ${pods}`),
  podSyncTimedOut: () => warning('pods are not synced in time: events go without owner labels'),
  sinkRetrying: ({ reason, attempt }) => (attempt === 1 ? warning(`the sink did not store a batch: ${reason}`) : undefined),
};

/** Keeps the last forty, each once however often it comes in a row. */
export function happenings(): Happenings {
  let kept: Happening[] = [];
  let [lastId, toldId] = [0, 0];

  const add = (level: Happening['level'], text: string, atMs: number): void => {
    const shown = shownLine(text, textLengthMax);
    const last = kept.at(-1);
    if (last?.text === shown) kept.pop();
    kept = [...kept.slice(1 - happeningsMax), { id: ++lastId, atMs, level, text: shown }];
  };
  return {
    add,
    observe(signal, nowMs) {
      const tell = tellers[signal.type] as ((told: Signal) => Told | undefined) | undefined;
      const told = tell?.(signal);
      if (told !== undefined) add(told.level, told.text, nowMs);
    },
    all: () => kept,
    fresh() {
      const fresh = kept.filter(({ id }) => id > toldId);
      toldId = lastId;
      return fresh;
    },
  };
}
