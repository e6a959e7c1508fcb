import { shownLine } from '../inspect/shownText.ts';
import type { Entry, Outgoing } from '../model/entry.ts';
import type { Occurrence } from '../model/occurrence.ts';
import { kindLabel, nameLabel } from '../model/ownerOf.ts';
import { recordIn } from '../model/recordIn.ts';
import type { SinkResult } from '../ports.ts';
import type { Marble, Place } from './news.ts';

/** Marbles that are kept: the table of the page. */
export const marblesMax = 200;
/** So many events are taken into the sample from one time that it is asked for to the next; the rest are only counted. */
const freshMax = 20;
/** While so many of the sample are under way none is added: a slow sink must not drive out those that wait. */
const underWayMax = 60;
const nameLengthMax = 120;
const messageLengthMax = 400;

/** A sample of the events on their way, and how many are where. */
export interface Marbles {
  /** Lets some more be taken into the sample. Whoever looks asks for what has changed, and that does so too. */
  takeMore(): void;
  /** Occurrences in front of the join of owner labels, and entries that the sink is asked to store now. */
  readonly waiting: Readonly<{ atJoin: number; atSink: number }>;
  /** An occurrence of this shard has been read. */
  read(occurrence: Occurrence): void;
  /** It has its labels, and is an entry now. */
  joined(outgoing: Outgoing): void;
  /** The sink is asked to store these. */
  handed(entries: readonly Entry[]): void;
  /** The sink has answered; without results it was not waited for. */
  answered(entries: readonly Entry[], results?: readonly SinkResult[]): void;
  /** All that are kept, oldest first. */
  all(): readonly Marble[];
  /** Those that are new or have moved since it was asked last. */
  changed(): readonly Marble[];
}

interface Kept {
  readonly version: string;
  readonly marble: Moving;
}

type Moving = { -readonly [Key in keyof Marble]: Marble[Key] };

/**
 * Follows twenty events on their way each time it is asked for more, and counts the others: what a page can show and a person can
 * see. Who looks asks four times a second; while nobody does, so does a point of the plots, and a table is there when somebody comes.
 *
 * State: the last 200 of the sample, by version while they are under way. Time: `now`, milliseconds since 1970. An event that is
 * not in the sample costs a few additions and, while some of the sample are under way, a look at a small table.
 */
export function marbles(now: () => number): Marbles {
  const waiting = { atJoin: 0, atSink: 0 };
  const kept: Kept[] = [];
  const underWay = new Map<string, Moving>();
  let changed = new Set<Moving>();
  let [room, lastId] = [freshMax, 0];

  const takeMore = (): void => {
    room = freshMax;
  };
  const keep = (version: string, object: string, namespace: string): Moving => {
    const made: Moving = { ...unread, id: ++lastId, atMs: now(), object, namespace };
    kept.push({ version, marble: made });
    changed.add(made);
    underWay.set(version, made);
    if (kept.length > marblesMax) forget(kept.shift() as Kept);
    return made;
  };
  const forget = ({ version, marble }: Kept): void => {
    changed.delete(marble);
    if (underWay.get(version) === marble) underWay.delete(version);
  };
  const move = (version: string, place: Place): Moving | undefined => {
    const marble = underWay.size === 0 ? undefined : underWay.get(version);
    if (marble === undefined) return undefined;
    marble.place = place;
    changed.add(marble);
    if (place === 'stored' || place === 'refused') underWay.delete(version);
    return marble;
  };

  return {
    waiting,
    takeMore,
    read({ resourceVersion, involved, namespace }) {
      waiting.atJoin += 1;
      if (room === 0 || underWay.size >= underWayMax) return;
      room -= 1;
      keep(resourceVersion, shownLine(`${involved.kind} ${involved.name}`.trim(), nameLengthMax), shownLine(namespace, nameLengthMax));
    },
    joined(outgoing) {
      const { resourceVersion } = outgoing;
      if (outgoing.type === 'unreadable') {
        waiting.atJoin = Math.max(waiting.atJoin - 1, 0);
        move(resourceVersion, 'refused');
        return;
      }
      if (outgoing.action === 'GAP') return void Object.assign(keep(`gap ${outgoing.insertId}`, '', ''), tell(outgoing));
      waiting.atJoin = Math.max(waiting.atJoin - 1, 0);
      const marble = move(resourceVersion, 'queue');
      if (marble !== undefined) Object.assign(marble, tell(outgoing));
    },
    handed(entries) {
      waiting.atSink += entries.length;
      if (underWay.size > 0) for (const entry of entries) move(versionOf(entry), 'sink');
    },
    answered(entries, results) {
      waiting.atSink -= entries.length;
      if (underWay.size === 0) return;
      entries.forEach((entry, at) => {
        const result = results?.[at]?.type ?? 'retry';
        const marble = move(versionOf(entry), result === 'retry' ? 'queue' : result);
        if (marble !== undefined && result === 'retry') marble.retries += 1;
      });
    },
    all() {
      takeMore();
      return kept.map(({ marble }) => marble);
    },
    changed() {
      takeMore();
      const told = [...changed];
      changed = new Set();
      return told;
    },
  };
}

const unread: Marble = {
  id: 0,
  atMs: 0,
  place: 'join',
  retries: 0,
  type: '',
  reason: '',
  namespace: '',
  object: '',
  workload: '',
  count: 0,
  message: '',
  timestamp: '',
  insertId: '',
};

function versionOf({ action, insertId, resourceVersion }: Entry): string {
  return action === 'GAP' ? `gap ${insertId}` : resourceVersion;
}

/** What the whole event adds. Nothing in it is of the type that it should be until that is seen. */
function tell({ action, insertId, timestamp, payload, labels }: Entry): Partial<Moving> {
  const isGap = action === 'GAP';
  const { type, reason, message, count } = payload;
  const series = recordIn(payload, 'series')['count'];
  return {
    place: 'queue',
    type: isGap ? 'Gap' : line(type),
    reason: isGap ? line(payload['cause']) : line(reason),
    workload: shownLine(workloadIn(labels), nameLengthMax),
    count: ([series, count].find((each) => typeof each === 'number') as number | undefined) ?? 1,
    message: shownLine(typeof message === 'string' ? message : '', messageLengthMax),
    timestamp,
    insertId: shownLine(insertId, nameLengthMax),
  };
}

function line(value: unknown): string {
  return shownLine(typeof value === 'string' ? value : '', nameLengthMax);
}

function workloadIn(labels: Entry['labels']): string {
  return `${labels[kindLabel] ?? ''} ${labels[nameLabel] ?? ''}`.trim();
}
