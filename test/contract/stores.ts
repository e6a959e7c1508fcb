import { join } from 'node:path';
import type { CheckpointStore } from '../../src/ports.ts';
import { liveRuntime, type Runtime } from '../../src/runtime.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { file } from '../../src/sinks/file.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { core, httpFace, seededRandom, virtualTransport } from '../../src/testing.ts';
import { fileStore } from '../../src/transports/fileStore.ts';
import { kubeApi } from '../../src/transports/kubeApi.ts';
import { leaseStore } from '../../src/transports/leaseStore.ts';
import { memoryStore } from '../../src/transports/memoryStore.ts';
import { folder, kubeconfig } from './kubeConfigs.ts';

/** One durable place, and processes that keep their checkpoints there. */
export interface StorePlace {
  /** A process of its own. Equal names are the same pod, or its restarted container. */
  open(process?: string): CheckpointStore;
  /** Waits until something holds; fails if it does not in good time. */
  until(holds: () => boolean): Promise<void>;
  /** Lets so much time pass that whatever is on its way has arrived, and an idle holder has renewed its claim. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreKind {
  readonly make: () => Promise<StorePlace>;
  /** What a second process does while one holds the shard. */
  readonly excludes: 'waits' | 'refuses' | 'no';
}

const epochMs = Date.UTC(2026, 4, 4, 10);
const where = { app: 'kube-sluice', namespace: 'sluice' } as const;
const silent = (_: Signal): void => undefined;

/** Time that jumps from timer to timer, for stores over it. */
function virtualTime(): Pick<StorePlace, 'until' | 'rest'> & { readonly runtime: Runtime } {
  const clock = virtualClock(epochMs);
  const random = seededRandom(11);
  return {
    runtime: { scheduler: clock.scheduler, random, signal: silent },
    async until(holds) {
      const lastMs = clock.now() + 10 * 60_000;
      while (!holds() && clock.now() < lastMs) clock.advanceTo(clock.next() ?? lastMs);
      if (!holds()) throw new Error('it did not happen within ten virtual minutes');
    },
    async rest() {
      clock.advanceTo(clock.now() + 60_000);
    },
  };
}

async function inMemory(): Promise<StorePlace> {
  const store = memoryStore();
  const { until, rest } = virtualTime();
  return { open: () => store, until, rest, close: async () => undefined };
}

async function leasesInVirtualTime(): Promise<StorePlace> {
  const { runtime, until, rest } = virtualTime();
  const server = core({ resourceVersion: '100' }, { now: () => runtime.scheduler.now(), random: runtime.random });
  const open = (process = 'pod-a'): CheckpointStore =>
    leaseStore({ ...where, holder: process }, virtualTransport(server, {}, runtime), runtime);
  return { open, until, rest, close: async () => undefined };
}

/** Time that is real: what happens on a disk takes its own. */
const realTime: Pick<StorePlace, 'until' | 'rest'> = {
  async until(holds) {
    for (const lastMs = Date.now() + 20_000; !holds(); await pause(5))
      if (Date.now() > lastMs) throw new Error('it did not happen within 20 s');
  },
  rest: () => pause(150),
};

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function inFile(): Promise<StorePlace> {
  const path = join(folder(), 'checkpoint.json');
  const runtime = liveRuntime(silent);
  return { ...realTime, open: () => fileStore({ path, server: 'https://10.0.0.1' }, runtime), close: async () => undefined };
}

async function inFileOfEntries(): Promise<StorePlace> {
  const path = join(folder(), 'events.ndjson');
  const runtime = liveRuntime(silent);
  return { ...realTime, open: () => file({ path, server: 'https://10.0.0.1' }, runtime), close: async () => undefined };
}

/** Real requests, so short times. */
async function leasesOverHttp(): Promise<StorePlace> {
  const server = core({ resourceVersion: '100' }, { now: () => Date.now(), random: seededRandom(11) });
  const face = await httpFace(server);
  const path = kubeconfig({ server: face.url });
  const runtime = liveRuntime(silent);
  const times = { requestMs: 2_000, renewMs: 40, silentMs: 400, lookMs: 20 };
  return {
    ...realTime,
    open: (process = 'pod-a') =>
      leaseStore({ ...where, ...times, holder: process }, kubeApi({ kubeconfig: path, environment: {} }), runtime),
    close: () => face.close(),
  };
}

/** Every implementation. Another store is one more row, and one more function that makes its place. */
export const storeKinds: Readonly<Record<string, StoreKind>> = {
  'in memory': { make: inMemory, excludes: 'no' },
  'in a file': { make: inFile, excludes: 'refuses' },
  'in a file of entries': { make: inFileOfEntries, excludes: 'refuses' },
  'in leases, in virtual time': { make: leasesInVirtualTime, excludes: 'waits' },
  'in leases, over HTTP': { make: leasesOverHttp, excludes: 'waits' },
};
