import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../src/cli/main.ts');

/** One `kube-sluice run` as a process of its own. */
export interface ShardProcess {
  readonly index: number;
  readonly total: number;
  /** Starts it, or starts it again. */
  start(): void;
  /** Ends it as a crash does, and resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end and resolves to its exit code. */
  stop(): Promise<number | null>;
  /** What it has written to standard error, for a test that fails. */
  log(): string;
  isRunning(): boolean;
}

export interface ShardProcessSettings {
  readonly index: number;
  readonly total: number;
  readonly podUid: string;
  readonly kubeconfig: string;
  readonly flags: readonly string[];
  /** Where its standard output is added to. Absent: nowhere. */
  readonly outputFile?: string;
}

export function shardProcess({ index, total, podUid, kubeconfig, flags, outputFile }: ShardProcessSettings): ShardProcess {
  let child: ChildProcess | undefined;
  let log = '';
  const args = [main, 'run', '--kubeconfig', kubeconfig, '--total-shards', String(total), '--shard-id', String(index), ...flags];
  const gone = async (): Promise<number | null> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    await once(child, 'exit');
    return child.exitCode;
  };
  return {
    index,
    total,
    start() {
      const output = outputFile === undefined ? 'ignore' : openSync(outputFile, 'a');
      child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], POD_UID: podUid }, stdio: ['ignore', output, 'pipe'] });
      if (typeof output === 'number') closeSync(output);
      child.stderr?.on('data', (text: Buffer) => {
        log += text.toString();
      });
    },
    async kill() {
      child?.kill('SIGKILL');
      await gone();
    },
    stop() {
      child?.kill('SIGTERM');
      return gone();
    },
    log: () => log,
    isRunning: () => child !== undefined && child.exitCode === null && child.signalCode === null,
  };
}
