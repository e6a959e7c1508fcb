import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type ShardProcess, shardProcess } from '../processes/shardProcess.ts';

/** All shards of one total, writing to one kind of sink. */
export interface Fleet {
  readonly shards: readonly ShardProcess[];
  /** Everything that they have written, as it was written. */
  lines(): readonly Line[];
  start(): void;
  /** Resolves when each says that it is ready. */
  ready(): Promise<void>;
  /** Resolves when each has saved that it is past its first list: from there on it misses nothing. */
  saved(): Promise<void>;
  /** Holds each shard's account of itself: what came in is what became of it. Resolves to what came in. */
  balanced(): Promise<readonly number[]>;
  /** Lets them end in an orderly way. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** A line of the file sink or the local one. */
export interface Line {
  readonly shard: number;
  readonly action?: string;
  readonly eventUID?: string;
  readonly eventNamespace?: string;
  readonly resourceVersion?: string;
  readonly podLabels?: Readonly<Record<string, string>>;
}

export interface FleetSettings {
  readonly total: number;
  readonly sink: 'file' | 'local';
  readonly folder: string;
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly flags?: readonly string[];
}

export function fleet({ total, sink, folder, kubeconfig, namespace, flags = [] }: FleetSettings): Fleet {
  const indexes = Array.from({ length: total }, (_, index) => index);
  const pathOf = (index: number): string => join(folder, `${sink}-${index}-of-${total}.ndjson`);
  const shards = indexes.map((index) => {
    const sinkFlags = sink === 'file' ? ['--sink=file', `--file-path=${pathOf(index)}`] : ['--sink=local', '--local-format=json'];
    const leases = ['--checkpoint=lease', `--lease-namespace=${namespace}`];
    return shardProcess({
      index,
      total,
      podUid: `pod-${index}-of-${total}`,
      kubeconfig,
      flags: [...sinkFlags, ...leases, '--prometheus-endpoint=127.0.0.1:0', ...flags],
      ...(sink === 'file' ? {} : { outputFile: pathOf(index) }),
    });
  });
  const get = async (shard: ShardProcess, path: string): Promise<{ status: number; text: string }> => {
    const address = [...shard.log().matchAll(/metrics and probes at (127\.0\.0\.1:[0-9]+)/g)].at(-1)?.[1];
    if (address === undefined) return { status: 0, text: '' };
    try {
      const answer = await fetch(`http://${address}${path}`, { headers: { connection: 'close' } });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return { status: 0, text: '' }; // Not listening yet, or no longer: asked again until the time is up.
    }
  };
  return {
    shards,
    lines: () => indexes.flatMap((index) => linesOf(pathOf(index)).map((line) => ({ ...line, shard: index }))),
    start: () => {
      for (const shard of shards) shard.start();
    },
    async ready() {
      for (const shard of shards) {
        await until(`readiness of shard ${shard.index} of ${total}`, async () => (await get(shard, '/readyz')).status === 200, shard.log);
      }
    },
    async saved() {
      for (const shard of shards) {
        const isSaved = async (): Promise<boolean> => {
          if (!/"source":"events".*"signal":"listDone"/.test(shard.log())) return false;
          const { text } = await get(shard, '/metrics');
          return ['in_flight', 'checkpoint_lag_seconds'].every((name) => metric(text, name) === 0);
        };
        await until(`the checkpoint of shard ${shard.index} of ${total}`, isSaved, shard.log);
      }
    },
    balanced: () =>
      Promise.all(
        shards.map(async (shard) => {
          const { text } = await get(shard, '/metrics');
          const [received, inFlight] = ['received_total', 'in_flight'].map((name) => metric(text, name));
          const ends = ['stored_total', 'refused_total', 'filtered_total', 'repeated_total'].map((name) => metric(text, name));
          expect(
            ends.reduce((sum, each) => sum + each, inFlight ?? Number.NaN),
            shard.log(),
          ).toBe(received);
          return received ?? Number.NaN;
        }),
      ),
    async stop() {
      for (const shard of shards) expect(await shard.stop(), shard.log()).toBe(0);
    },
    async kill() {
      for (const shard of shards) await shard.kill();
    },
  };
}

/** Asks again and again, for as long as a slow cluster may take. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, log: () => string, limitMs = 120_000): Promise<void> {
  for (const endMs = Date.now() + limitMs; !(await isSo()); await sleep(100)) {
    if (Date.now() > endMs) throw new Error(`${what} took too long\n${log()}`);
  }
}

function metric(text: string, name: string): number {
  return Number(new RegExp(`^kube_sluice_${name} (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** Whole lines only: the last may be half written. */
function linesOf(path: string): readonly Omit<Line, 'shard'>[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return []; // Nothing was written yet.
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ eventUID, action }) => eventUID !== undefined && action !== 'GAP');
}
