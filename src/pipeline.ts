import {
  BehaviorSubject,
  defer,
  EMPTY,
  filter,
  identity,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  ReplaySubject,
  share,
  startWith,
  tap,
} from 'rxjs';
import { holdShard, type ShardStart } from './holdShard.ts';
import type { Checkpoint, CheckpointMeaning, Positions } from './model/checkpoint.ts';
import type { Ack, Outgoing } from './model/entry.ts';
import type { Item } from './model/occurrence.ts';
import type { ResourceVersion } from './model/resourceVersion.ts';
import { isServerSharded } from './model/shardRange.ts';
import type { Scoped, Slotted } from './model/slot.ts';
import { noSlot, startEntry } from './model/startEntry.ts';
import type { LookUpPod } from './operators/askForPods.ts';
import { type BatchSettings, batch } from './operators/batch.ts';
import { declareGaps } from './operators/declareGaps.ts';
import { dropSeen } from './operators/dropSeen.ts';
import { type EmitToSettings, emitTo } from './operators/emitTo.ts';
import { joinLabels } from './operators/joinLabels.ts';
import { keepShard } from './operators/keepShard.ts';
import { mergeBookmarks } from './operators/mergeBookmarks.ts';
import { skipInherited } from './operators/skipInherited.ts';
import { slimOwners } from './operators/slimOwners.ts';
import { stopReading } from './operators/stopReading.ts';
import { toEntries } from './operators/toEntries.ts';
import { toOccurrences } from './operators/toOccurrences.ts';
import { trackCheckpoint } from './operators/trackCheckpoint.ts';
import { type FullPipelineSettings, type PipelineSettings, withDefaults } from './pipelineSettings.ts';
import type { CheckpointStore, KubeTransport, Sink } from './ports.ts';
import type { Runtime } from './runtime.ts';
import { afterSync, tellSynced } from './sources/afterSync.ts';
import { type EventsSettings, events } from './sources/events.ts';
import { firstPositions } from './sources/firstPositions.ts';
import { lookUpPod, pods } from './sources/pods.ts';

/** What a pipeline reads from, delivers to and keeps its position in. */
export interface PipelinePorts {
  readonly transport: KubeTransport;
  readonly sink: Sink;
  readonly store: CheckpointStore;
  /** Keeps what can never be stored. Absent: it is told by id, and nothing more. */
  readonly keepRefused?: EmitToSettings['keepRefused'];
  /**
   * An operator of your own over what is new to this shard, once for each namespace that is read. It keeps control items in their
   * place and turns each occurrence that it leaves out into a bookmark of its version, or the position stands still.
   */
  readonly ownStage?: MonoTypeOperatorFunction<Item>;
  /** Hears what has become of each occurrence and gap, labels and all, before it is batched. Must neither throw nor wait. */
  readonly onEntry?: (outgoing: Outgoing) => void;
}

/**
 * One shard, from the API server to the sink. Emits each checkpoint that was saved.
 *
 * State: that of its stages. Time: that of its stages. Errors: a broken sink or store, a shard that another
 * process holds, a checkpoint of other settings; everything else is retried inside. When `stop` emits,
 * reading ends (amid a list that has handed something on: with that list, or after half of `drainTimeoutMs`), what was
 * read is delivered, the last checkpoint is saved, and the stream completes.
 */
export function pipeline(
  settings: PipelineSettings,
  ports: PipelinePorts,
  stop: Observable<unknown>,
  runtime: Runtime,
): Observable<Checkpoint> {
  const on = withDefaults(settings);
  const choose = firstPositions(on, ports.transport, runtime);
  return holdShard(
    { ...on, meaning: meaningOf(on, ports.sink), choose },
    ports.store,
    stop,
    (start) => wiring(on, start, ports, stop, runtime),
    runtime,
  );
}

