import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Told, Wish } from './server/wish.ts';

/** The simulator in a process of its own, over HTTPS and HTTP/2. */
export interface BenchServer {
  /** Path of a kubeconfig for it. */
  readonly kubeconfig: string;
  ask(wish: Wish): Promise<Told>;
  close(): Promise<void>;
}

const script = join(import.meta.dirname, 'server/main.ts');

export async function benchServer(): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-bench-'));
  const child = fork(script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const open = new Map<number, (told: Told) => void>();
  const [{ kubeconfig: text }] = (await once(child, 'message')) as [{ readonly kubeconfig: string }];
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, text, { mode: 0o600 });
  let asked = 0;
  child.on('message', ({ id, ...told }: Told & { readonly id: number }) => {
    open.get(id)?.(told);
    open.delete(id);
  });
  return {
    kubeconfig,
    ask(wish) {
      const id = ++asked;
      return new Promise((resolve, reject) => {
        open.set(id, resolve);
        child.send({ ...wish, id }, (error) => error && reject(error));
      });
    },
    async close() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Until whoever has been started watches it. */
const foreignStartMs = 20_000;

/** A server that is not ours: it is only waited for, and what is written there is what is measured. */
export function foreignServer(kubeconfig: string): BenchServer {
  return {
    kubeconfig,
    async ask(wish) {
      if (wish.type === 'pace') await sleep(wish.seconds * 1000);
      if (wish.type !== 'watches') return { events: 0 };
      await sleep(foreignStartMs);
      return { events: Number.POSITIVE_INFINITY };
    },
    close: () => Promise.resolve(),
  };
}
