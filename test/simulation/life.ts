import { defer, ignoreElements, type Observable, Subject, throwError } from 'rxjs';
import { messageOf, PipelineError } from '../../src/errors.ts';
import type { Checkpoint } from '../../src/model/checkpoint.ts';
import type { Shard, ShardFunction } from '../../src/model/shard.ts';
import { pipeline } from '../../src/pipeline.ts';
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
  /** True if it ended with a list of events begun and not done. */
  readonly endedListing: () => boolean;
  /** True once it may have delivered. */
  readonly hasHeld: () => boolean;
  crash(): void;
  stop(): void;
  /** Its leases cannot be reached, while everything else works: a zombie in the making. */
  cutLeases(cut: boolean): void;
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
  const checkpoints: SavedCheckpoint[] = [];
  const counts = noCounts();
  const stopping = new Subject<void>();
  let ended: LifeEnd | undefined;
  let failure: string | undefined;
  let inFlightMost = 0;
  let isCut = false;
  let held = false;
  let listing = false;

  const signal = (told: Signal): void => {
    count(counts, told, runtime.scheduler.now());
    if (told.type === 'inFlight') inFlightMost = Math.max(inFlightMost, told.occurrences);
    if (told.type === 'shardHeld') held = true;
    if (told.type === 'listStarted' && told.source === 'events') listing = true;
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
        return leases.save(checkpoint);
      }),
  };
  const end = (how: LifeEnd): void => {
    ended ??= how;
    tell(`${name} (${podUid}) ends: ${how}${failure === undefined ? '' : `, ${failure}`}`);
  };

  tell(`${name} (${podUid}) starts`);
  const settings = { ...scenario, shard, flushMs: 500, batchItemsMax: 20 };
  const running = pipeline(settings, { transport, sink: sink.forShard(name), store }, stopping, own)
    .pipe(ignoreElements())
    .subscribe({
      error: (error: unknown) => {
        failure = messageOf(error);
        end(error instanceof PipelineError && error.code === 'SHARD_HELD' ? 'displaced' : 'failed');
        world.restart({ shard, name, podUid });
      },
      complete: () => end('stopped'),
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
    endedListing: () => ended !== undefined && listing,
    hasHeld: () => held,
    crash() {
      if (ended !== undefined) return;
      running.unsubscribe();
      end('crashed');
    },
    stop() {
      tell(`${name} (${podUid}) is asked to stop`);
      stopping.next();
    },
    cutLeases(cut) {
      isCut = cut;
    },
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
