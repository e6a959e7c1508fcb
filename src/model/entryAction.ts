import type { Entry } from './entry.ts';
import type { EventObject } from './kube.ts';
import type { Occurrence } from './occurrence.ts';

/** What happened to the Event. A list does not tell, so there the Event's own traces of repetition decide. */
export function entryAction(change: Occurrence['change'], event: EventObject): Entry['action'] {
  switch (change) {
    case 'added':
      return 'ADD';
    case 'modified':
      return 'UPDATE';
    case 'listed':
      return isRewritten(event) ? 'UPDATE' : 'ADD';
  }
}

/** True if the Event says that it has been written more than once. */
export function isRewritten({ count, series }: EventObject): boolean {
  return (typeof count === 'number' && count > 1) || (typeof series === 'object' && series !== null);
}
