import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from '../../src/cli/command.ts';
import { runCommand } from '../../src/cli/run.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { type Core, core } from '../../src/simulator/core.ts';
import { httpFace } from '../../src/simulator/httpFace.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { type FakeProcess, fakeProcess } from '../unit/cliContext.ts';

/** A simulated server on a socket, and the shards that read it. */
export interface LiveCluster {
  readonly server: Core;
  /** Starts `run` with these flags; resolves to the address of its page, or to nothing without --ui. */
  run(flags: readonly string[], context?: Partial<CommandContext>): Promise<string>;
  /** Ends the shards at once, the last first, and then the server. */
  close(): Promise<void>;
}

export async function liveCluster(): Promise<LiveCluster> {
  const server = core({ token: 'secret-token', resourceVersion: '1000' }, { now: Date.now, random: seededRandom(9) });
  const face = await httpFace(server, { token: 'secret-token' });
  const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-live-'));
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, face.kubeconfig());
  const running: { readonly process: FakeProcess; readonly ending: Promise<unknown> }[] = [];
  return {
    server,
    async run(flags, context) {
      const process = fakeProcess(context);
      const ending = runCommandLine(['--kubeconfig', kubeconfig, '--prometheus-endpoint=', ...flags], [runCommand], process.context);
      running.push({ process, ending });
      const isUp = (): boolean => process.errors().includes('"signal":"started"');
      while (!isUp()) await new Promise((resolve) => setTimeout(resolve, 20));
      return /live page at (http:[^"\s]+)/.exec(process.errors())?.[1] ?? '';
    },
    async close() {
      for (const { process, ending } of running.reverse()) {
        process.stops.next('drain');
        process.stops.next('now');
        await ending;
      }
      await face.close();
      rmSync(folder, { recursive: true });
    },
  };
}
