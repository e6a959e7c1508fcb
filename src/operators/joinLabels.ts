import { map, mergeMap, Observable, type OperatorFunction, ReplaySubject, Subject, takeUntil, timer } from 'rxjs';
import { type KnownPodsSettings, knownPods } from '../model/knownPods.ts';
import { newestTime } from '../model/newestTime.ts';
import type { Occurrence } from '../model/occurrence.ts';
import type { OwnerChange, SlimPod } from '../model/owner.ts';
import { isAbout } from '../model/podIndex.ts';
import { shardKey } from '../model/shard.ts';
import type { Joined, Slotted } from '../model/slot.ts';
import { timedSet } from '../model/timedSet.ts';
import type { Runtime } from '../runtime.ts';
import { type AskForPodsSettings, askForPods, type LookUpPod, type PodAnswer, type PodQuestion } from './askForPods.ts';

/** Limits of asking: by default 5 at once, 50 queued, 2000 ms each. `scopes`: by default all namespaces in one. */
export interface JoinLabelsSettings extends Partial<KnownPodsSettings>, Partial<AskForPodsSettings> {
  /** Namespaces whose events get no labels. Default none. */
  readonly systemNamespaces?: readonly string[];
  /** How long a fresh event waits for its pod to be seen, in milliseconds. Default 1000. */
  readonly ownerWaitMs?: number;
  /** Occurrences that wait at once; with one more, its object's go without labels. Default 1000. */
  readonly waitingMax?: number;
  /** An event older than this neither waits nor asks, in milliseconds. Default 60,000. */
  readonly youngerThanMs?: number;
  /** How long an object whose pod was not found is not waited for again, in milliseconds. Default 30,000. */
  readonly missesRememberedMs?: number;
  /** How many such objects are remembered. Default 10,000. */
  readonly missesMax?: number;
}

const defaults = {
  scopes: [''],
  systemNamespaces: [],
  ownerWaitMs: 1_000,
  waitingMax: 1_000,
  lookUpsMax: 5,
  queuedMax: 50,
  lookUpTimeoutMs: 2_000,
  youngerThanMs: 60_000,
  missesRememberedMs: 30_000,
  missesMax: 10_000,
} as const;

type Labels = Joined['labels'];

/** An object whose pod is not known yet. */
interface Waiting extends PodQuestion {
  readonly key: string;
  /** The occurrence that missed, and those about the same object that came after it. */
  readonly queue: Slotted[];
  readonly settled: ReplaySubject<void>;
  /** Set once, when they leave. */
  outcome?: Outcome;
}

interface Outcome {
  /** A pod that was asked for: it is not among the known ones. */
  readonly pod?: SlimPod;
  /** Why nobody could tell the owner. */
  readonly cause?: 'waitLimit' | 'queueLimit' | 'failed';
  readonly message?: string;
}

const noLabels: Labels = Object.freeze({});

/**
 * Gives each occurrence the labels of the workload behind its pod; a fresh one whose pod is not known yet waits a little.
 *
 *     owners  (pd)----q---------------|    d: pods are synced; a and c are about p, b and d about q, e about r
 *     in      -a--b-c-d---e-----------|    with ownerWaitMs = 6; r is never seen, asking for it takes 3 ms
 *     out     -a----c-(bd)---------e--|    e without labels if there is no r
 *
 * State: the pods, see `podIndex`; up to `waitingMax` occurrences that wait; up to `missesMax` objects without a pod.
 * Time: `ownerWaitMs`, then the answer to one question by name (`askForPods`). Order: kept per object, that is
 * per shard key; others pass. When the source completes, what waits leaves at once and without labels.
 * Errors: passed on, from both sides; what waits then is not sent, its slot stays open.
 * Only entries of a pod get labels: those of events in the pod's own namespace. Only occurrences that came by
 * watch, are young and find the pods synced wait or ask; a label never holds up the others and changes no id.
 */
