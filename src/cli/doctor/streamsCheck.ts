import { catchError, first, map, type Observable, of, timeout } from 'rxjs';
import { messageOf } from '../../errors.ts';
import { corePath } from '../../model/corePath.ts';
import type { KubeTransport } from '../../ports.ts';
import type { Runtime } from '../../runtime.ts';
import { partialPods } from '../../sources/pods.ts';
import type { Finding } from './finding.ts';

const answerMsMax = 10_000;

/** Whether a list of pods really comes as a stream; nothing of it is read. */
export function streamsCheck(namespace: string, transport: KubeTransport, { scheduler }: Runtime): Observable<readonly Finding[]> {
  const query = {
    watch: 'true',
    sendInitialEvents: 'true',
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: 'true',
    timeoutSeconds: '1',
  };
  return transport.stream({ stream: 'doctor', path: corePath('pods', namespace), query, accept: partialPods.one }, of(false)).pipe(
    first(),
    timeout({ first: answerMsMax, scheduler }),
    map(
      (frame): Finding =>
        frame.type === 'opened'
          ? { state: 'ok', about: 'streaming lists', text: 'accepted' }
          : { ...byPages, text: frame.type === 'answer' ? `refused with HTTP ${frame.status}` : 'no answer' },
    ),
    catchError((error: unknown) => of<Finding>({ ...byPages, text: messageOf(error) })),
    map((finding) => [finding]),
  );
}

const byPages = {
  state: 'note',
  about: 'streaming lists',
  advice: 'Nothing to do: lists are read by pages instead.',
} as const;
