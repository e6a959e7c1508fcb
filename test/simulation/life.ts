import { defer, ignoreElements, type Observable, Subject, tap, throwError } from 'rxjs';
import { messageOf, PipelineError } from '../../src/errors.ts';
import type { Checkpoint } from '../../src/model/checkpoint.ts';
import type { Shard, ShardFunction } from '../../src/model/shard.ts';
import { pipeline } from '../../src/pipeline.ts';
import { withDefaults } from '../../src/pipelineSettings.ts';
import type { CheckpointStore, KubeTransport } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { count } from '../../src/telemetry/count.ts';
import { type Counts, noCounts } from '../../src/telemetry/counts.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { virtualTransport } from '../../src/testing.ts';
import { leaseStore } from '../../src/transports/leaseStore.ts';
import { stateChange } from './stateChange.ts';
import type { World } from './world.ts';

/** How a container ended: by a crash, in order, because another holds its shard, or by an error that nobody planned. */
export type LifeEnd = 'crashed' | 'stopped' | 'displaced' | 'failed';

/** One container from its start to its end. */
export interface Life {
  readonly shard: Shard;
  /** Names the shard in the sink. */
  readonly name: string;
  readonly podUid: string;
  readonly checkpoints: readonly SavedCheckpoint[];
  readonly failure: () => string | undefined;
  readonly counts: Readonly<Counts>;
  readonly inFlightMost: () => number;
  readonly end: () => LifeEnd | undefined;
  /** True if it ended with a list of events begun and not done, although a stop waits for the end of a list. */
  readonly endedListing: () => boolean;
  /** True once it may have delivered. */
  readonly hasHeld: () => boolean;
  crash(): void;
  stop(): void;
  /** Asks it to stop that long after the start of its next list of events. */
  stopAmidList(afterMs: number): void;
  /** Its leases cannot be reached, while everything else works: a zombie in the making. */
  cutLeases(cut: boolean): void;
  /** Whether they cannot be reached now. */
  readonly areLeasesCut: () => boolean;
}

export interface SavedCheckpoint {
  /** When it was handed to the store, in milliseconds since 1970. */
  readonly atMs: number;
  readonly checkpoint: Checkpoint;
}

export function shardName({ index, total, function: shardFunction = 'fnv1a32-mod' }: Shard): string {
  return `${index}/${total}/${shardFunction}`;
}

export function shardOfName(name: string): Shard {
  const [index, total, shardFunction] = name.split('/');
  return { index: Number(index), total: Number(total), function: shardFunction as ShardFunction };
}

export function life(shard: Shard, podUid: string, world: World): Life {
  const { server, sink, runtime, scenario, tell } = world;
  const name = shardName(shard);
  const entrance = sink.forShard(name);
  const checkpoints: SavedCheckpoint[] = [];
  const counts = noCounts();
  const stopping = new Subject<void>();
  let ended: LifeEnd | undefined;
  let failure: string | undefined;
  let inFlightMost = 0;
  let isCut = false;
  let held = false;
  let listing = false;
  let stoppedAt = Number.POSITIVE_INFINITY;
  let waitedMs = 0;
  let saving = 0;
  let heardOfLists = (): void => undefined;

  const signal = (told: Signal): void => {
    count(counts, told, runtime.scheduler.now());
    if (told.type === 'inFlight') inFlightMost = Math.max(inFlightMost, told.occurrences);
    if (told.type === 'shardHeld') {
      held = true;
      entrance.held();
    }
    if (told.type === 'listStarted' && told.source === 'events') {
      listing = true;
      heardOfLists();
    }
    if (told.type === 'listDone' && told.source === 'events') listing = false;
    const text = stateChange(told);
    if (text !== undefined) tell(`${name} (${podUid}): ${text}`);
  };
  const own: Runtime = { ...runtime, signal };
  const transport = cuttable(virtualTransport(server, {}, own), () => isCut);
  const leases = leaseStore({ app: 'sluice', namespace: 'exporters', holder: podUid, ...scenario.leases }, transport, own);
  const store: CheckpointStore = {
    ...leases,
    save: (checkpoint) =>
      defer(() => {
        checkpoints.push({ atMs: runtime.scheduler.now(), checkpoint });
        saving += 1;
        return leases.save(checkpoint).pipe(
          tap({
            complete: () => {
              saving -= 1;
            },
          }),
        );
      }),
  };
  const end = (how: LifeEnd): void => {
    if (ended === undefined) waitedMs = runtime.scheduler.now() - stoppedAt;
    ended ??= how;
    tell(`${name} (${podUid}) ends: ${how}${failure === undefined ? '' : `, ${failure}`}`);
  };

  const settings = withDefaults({ ...scenario, shard, flushMs: 500, batchItemsMax: 20 });
  const listEndMs = settings.drainTimeoutMs / 2; // As the pipeline has it.
  const endedListing = (): boolean => ended !== undefined && listing && (ended !== 'stopped' || waitedMs >= listEndMs);
  const stop = (): void => {
    if (stoppedAt !== Number.POSITIVE_INFINITY) return;
    tell(`${name} (${podUid}) is asked to stop`);
    stoppedAt = runtime.scheduler.now();
    stopping.next();
  };

  tell(`${name} (${podUid}) starts`);
  const running = pipeline(settings, { transport, sink: entrance, store }, stopping, own)
    .pipe(ignoreElements())
    .subscribe({
      error: (error: unknown) => {
        failure = messageOf(error);
        end(error instanceof PipelineError && error.code === 'SHARD_HELD' ? 'displaced' : 'failed');
        world.restart({ shard, name, podUid });
      },
      complete: () => {
        end('stopped');
        if (saving === 0 && counts.inFlight === 0 && !endedListing()) entrance.handedOver();
      },
    });
  return {
    shard,
    name,
    podUid,
    checkpoints,
    counts,
    failure: () => failure,
    inFlightMost: () => inFlightMost,
    end: () => ended,
    endedListing,
    hasHeld: () => held,
    crash() {
      if (ended !== undefined) return;
      running.unsubscribe();
      end('crashed');
    },
    stop,
    stopAmidList(afterMs) {
      heardOfLists = () => world.later(afterMs, stop);
    },
    cutLeases(cut) {
      isCut = cut;
    },
    areLeasesCut: () => isCut,
  };
}

/** A transport whose requests for leases can be made to fail. */
function cuttable(transport: KubeTransport, isCut: () => boolean): KubeTransport {
  const unlessCut = <T>(path: string, request: () => Observable<T>): Observable<T> =>
    defer(() =>
      isCut() && path.includes('/leases')
        ? throwError(() => new PipelineError('CONNECTION_FAILED', 'leases: the network is cut'))
        : request(),
    );
  return {
    ...transport,
    get: (request) => unlessCut(request.path, () => transport.get(request)),
    send: (request) => unlessCut(request.path, () => transport.send(request)),
  };
}