export function joinLabels(
  settings: JoinLabelsSettings,
  owners: Observable<OwnerChange>,
  lookUpPod: LookUpPod,
  runtime: Runtime,
): OperatorFunction<Slotted, Joined> {
  const limits = { ...defaults, ...settings };
  const now = (): number => runtime.scheduler.now();
  const hasLabels = ({ involved, namespace }: Occurrence): boolean =>
    involved.kind === 'Pod' && namespace !== '' && namespace === involved.namespace && !limits.systemNamespaces.includes(namespace);

  return (source) =>
    new Observable<Joined>((subscriber) => {
      const pods = knownPods(limits, now, (fact) => runtime.signal(fact));
      const missed = timedSet<string>({ keepMs: limits.missesRememberedMs, keptMax: limits.missesMax });
      const waiting = new Map<string, Waiting>();
      const unknown = new Subject<Waiting>();
      let waitingCount = 0;

      const pass = ({ slot, item }: Slotted, labels: Labels): void => subscriber.next({ slot, item, labels });
      const leave = (object: Waiting, outcome: Outcome): void => {
        object.outcome ??= outcome;
        object.settled.next();
        // One more may come while these go out: it stays behind them, and whoever gets here first takes it along.
        for (let next = object.queue.shift(); next !== undefined; next = object.queue.shift()) {
          waitingCount -= 1;
          pass(next, next.item.type === 'occurrence' && hasLabels(next.item) ? lateLabels(next.item, object.outcome) : noLabels);
        }
        if (waiting.get(object.key) === object) waiting.delete(object.key);
      };
      const enqueue = (object: Waiting, slotted: Slotted): void => {
        if (slotted.item.type === 'occurrence') readNow(slotted.item);
        object.queue.push(slotted);
        waitingCount += 1;
        if (waitingCount > limits.waitingMax) leave(object, { cause: 'waitLimit' });
      };
      const lateLabels = ({ involved }: Occurrence, { pod, ...missing }: Outcome): Labels => {
        const found = pods.find(involved) ?? (pod !== undefined && isAbout(pod, involved) ? pod : undefined);
        if (found === undefined && missing.cause !== undefined) runtime.signal({ type: 'ownerMissed', ...missing, cause: missing.cause });
        return labelsOf(found);
      };
      const mayWait = (occurrence: Occurrence, key: string): boolean => {
        missed.takeLeaving(now());
        return (
          occurrence.change !== 'listed' &&
          pods.areSynced() &&
          !missed.has(key) &&
          isPodName(occurrence.involved.name) &&
          isYoung(occurrence, now() - limits.youngerThanMs)
        );
      };
      const onOccurrence = (slotted: Slotted, item: Occurrence): void => {
        const key = shardKey(item);
        const isLabelled = hasLabels(item);
        const pod = isLabelled ? pods.query(item.involved) : undefined;
        const ahead = waiting.get(key);
        if (ahead !== undefined) enqueue(ahead, slotted);
        else if (!isLabelled || pod !== undefined || !mayWait(item, key)) pass(slotted, labelsOf(pod));
        else {
          const object: Waiting = { key, involved: item.involved, queue: [], settled: new ReplaySubject<void>(1) };
          waiting.set(key, object);
          enqueue(object, slotted);
          unknown.next(object);
        }
      };
      const onOwner = (change: OwnerChange): void => {
        pods.apply(change);
        if (change.type !== 'pod') return;
        for (const key of keysOf(change.pod)) {
          const object = waiting.get(key);
          if (object !== undefined && pods.find(object.involved) !== undefined) leave(object, {});
        }
      };
      const onAnswer = ({ question, ...outcome }: PodAnswer<Waiting>): void => {
        if (outcome.pod === undefined && outcome.cause !== 'queueLimit') missed.add(question.key, now());
        leave(question, outcome);
      };

      const waited = mergeMap((object: Waiting) =>
        timer(limits.ownerWaitMs, runtime.scheduler).pipe(
          map(() => object),
          takeUntil(object.settled),
        ),
      );
      const error = (cause: unknown): void => subscriber.error(cause);
      subscriber.add(unknown.pipe(waited, askForPods(limits, lookUpPod, runtime)).subscribe(onAnswer));
      subscriber.add(owners.subscribe({ next: onOwner, error }));
      if (subscriber.closed) return;
      subscriber.add(
        source.subscribe({
          next: (slotted) => (slotted.item.type === 'gap' ? pass(slotted, noLabels) : onOccurrence(slotted, slotted.item)),
          error,
          complete() {
            for (const object of [...waiting.values()]) leave(object, {});
            subscriber.complete();
          },
        }),
      );
    });
}

function labelsOf(pod: SlimPod | undefined): Labels {
  return pod?.owner?.labels ?? noLabels;
}

/** The keys under which events about this pod come: its UID, its static pod's, its name. */
function keysOf({ uid, mirror, namespace, name }: SlimPod): readonly string[] {
  const byName = shardKey({ involved: { uid: '', namespace, name, kind: 'Pod' } });
  return mirror === undefined ? [uid, byName] : [uid, mirror, byName];
}

/** No other name is worth a request, and none may change its path. */
function isPodName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9][a-z0-9.-]*$/.test(name);
}

function isYoung(occurrence: Occurrence, sinceMs: number): boolean {
  try {
    return (newestTime(occurrence.read()) ?? sinceMs) > sinceMs;
  } catch {
    return false; // Undecodable: it goes on at once, and is refused and told by the stage that makes the entry.
  }
}

/** What waits is kept for a while, and until it is read it keeps the whole chunk that it came in. */
function readNow(occurrence: Occurrence): void {
  try {
    occurrence.read();
  } catch {
    // Undecodable: see isYoung.
  }
}
