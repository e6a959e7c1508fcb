import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { KubeConfig } from '@kubernetes/client-node';

type Start = (command: string, args: readonly string[] | undefined, options: SpawnOptions) => ChildProcess;

/**
 * Ends an exec plugin that takes longer than `timeoutMs`, and gives it no standard input, where one that asks for a password
 * would wait for ever. All requests wait for its answer, so none would be made again.
 *
 * Source: client-node 2.0.1, exec_auth: the plugin is started by a function of the authenticator, and its complaint is what
 * it wrote to standard error until that is closed.
 */
export function limitExec(kubeConfig: KubeConfig, timeoutMs: number): void {
  const { authenticators } = kubeConfig as unknown as { readonly authenticators: readonly object[] };
  for (const authenticator of authenticators) {
    if ('execFn' in authenticator) (authenticator as { execFn: Start }).execFn = startWithin(timeoutMs);
  }
}

function startWithin(timeoutMs: number): Start {
  return (command, args, options) => {
    const started = spawn(command, args ?? [], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    started.on('exit', (_code, signal) => {
      if (signal === null) return;
      // What the plugin has started may hold its output open for as long as it likes.
      started.stderr.emit('data', `the exec plugin was ended by ${signal}, as happens to one that takes ${timeoutMs / 1_000} s`);
      started.stdout.destroy();
      started.stderr.destroy();
    });
    return started;
  };
}
