import { concatMap, defer, EMPTY, filter, finalize, map, merge, type Observable, of, ReplaySubject, Subject, takeUntil, tap } from 'rxjs';
import type { EventObject } from '../model/kube.ts';
import type { Item, Occurrence } from '../model/occurrence.ts';
import type { SlimPod } from '../model/owner.ts';
import type { Joined, Slotted } from '../model/slot.ts';
import { declareGaps } from '../operators/declareGaps.ts';
import { dropSeen } from '../operators/dropSeen.ts';
import { joinLabels } from '../operators/joinLabels.ts';
import { slimOwners } from '../operators/slimOwners.ts';
import { toOccurrences } from '../operators/toOccurrences.ts';
import type { KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { afterSync, tellSynced } from '../sources/afterSync.ts';
import { events } from '../sources/events.ts';
import { lookUpPod, pods } from '../sources/pods.ts';

/** What an inspection reads: revisions of Events with their workload, and pods. */
export type Reading =
  | {
      readonly type: 'event';
      /** When its line or page was read, milliseconds since 1970. */
      readonly receivedMs: number;
      readonly occurrence: Occurrence;
      readonly event: EventObject;
      /** Owner labels as entries carry them; empty if there are none. */
      readonly labels: Readonly<Record<string, string>>;
    }
  | { readonly type: 'pod'; readonly pod: SlimPod };

export interface ReadingsSettings {
  /** Namespaces to read; the empty name is all in one. */
  readonly namespaces: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly startFrom?: 'earliest' | 'now';
  readonly pageItems?: number;
  readonly ownerWaitMs?: number;
  readonly podSyncTimeoutMs: number;
  /** False where there are none to read: no workload is known then. */
  readonly readsPods: boolean;
}

export interface Inspected {
  readonly readings: Observable<Reading>;
  /** Revisions that have been read and are not out yet. */
  readonly waiting: () => number;
}

const oneShard = { index: 0, total: 1 };

/**
 * Reads what the pipeline of one unsharded container reads, by the same stages, up to where entries would be made.
 *
 * State: that of its stages. Time: that of its stages. Order: as from `joinLabels`. Errors: none of its own.
 * Nothing is acknowledged, so nothing pauses: what comes out has to be taken at once. Namespaces of the system keep their
 * labels here, because a look at a cluster shows them too. When `stop` emits, reading ends and what waits comes out.
 */
export function readings(settings: ReadingsSettings, transport: KubeTransport, stop: Observable<unknown>, runtime: Runtime): Inspected {
  const { namespaces } = settings;
  let waiting = 0;

  const all = defer(() => {
    const synced = new ReplaySubject<void>(1);
    const seen = new Subject<Reading>();
    const owners = merge(
      ...(settings.readsPods ? namespaces : []).map((scope) =>
        pods({ ...settings, namespace: scope }, transport, runtime).pipe(
          slimOwners({ scope, shard: oneShard, systemNamespaces: [] }, runtime),
        ),
      ),
    ).pipe(
      tellSynced(namespaces, synced),
      tap((change) => change.type === 'pod' && seen.next({ type: 'pod', pod: change.pod })),
    );

    const items = merge(
      ...namespaces.map((namespace) =>
        events({ ...settings, namespace }, transport, of(false), runtime).pipe(
          toOccurrences(runtime),
          dropSeen({}, runtime),
          declareGaps({}, runtime),
        ),
      ),
    );

    const labelled = (settings.readsPods ? afterSync(settings, synced, items, runtime) : items).pipe(
      takeUntil(stop),
      filter((item: Item) => item.type === 'occurrence'),
      // Nothing is acknowledged here: a slot's number is the time of receipt instead.
      map((item): Slotted => ({ slot: runtime.scheduler.now(), item })),
      tap(() => waiting++),
      joinLabels({ ...settings, scopes: namespaces }, owners, (namespace, name) => lookUpPod(namespace, name, transport), runtime),
      tap(() => waiting--),
      concatMap((joined) => eventReading(joined, runtime)),
      finalize(() => seen.complete()),
    );
    return merge(seen, labelled);
  });
  return { readings: all, waiting: () => waiting };
}

function eventReading({ slot: receivedMs, item, labels }: Joined, runtime: Runtime): Observable<Reading> {
  if (item.type === 'gap') return EMPTY;
  try {
    return of({ type: 'event', receivedMs, occurrence: item, event: item.read(), labels });
  } catch {
    const { uid, resourceVersion } = item;
    runtime.signal({ type: 'refused', uid, resourceVersion, reason: 'undecodable' });
    return EMPTY;
  }
}
