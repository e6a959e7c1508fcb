import {
  BehaviorSubject,
  concat,
  defaultIfEmpty,
  defer,
  EMPTY,
  filter,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  type Observer,
  ReplaySubject,
  race,
  share,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { type Checkpoint, type CheckpointMeaning, checkpointFormat, earliest, type Positions, positionsOf } from './model/checkpoint.ts';
import type { Ack, Outgoing } from './model/entry.ts';
import type { OwnerChange } from './model/owner.ts';
import type { ResourceVersion } from './model/resourceVersion.ts';
import type { Scoped, Slotted } from './model/slot.ts';
import { type BatchSettings, batch } from './operators/batch.ts';
import { declareGaps } from './operators/declareGaps.ts';
import { dropSeen } from './operators/dropSeen.ts';
import { emitTo } from './operators/emitTo.ts';
import { joinLabels } from './operators/joinLabels.ts';
import { keepShard } from './operators/keepShard.ts';
import { saveCheckpoint } from './operators/saveCheckpoint.ts';
import { slimOwners } from './operators/slimOwners.ts';
import { toEntries } from './operators/toEntries.ts';
import { toOccurrences } from './operators/toOccurrences.ts';
import { trackCheckpoint } from './operators/trackCheckpoint.ts';
import { type FullPipelineSettings, type PipelineSettings, withDefaults } from './pipelineSettings.ts';
import type { CheckpointStore, KubeTransport, Sink } from './ports.ts';
import type { Runtime } from './runtime.ts';
import { events } from './sources/events.ts';
import { lookUpPod, pods } from './sources/pods.ts';

export interface PipelinePorts {
  readonly transport: KubeTransport;
  readonly sink: Sink;
  readonly store: CheckpointStore;
}

/**
 * One shard, from the API server to the sink. Emits each checkpoint that was saved.
 *
 * State: that of its stages. Time: that of its stages. Errors: a broken sink or store, a checkpoint
 * of other settings; everything else is retried inside. When `stop` emits, reading ends, what was
 * read is delivered, the last checkpoint is saved, and the stream completes.
 */
export function pipeline(
  settings: PipelineSettings,
  ports: PipelinePorts,
  stop: Observable<unknown>,
  runtime: Runtime,
): Observable<Checkpoint> {
  const on = withDefaults(settings);
  const meaning = meaningOf(on, ports.sink);
  const checkpoint = (positions: Positions): Checkpoint => ({ format: checkpointFormat, ...meaning, positions });
  return ports.store.load().pipe(
    defaultIfEmpty(undefined),
    switchMap((stored) => {
      if (stored !== undefined) return shardPipeline(on, positionsOf(stored, meaning), ports, stop, runtime);
      const start = earliest(on.namespaces);
      return concat(ports.store.save(checkpoint(start)), shardPipeline(on, start, ports, stop, runtime));
    }),
    map(checkpoint),
    saveCheckpoint(on, ports.store, runtime),
  );
}

/** The wiring: one event's way from left to right, and the pods' way to where they meet. */
function shardPipeline(
  on: FullPipelineSettings,
  start: Positions,
  ports: PipelinePorts,
  stop: Observable<unknown>,
  runtime: Runtime,
): Observable<Positions> {
  const { transport, sink } = ports;
  return defer(() => {
    const paused = new BehaviorSubject(false);
    const synced = new ReplaySubject<void>(1);

    const owners = merge(
      ...on.namespaces.map((namespace) =>
        pods({ ...on, namespace }, transport, runtime).pipe(slimOwners({ ...on, scope: namespace }, runtime)),
      ),
    ).pipe(tellSynced(on.namespaces, synced), share());

    const items = merge(
      ...on.namespaces.map((namespace) =>
        events({ ...on, ...resumeOf(start, namespace), namespace }, transport, paused, runtime).pipe(
          toOccurrences(runtime),
          keepShard(on.shard, runtime),
          dropSeen(positionIn(start, namespace), runtime),
          declareGaps(runtime),
          map((item): Scoped => ({ scope: namespace, item })),
        ),
      ),
    );

    const delivered = (slots: Observable<Slotted>): Observable<Ack> =>
      slots.pipe(
        joinLabels(
          { ...on, scopes: on.namespaces },
          on.ownerLabels ? owners : EMPTY,
          (namespace, name) => lookUpPod(namespace, name, transport),
          runtime,
        ),
        toEntries(on, runtime),
        batch({ ...batchLimits(on), flushNow: paused.pipe(filter(Boolean)) }, runtime),
        emitTo(sink, { batchesMax: on.batchesMax, hurry: stop }, runtime),
      );

    return (on.ownerLabels ? afterSync(synced, items, on, runtime) : items).pipe(
      takeUntil(stop),
      trackCheckpoint({ ...on, start }, delivered, paused, runtime),
    );
  });
}

/** Events are read once the pods that they are about are known, or after the limit without them. */
function afterSync<T>(synced: Observable<void>, items: Observable<T>, on: FullPipelineSettings, runtime: Runtime): Observable<T> {
  const afterMs = on.podSyncTimeoutMs;
  const late = timer(afterMs, runtime.scheduler).pipe(tap(() => runtime.signal({ type: 'podSyncTimedOut', afterMs })));
  return race(synced, late).pipe(
    take(1),
    switchMap(() => items),
  );
}

/** Tells `synced` when the first list of every namespace is done. */
function tellSynced(namespaces: readonly string[], synced: Pick<Observer<void>, 'next'>): MonoTypeOperatorFunction<OwnerChange> {
  const missing = new Set(namespaces);
  return tap((change) => {
    if (change.type === 'relistDone' && missing.delete(change.scope) && missing.size === 0) synced.next();
  });
}

function meaningOf(on: FullPipelineSettings, sink: Sink): CheckpointMeaning {
  return {
    shard: { function: 'fnv1a32-mod', ...on.shard },
    selectors: { label: on.labelSelector ?? '', field: on.fieldSelector ?? '' },
    sink: sink.identity,
  };
}

function resumeOf(start: Positions, namespace: string): { readonly resume?: ResourceVersion } {
  const { position } = positionIn(start, namespace);
  return position === undefined ? {} : { resume: position };
}

function positionIn(start: Positions, namespace: string): { readonly position?: ResourceVersion } {
  const at = start[namespace]?.at ?? 'earliest';
  return at === 'earliest' ? {} : { position: at };
}

function batchLimits(on: FullPipelineSettings): BatchSettings<Outgoing> {
  return { itemsMax: on.batchItemsMax, bytesMax: on.batchBytesMax, bytesOf: (entry) => entry.bytes, flushMs: on.flushMs };
}
