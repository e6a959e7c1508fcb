import { map, type Observable } from 'rxjs';
import { corePath } from '../../model/corePath.ts';
import type { EventObject } from '../../model/kube.ts';
import { newestTime } from '../../model/newestTime.ts';
import type { Ask } from './ask.ts';
import type { Finding } from './finding.ts';

/** So many are looked at: enough to see how old they get. */
const eventsMax = 1_000;

/** Whether Events can be read, how many there are, and how long the server keeps them at least. */
export function eventsCheck(namespace: string, ask: Ask, now: () => number): Observable<readonly Finding[]> {
  const about = namespace === '' ? 'events' : `events of ${namespace}`;
  return ask({ path: corePath('events', namespace), query: { limit: String(eventsMax) }, accept: 'application/json' }).pipe(
    map((asked): readonly Finding[] => {
      if (asked.type === 'failure')
        return [
          { state: 'bad', about, text: asked.reason, advice: 'Without a list there is nothing to begin with; see the rights above.' },
        ];
      const { items = [], metadata } = (asked.body ?? {}) as EventList;
      const count = items.length + (metadata?.remainingItemCount ?? 0);
      if (items.length === 0)
        return [{ state: 'note', about, text: 'none at all', advice: 'Normal for an empty cluster; events live for an hour by default.' }];
      const times = items.flatMap((item) => newestTime(item) ?? []);
      const oldestMs = now() - times.reduce((oldest, time) => Math.min(oldest, time), Number.POSITIVE_INFINITY);
      return [
        {
          state: 'ok',
          about,
          text: `${metadata?.continue === undefined ? '' : 'about '}${count}, the oldest seen ${minutes(oldestMs)} old`,
        },
        ...shortLife(about, count, oldestMs),
      ];
    }),
  );
}

interface EventList {
  readonly items?: readonly EventObject[];
  readonly metadata?: { readonly continue?: string; readonly remainingItemCount?: number };
}

/** Where there are many, the oldest shows how long they live. */
function shortLife(about: string, count: number, oldestMs: number): readonly Finding[] {
  if (count < eventsMax || oldestMs > 30 * 60_000) return [];
  return [
    {
      state: 'note',
      about,
      text: `the server seems to keep them for ${minutes(oldestMs)} only`,
      advice:
        'Whoever is away for longer loses some. Give run --event-ttl what the API server has as its own, so that a gap record says so.',
    },
  ];
}

function minutes(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.round(ms / 1000))} s` : `${Math.round(ms / 60_000)} min`;
}
