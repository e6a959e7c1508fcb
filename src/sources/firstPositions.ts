import { filter, forkJoin, map, type Observable, of, take } from 'rxjs';
import { earliest, type Position, type Positions } from '../model/checkpoint.ts';
import type { KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { type EventsSettings, events } from './events.ts';

export interface FirstPositionsSettings extends Omit<EventsSettings, 'namespace' | 'resume'> {
  readonly namespaces: readonly string[];
  readonly startFrom: 'earliest' | 'now';
}

/**
 * Emits once where readers without a checkpoint start, and completes. For `now` the server is asked, as
 * patiently as a reader asks; for `earliest` nobody is.
 */
export function firstPositions(settings: FirstPositionsSettings, transport: KubeTransport, runtime: Runtime): Observable<Positions> {
  const { namespaces, startFrom } = settings;
  if (startFrom === 'earliest') return of(earliest(namespaces));
  const positions = namespaces.map((namespace) =>
    events({ ...settings, namespace }, transport, of(false), runtime).pipe(
      filter((change) => change.type === 'bookmark'), // How a reader that starts from now tells where that is.
      take(1),
      map(({ resourceVersion }): readonly [string, Position] => [namespace, { at: resourceVersion, incarnation: 0 }]),
    ),
  );
  return forkJoin(positions).pipe(map((entries) => Object.fromEntries(entries)));
}
