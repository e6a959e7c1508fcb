import { map, type Observable, type OperatorFunction, takeUntil, timer, toArray } from 'rxjs';
import type { Change } from '../src/model/change.ts';
import type { Frame } from '../src/ports.ts';
import type { Runtime } from '../src/runtime.ts';
import type { ListWatchSettings } from '../src/sources/readerSettings.ts';
import { eventObject } from './builders.ts';
import { answer, line, opened, page, status } from './fakeServer.ts';

export const settings: ListWatchSettings = {
  source: 'events',
  path: '/api/v1/events',
  kinds: ['Event'],
  acceptList: 'application/json',
  acceptWatch: 'application/json',
  streamingLists: false,
  relistByPages: true,
  closesWhenExpired: true,
};

const bookmarkOf = (resourceVersion: string, annotations: Record<string, string> = {}): unknown => ({
  kind: 'Event',
  metadata: { resourceVersion, annotations },
});
const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

/** Frames by letter: o opened; a-e added events of versions 11 to 15; m a bookmark at 20; g 410 in the stream. */
export const frames: Record<string, Frame> = {
  o: opened,
  a: line('ADDED', eventObject('11')),
  b: line('ADDED', eventObject('12')),
  c: line('ADDED', eventObject('13')),
  e: line('MODIFIED', eventObject('15')),
  x: line('DELETED', eventObject('16')),
  m: line('BOOKMARK', bookmarkOf('20')),
  n: line('BOOKMARK', bookmarkOf('10', initialEventsEnd)),
  f: line('BOOKMARK', { kind: 'Pod', metadata: { resourceVersion: '99' } }),
  t: { type: 'torn', bytes: 60 },
  q: { type: 'line', bytes: Buffer.from('upstream timed out') },
  u: line('ADDED', null),
  g: line('ERROR', status(410, 'Expired')),
  i: line('ERROR', status(500, 'InternalError')),
  y: { type: 'oversized', bytes: 9_000_000 },
  z: { type: 'exhausted' },
};

/** Pages and refusals by letter. */
export const answers: Record<string, Frame> = {
  p: page('10', [eventObject('9'), eventObject('7')]),
  e: page('10', []),
  q: page('30', [eventObject('25')]),
  g: answer(410, status(410, 'Expired')),
  v: answer(503, status(503, 'ServiceUnavailable')),
  r: answer(429, status(429, 'TooManyRequests'), { retryAfter: '5' }),
  f: answer(403, status(403, 'Forbidden')),
  b: answer(400, status(400, 'BadRequest')),
};

/** Each change as `type version`. */
export const told = (changes: Observable<Change>): Observable<string> =>
  changes.pipe(
    map((change) => {
      if (change.type === 'relistStarted') return `started ${change.cause} ${change.position ?? '-'} ${change.resourceVersion ?? '-'}`;
      return `${change.type} ${change.resourceVersion}`;
    }),
  );

export const start = { s: 'started start - 10', x: 'listed 9', y: 'listed 7', d: 'relistDone 10' };
export const seen = { ...start, a: 'added 11', b: 'added 12', c: 'added 13', e: 'modified 15', z: 'deleted 16', m: 'bookmark 20' };

/** Everything until then as one array: for specs whose point is what happened, not when. */
export function toArrayUntil<T>(ms: number, runtime: Runtime): OperatorFunction<T, T[]> {
  return (source) => source.pipe(takeUntil(timer(ms, runtime.scheduler)), toArray());
}
