import type { Observable } from 'rxjs';
import type { Settings, SinkName } from '../config/options.ts';
import type { Sink } from '../ports.ts';
import { local } from '../sinks/local.ts';

type SinkMaker = (settings: Settings, write: (text: string) => Observable<void>) => Sink;

/** One row per sink. A new sink is a row here and a word in the choices of `--sink`. */
const makers: Readonly<Record<SinkName, SinkMaker>> = {
  local: ({ localFormat, localFields, project, clusterLocation, clusterName }, write) =>
    local({ format: localFormat, fields: localFields, cluster: { project, location: clusterLocation, name: clusterName } }, write),
};

/** The sink that the settings ask for. `write` is standard output. */
export function sinkOf(settings: Settings, write: (text: string) => Observable<void>): Sink {
  return makers[settings.sink](settings, write);
}
