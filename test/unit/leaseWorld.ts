import { defer, type Observable, type SchedulerLike, Subscription, throwError, timer } from 'rxjs';
import { PipelineError } from '../../src/errors.ts';
import { type Checkpoint, type CheckpointMeaning, checkpointFormat } from '../../src/model/checkpoint.ts';
import type { Shard } from '../../src/model/shard.ts';
import { leaseName } from '../../src/model/shardLease.ts';
import type { KubeTransport } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { type VirtualClock, virtualClock } from '../../src/simulator/virtualClock.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { type Core, core, type PlainObject, seededRandom, virtualTransport } from '../../src/testing.ts';
import { type LeaseStoreSettings, leaseStore } from '../../src/transports/leaseStore.ts';

export const epochMs = Date.UTC(2026, 4, 4, 10);

/** A simulated server, and pods that use its leases, in virtual time. */
export interface LeaseWorld {
  readonly server: Core;
  readonly clock: VirtualClock;
  pass(ms: number): void;
  pod(name: string, shard: Shard, more?: PodSettings): Pod;
  /** The lease of a shard as the server has it. */
  lease(shard: Shard): PlainObject | undefined;
  /** `index/total state holder at`, one line per lease, by name. */
  leases(): string[];
}

export interface PodSettings extends Partial<LeaseStoreSettings> {
  readonly meaning?: Partial<CheckpointMeaning>;
  /** What stands between the pod and the server. */
  readonly through?: (transport: KubeTransport, scheduler: SchedulerLike) => KubeTransport;
}

/** One process. What it is told stays readable after its end. */
export interface Pod {
  /** Ahead of the true time by so much, in milliseconds. */
  skewMs: number;
  readonly signals: readonly Signal[];
  /** `waiting`, `holding`, or the code of the error that ended it. */
  state(): string;
  message(): string;
  /** What it was told to start from. */
  start(): Checkpoint | undefined;
  /** Saves a position or a whole checkpoint: `saving`, then `saved` or the code of an error. */
  save(at: string | Checkpoint): { state(): string };
  checkpoint(at: string): Checkpoint;
  /** Tells when it is given up. */
  release(): { state(): string };
  crash(): void;
}

/** A network between one pod and the server that can be cut. */
export interface Wire {
  readonly through: (transport: KubeTransport) => KubeTransport;
  isCut: boolean;
}

export function wire(): Wire {
  const self: Wire = {
    isCut: false,
    through: (transport) => {
      const unlessCut = <T>(answers: Observable<T>): Observable<T> =>
        defer(() => (self.isCut ? throwError(() => new PipelineError('CONNECTION_FAILED', 'the network is cut')) : answers));
      return {
        get: (request) => unlessCut(transport.get(request)),
        stream: (request, paused) => unlessCut(transport.stream(request, paused)),
        send: (request) => unlessCut(transport.send(request)),
      };
    },
  };
  return self;
}

const namespace = 'sluice';
const app = 'kube-sluice';

export function leaseWorld(seed = 5): LeaseWorld {
  const clock = virtualClock(epochMs);
  const random = seededRandom(seed);
  const server = core({ resourceVersion: '100' }, { now: clock.now, random });
  const lease = (shard: Shard): PlainObject | undefined => server.read('Lease', namespace, leaseName(app, shard));
  return {
    server,
    clock,
    pass: (ms) => clock.advanceTo(clock.now() + ms),
    pod: (name, shard, more) => pod(name, shard, { server, clock, random }, more),
    lease,
    leases: () => server.objects('Lease').map(lineOf),
  };
}

function pod(
  name: string,
  shard: Shard,
  { server, clock, random }: { server: Core; clock: VirtualClock; random: () => number },
  { meaning: otherMeaning, through = (transport) => transport, ...settings }: PodSettings = {},
): Pod {
  const signals: Signal[] = [];
  const { scheduler } = clock;
  const runtime: Runtime = {
    scheduler: { now: () => scheduler.now() + self.skewMs, schedule: scheduler.schedule.bind(scheduler) },
    random,
    signal: (signal) => signals.push(signal),
  };
  const meaning: CheckpointMeaning = {
    shard: { function: 'fnv1a32-mod', ...shard },
    selectors: { label: '', field: '' },
    sink: 'memory',
    ...otherMeaning,
  };
  const checkpoint = (at: string): Checkpoint => ({ format: checkpointFormat, ...meaning, positions: { '': { at, incarnation: 0 } } });
  const alive = new Subscription();
  const self = { skewMs: 0 } as Pod & { skewMs: number };
  let [state, message, start]: [string, string, Checkpoint | undefined] = ['waiting', '', undefined];
  const call = (work: Observable<never>, doing: string, done: string): { state(): string } => {
    let now = doing;
    alive.add(
      work.subscribe({
        error: (error: unknown) => {
          now = codeOf(error);
        },
        complete: () => {
          now = done;
        },
      }),
    );
    return { state: () => now };
  };
  // A process does not start in the middle of another's work.
  const store = leaseStore(
    { app, namespace, holder: name, ...settings },
    through(virtualTransport(server, {}, runtime), scheduler),
    runtime,
  );
  alive.add(
    timer(0, scheduler).subscribe(() => {
      alive.add(
        store.hold(meaning).subscribe({
          next: (stored) => {
            [state, start] = ['holding', stored];
          },
          error: (error: unknown) => {
            [state, message] = [codeOf(error), String(error)];
          },
        }),
      );
    }),
  );
  const made: Omit<Pod, 'skewMs'> = {
    signals,
    state: () => state,
    message: () => message,
    start: () => start,
    save: (at) => call(store.save(typeof at === 'string' ? checkpoint(at) : at), 'saving', 'saved'),
    checkpoint,
    release: () => call(store.release(), 'releasing', 'released'),
    crash: () => alive.unsubscribe(),
  };
  return Object.assign(self, made);
}

function codeOf(error: unknown): string {
  return error instanceof PipelineError ? error.code : String(error);
}

function lineOf({ metadata, spec }: PlainObject): string {
  const { 'kube-sluice/state': state, 'kube-sluice/checkpoint': text } = metadata.annotations ?? {};
  const { holderIdentity = '-' } = (spec ?? {}) as { holderIdentity?: string };
  const at = text === undefined ? '-' : ((JSON.parse(text) as Checkpoint).positions['']?.at ?? '-');
  return `${metadata.name?.slice(app.length + 1)} ${state} ${holderIdentity} ${at}`;
}
