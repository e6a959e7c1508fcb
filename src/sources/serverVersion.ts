import { catchError, defer, map, type Observable, of, shareReplay } from 'rxjs';
import { jsonOf } from '../model/jsonOf.ts';
import type { KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import type { ListWatchSettings } from './readerSettings.ts';

/** Streaming lists are on by default from this minor version (KEP-3157, beta in 1.32). */
const streamingMinor = 32;

/**
 * Emits whether lists should be asked for as a stream: the setting if there is one, else by the
 * server's /version, which is asked at most once. A server that does not tell gets pages.
 */
export function serverStreamsLists(settings: ListWatchSettings, transport: KubeTransport, runtime: Runtime): Observable<boolean> {
  if (settings.streamingLists !== undefined) return of(settings.streamingLists);
  return defer(() => {
    runtime.signal({ type: 'attempted', source: settings.source });
    return transport.get({ stream: settings.stream ?? settings.source, path: '/version', accept: 'application/json', query: {} });
  }).pipe(
    map((answer) => answer.type === 'answer' && answer.status === 200 && streamsLists(jsonOf(answer.body))),
    catchError(() => of(false)), // Whatever is wrong, the list that follows meets it too and reports it.
    shareReplay({ bufferSize: 1, refCount: false, scheduler: runtime.scheduler }),
  );
}

/** Whether a server streams lists, by what it says at /version. What is no version says no: pages work everywhere. */
export function streamsLists(version: unknown): boolean {
  const { major, minor } = (version ?? {}) as { readonly major?: unknown; readonly minor?: unknown };
  return Number(major) > 1 || (Number(major) === 1 && Number.parseInt(String(minor), 10) >= streamingMinor);
}
