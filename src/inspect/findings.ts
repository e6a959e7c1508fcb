import { entryTime, noTime } from '../model/entryTime.ts';
import type { EventObject } from '../model/kube.ts';
import { kindLabel, nameLabel } from '../model/ownerOf.ts';
import type { Signal } from '../telemetry/signals.ts';
import { type Delays, delayCounts } from './delays.ts';
import { type EventSample, sampledEvents } from './eventSample.ts';
import type { Reading } from './readings.ts';
import { countOf, type Repeats, repeatCounts } from './repeats.ts';
import { type Split, shardSplit } from './shardSplit.ts';
import { cutText } from './shownText.ts';
import { type Timeline, timeBuckets } from './timeBuckets.ts';
import { type Ranking, topCounts } from './topCounts.ts';
import { type Troubles, troubleList } from './troubles.ts';

/** What an inspection has found: plain data, bounded however much was read. */
export interface Findings {
  readonly totals: Totals;
  readonly timeline: Timeline;
  readonly reasons: Ranking;
  readonly workloads: Ranking;
  readonly namespaces: Ranking;
  readonly objects: Ranking;
  readonly repeats: Repeats;
  readonly delays: Delays;
  readonly splits: readonly Split[];
  readonly troubles: Troubles;
  readonly sample: EventSample;
}

export interface Totals {
  /** Revisions of Events, each once. */
  readonly revisions: number;
  readonly warnings: number;
  /** Of a type that is neither Normal nor Warning. */
  readonly otherTypes: number;
  /** Those that came in a list rather than by watch. */
  readonly listed: number;
  /** What lists told again and the pipeline leaves out. */
  readonly repeated: number;
  /** Size of all of it on the wire. */
  readonly bytes: number;
  readonly withWorkload: number;
  readonly withoutTime: number;
  /** Different pods. */
  readonly pods: number;
  readonly arePodsLimited: boolean;
  /** Event times, milliseconds since 1970. Absent: no Event was read. */
  readonly firstMs?: number;
  readonly lastMs?: number;
}

export interface FindingsSettings {
  /** False for raw bodies, which do not say when a line came. */
  readonly hasReceiptTimes: boolean;
  /** Pods of these are not counted for shards, because a shard does not keep them. */
  readonly systemNamespaces: readonly string[];
}

export interface Finder {
  read(reading: Reading): void;
  signal(signal: Signal, atMs: number): void;
  /** Revisions so far. */
  revisions(): number;
  findings(): Findings;
}

const namesKeptMax = 5_000;
const rankedMax = 10;
const stretchesMax = 2_000;
const bucketsShownMax = 120;
/** Longer texts are cut: names of objects are shorter, and messages are to be recognised, not archived. */
const nameLengthMax = 253;
const messageLengthMax = 1_000;

/** Adds up what is read. State: that of its parts; each names its bound. */
export function findings({ hasReceiptTimes, systemNamespaces }: FindingsSettings): Finder {
  const [reasons, workloads, namespaces, objects] = [names(), names(), names(), names()];
  const timeline = timeBuckets(stretchesMax);
  const [repeats, delays, shards, troubles, sample] = [repeatCounts(), delayCounts(), shardSplit(), troubleList(), sampledEvents()];
  const totals = { revisions: 0, warnings: 0, otherTypes: 0, listed: 0, repeated: 0, bytes: 0, withWorkload: 0, withoutTime: 0 };
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  const addTime = (atMs: number, isWarning: boolean): void => {
    firstMs = Math.min(firstMs, atMs);
    lastMs = Math.max(lastMs, atMs);
    timeline.add(atMs, isWarning);
  };
  const addTotals = ({ occurrence, labels }: EventReading, type: string): void => {
    totals.revisions++;
    totals.bytes += occurrence.bytes;
    if (type === 'Warning') totals.warnings++;
    else if (type !== 'Normal') totals.otherTypes++;
    if (occurrence.change === 'listed') totals.listed++;
    if (workloadOf(labels) !== '') totals.withWorkload++;
  };
  const addEvent = (reading: EventReading): void => {
    const { occurrence, event, labels, receivedMs } = reading;
    const type = nameOf(event.type);
    const isWarning = type === 'Warning';
    addTotals(reading, type);
    const time = entryTime(event);
    const atMs = Date.parse(time);
    if (time === noTime) totals.withoutTime++;
    else addTime(atMs, isWarning);
    if (hasReceiptTimes && time !== noTime && occurrence.change !== 'listed') delays.add(receivedMs - atMs);

    const { kind, namespace: objectNamespace, name } = occurrence.involved;
    const [object, workload, reason] = [cutText(`${kind} ${name}`.trim(), nameLengthMax), workloadOf(labels), nameOf(event.reason)];
    const namespace = cutText(occurrence.namespace, nameLengthMax);
    const placedObject = placed(object, cutText(objectNamespace, nameLengthMax));
    reasons.add(reason, isWarning);
    namespaces.add(namespace, isWarning);
    objects.add(placedObject, isWarning);
    if (workload !== '') workloads.add(placed(workload, namespace), isWarning);
    repeats.add({ uid: occurrence.uid, event, atMs, object: placedObject });
    shards.addEvent(occurrence);
    const message = cutText(typeof event.message === 'string' ? event.message : '', messageLengthMax);
    sample.add({ atMs, type, reason, namespace, object, workload, count: countOf(event), message }, isWarning);
  };

  return {
    read(reading) {
      if (reading.type === 'event') addEvent(reading);
      else if (!systemNamespaces.includes(reading.pod.namespace)) shards.addPod(reading.pod);
    },
    signal(signal, atMs) {
      if (signal.type === 'repeated') totals.repeated++;
      else troubles.add(signal, atMs);
    },
    revisions: () => totals.revisions,
    findings: () => ({
      totals: {
        ...totals,
        pods: shards.pods(),
        arePodsLimited: shards.isPodsLimited(),
        ...(firstMs <= lastMs ? { firstMs, lastMs } : {}),
      },
      timeline: timeline.timeline(bucketsShownMax),
      reasons: reasons.ranking(rankedMax),
      workloads: workloads.ranking(rankedMax),
      namespaces: namespaces.ranking(rankedMax),
      objects: objects.ranking(rankedMax),
      repeats: repeats.repeats(),
      delays: delays.delays(),
      splits: shards.splits(),
      troubles: troubles.troubles(),
      sample: sample.sample(),
    }),
  };
}

type EventReading = Reading & { readonly type: 'event' };

function names() {
  return topCounts(namesKeptMax);
}

function nameOf(value: EventObject['type']): string {
  return typeof value === 'string' ? cutText(value, nameLengthMax) : '';
}

/** `Deployment web`, or empty. */
function workloadOf(labels: EventReading['labels']): string {
  const [kind, name] = [labels[kindLabel], labels[nameLabel]];
  return kind === undefined || name === undefined ? '' : cutText(`${kind} ${name}`, nameLengthMax);
}

function placed(object: string, namespace: string): string {
  return namespace === '' ? object : `${object} in ${namespace}`;
}