/** One event's way from left to right, and the pods' way to where they meet. */
function wiring(
  on: FullPipelineSettings,
  start: ShardStart,
  ports: PipelinePorts,
  stop: Observable<unknown>,
  runtime: Runtime,
): Observable<Positions> {
  const { transport, sink, keepRefused, ownStage = identity, onEntry } = ports;
  const { positions, inherited } = start;
  const labels = on.ownerLabels && on.resourceModel === 'k8s'; // Only entries of pods have them, and the legacy model has none.
  return defer(() => {
    const paused = new BehaviorSubject(false);
    const synced = new ReplaySubject<void>(1);

    const owners = merge(
      ...on.namespaces.map((scope) =>
        pods({ ...on, namespace: scope }, transport, runtime).pipe(
          slimOwners({ ...on, scope, serverShards: isServerSharded(on.shard) }, runtime),
        ),
      ),
    ).pipe(tellSynced(on.namespaces, synced), share());

    const items = merge(
      ...on.namespaces.map((scope) =>
        events({ ...on, ...resumeOf(start, scope), namespace: scope }, transport, paused, runtime).pipe(
          toOccurrences(runtime, on.shard),
          keepShard(on.shard, runtime),
          mergeBookmarks(),
          skipInherited({ scope, inherited, incarnation: positions[scope]?.incarnation ?? 0 }, runtime),
          dropSeen(positionIn(positions, scope), runtime),
          ownStage,
          declareGaps(on, runtime),
          map((item): Scoped => ({ scope, item })),
        ),
      ),
    );

    const delivered = (slots: Observable<Slotted>): Observable<Ack> =>
      slots.pipe(
        joinLabels({ ...on, scopes: on.namespaces }, labels ? owners : EMPTY, podsByName(transport), runtime),
        toEntries(on, runtime),
        onEntry === undefined ? identity : tap(onEntry),
        startWith(...firstEntries(on, start, runtime)),
        batch({ ...batchLimits(on), hurry: paused }, runtime),
        emitTo(sink, { batchesMax: on.batchesMax, hurry: stop, ...(keepRefused === undefined ? {} : { keepRefused }) }, runtime),
        filter(({ slot }) => slot !== noSlot), // No position waits for the first entry.
      );

    return (labels ? afterSync(on, synced, items, runtime) : items).pipe(
      stopReading({ listEndMs: on.drainTimeoutMs / 2 }, stop, runtime), // The other half is for the acknowledgements.
      trackCheckpoint({ ...on, start: positions }, delivered, paused, runtime),
    );
  });
}

function firstEntries(
  { announceStart, shard, resourceModel }: FullPipelineSettings,
  start: ShardStart,
  runtime: Runtime,
): readonly Outgoing[] {
  return announceStart ? [startEntry({ ...start, shard, atMs: runtime.scheduler.now() }, resourceModel)] : [];
}

function meaningOf(on: FullPipelineSettings, sink: Sink): CheckpointMeaning {
  return {
    shard: { function: 'fnv1a32-mod', ...on.shard },
    selectors: { label: on.labelSelector ?? '', field: on.fieldSelector ?? '' },
    sink: sink.identity,
  };
}

const podsByName =
  (transport: KubeTransport): LookUpPod =>
  (namespace, name) =>
    lookUpPod(namespace, name, transport);

function resumeOf({ positions, resumed }: ShardStart, namespace: string): Pick<EventsSettings, 'resume' | 'startFrom' | 'listAfter'> {
  const { position } = positionIn(positions, namespace);
  if (position !== undefined) return { resume: position };
  // Stored as earliest: an earlier life began with the list and did not end it.
  return { startFrom: 'earliest', ...(resumed && positions[namespace] !== undefined ? { listAfter: '0' } : {}) };
}

function positionIn(start: Positions, namespace: string): { readonly position?: ResourceVersion } {
  const at = start[namespace]?.at ?? 'earliest';
  return at === 'earliest' ? {} : { position: at };
}

function batchLimits(on: FullPipelineSettings): BatchSettings<Outgoing> {
  return { itemsMax: on.batchItemsMax, bytesMax: on.batchBytesMax, bytesOf: (entry) => entry.bytes, flushMs: on.flushMs };
}
