import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MeasuredSettings } from './measuredProcess.ts';

/** The fake Cloud Logging service in a process of its own. */
export interface LoggingServer {
  /** What an exporter needs to write to it. */
  readonly sink: Required<MeasuredSettings>;
  close(): Promise<void>;
}

export async function loggingServer(): Promise<LoggingServer> {
  const child = fork(join(import.meta.dirname, 'logging/main.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [{ url }] = (await once(child, 'message')) as [{ readonly url: string }];
  const flags = ['--sink=cloud-logging', `--sink-opts=-endpoint=${url}`, '--project=p', '--cluster-location=l', '--cluster-name=c'];
  return {
    sink: { args: flags, environment: { METADATA_SERVER_DETECTION: 'none' } },
    async close() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
