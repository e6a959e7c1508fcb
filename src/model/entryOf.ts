import type { Entry } from './entry.ts';
import { entryAction } from './entryAction.ts';
import { entryPayload } from './entryPayload.ts';
import { entryResource, type ResourceModel } from './entryResource.ts';
import { entryTime } from './entryTime.ts';
import { gapEntry } from './gapEntry.ts';
import { insertId } from './insertId.ts';
import type { EventObject } from './kube.ts';
import type { Occurrence } from './occurrence.ts';
import type { Joined } from './slot.ts';

/**
 * What a sink stores of an occurrence or gap: a function of the revision, its labels and the resource
 * model, so that whoever makes it again makes it equal. Throws PipelineError UNDECODABLE if the Event
 * cannot be had.
 */
export function entryOf({ slot, item, labels }: Joined, model: ResourceModel): Entry {
  return item.type === 'gap' ? gapEntry(item, slot, model) : eventEntry(item, item.read(), slot, labels, model);
}

function eventEntry(occurrence: Occurrence, event: EventObject, slot: number, labels: Joined['labels'], model: ResourceModel): Entry {
  const { change, uid, resourceVersion, bytes } = occurrence;
  return {
    type: 'entry',
    slot,
    insertId: insertId(resourceVersion, uid),
    action: entryAction(change, event),
    timestamp: entryTime(event),
    severity: event.type === 'Warning' ? 'WARNING' : 'INFO',
    resource: entryResource(occurrence, model),
    labels,
    uid,
    resourceVersion,
    payload: entryPayload(event),
    bytes,
  };
}
