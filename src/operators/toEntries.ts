import { map, type OperatorFunction } from 'rxjs';
import { PipelineError } from '../errors.ts';
import type { Outgoing } from '../model/entry.ts';
import { entryOf } from '../model/entryOf.ts';
import type { ResourceModel } from '../model/entryResource.ts';
import { noTime } from '../model/entryTime.ts';
import type { Joined } from '../model/slot.ts';
import type { Runtime } from '../runtime.ts';

/** How an entry names what it is about. */
export interface ToEntriesSettings {
  /** Default k8s. */
  readonly resourceModel?: ResourceModel;
}

/**
 * Makes the entry that a sink stores of each occurrence and gap record.
 *
 *     in   -a-b-g-|    b cannot be decoded; g is a gap record
 *     out  -x-y-z-|    x is a's entry, y is b as unreadable, z the gap's entry
 *
 * State: none. Time: none; an entry's time is the Event's, never the clock's. Order: kept.
 * Errors: passed on. An Event that cannot be decoded becomes unreadable, to be acknowledged as refused.
 * An Event without any time is told by a warning, because a sink may drop what is that old.
 */
export function toEntries({ resourceModel = 'k8s' }: ToEntriesSettings, runtime: Runtime): OperatorFunction<Joined, Outgoing> {
  return map((joined) => {
    try {
      const entry = entryOf(joined, resourceModel);
      if (entry.timestamp === noTime) runtime.signal({ type: 'warning', text: `an Event carries no time; its entry says ${noTime}` });
      return entry;
    } catch (error) {
      if (joined.item.type === 'gap' || !(error instanceof PipelineError && error.code === 'UNDECODABLE')) throw error;
      const { uid, resourceVersion, bytes } = joined.item;
      return { type: 'unreadable', slot: joined.slot, uid, resourceVersion, reason: 'undecodable', bytes };
    }
  });
}
