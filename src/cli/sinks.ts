import type { Observable } from 'rxjs';
import type { Settings, SinkName } from '../config/options.ts';
import { PipelineError } from '../errors.ts';
import type { Sink } from '../ports.ts';
import type { EntryLineSettings } from '../sinks/entryLine.ts';
import { local } from '../sinks/local.ts';

type SinkMaker = (settings: Settings, write: (text: string) => Observable<void>) => Sink;

/** One row per sink that keeps no position. A new sink is a row here, or in stores.ts, and a word in the choices of `--sink`. */
const makers: Readonly<Record<Exclude<SinkName, 'file'>, SinkMaker>> = {
  local: (settings, write) => local({ format: settings.localFormat, fields: settings.localFields, cluster: clusterOf(settings) }, write),
};

/** What entries say about their cluster. */
export function clusterOf({ project, clusterLocation, clusterName }: Settings): NonNullable<EntryLineSettings['cluster']> {
  return { project, location: clusterLocation, name: clusterName };
}

/** The sink that the settings ask for; the file sink is made in stores.ts. `write` is standard output. */
export function sinkOf(settings: Settings, write: (text: string) => Observable<void>): Sink {
  if (settings.sink === 'file') throw new PipelineError('CONFIG_INVALID', '--sink file is a sink of run');
  return makers[settings.sink](settings, write);
}
