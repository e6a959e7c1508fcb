import type { Observable } from 'rxjs';
import type { Settings, SinkName } from '../config/options.ts';
import { PipelineError } from '../errors.ts';
import type { Sink } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { cloudLogging } from '../sinks/cloudLogging.ts';
import type { EntryLineSettings } from '../sinks/entryLine.ts';
import { local } from '../sinks/local.ts';
import type { CommandContext } from './command.ts';

export interface SinkParts {
  readonly settings: Settings;
  readonly context: CommandContext;
  /** Standard output. */
  readonly write: (text: string) => Observable<void>;
}

/** Makes the sink of one shard, with the shard's runtime. */
export type SinkMaker = (runtime: Runtime) => Sink;

type Preparation = (parts: SinkParts, runtime: Runtime) => Promise<SinkMaker>;

/** One row per sink that keeps no position. A new sink is a row here, or in stores.ts, and a word in the choices of `--sink`. */
const preparations: Readonly<Record<Exclude<SinkName, 'file'>, Preparation>> = {
  local: async ({ settings, write }) => {
    const lines = { format: settings.localFormat, fields: settings.localFields, cluster: clusterOf(settings) };
    return () => local(lines, write);
  },
  'cloud-logging': async ({ settings, context }, runtime) => {
    const { logTarget } = await import('./logTarget.ts');
    const { cluster, writer } = await logTarget(settings, context, runtime);
    return (own) => cloudLogging({ cluster }, writer, own);
  },
};

/** What entries say about their cluster. */
export function clusterOf({ project, clusterLocation, clusterName }: Settings): NonNullable<EntryLineSettings['cluster']> {
  return { project, location: clusterLocation, name: clusterName };
}

/**
 * Prepares the sink that the settings ask for; the file sink is made in stores.ts. May look for credentials and the like: rejects with
 * CONFIG_INVALID if they are missing. Times are those of `runtime`.
 */
export async function sinkMaker(parts: SinkParts, runtime: Runtime): Promise<SinkMaker> {
  const { sink } = parts.settings;
  if (sink !== 'file') return preparations[sink](parts, runtime);
  return () => {
    throw new PipelineError('CONFIG_INVALID', '--sink file is a sink of run');
  };
}
