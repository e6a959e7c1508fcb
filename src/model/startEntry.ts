import type { Positions } from './checkpoint.ts';
import type { Entry } from './entry.ts';
import { clusterResource, type ResourceModel } from './entryResource.ts';
import type { Shard } from './shard.ts';

/** The slot of what stands in no acknowledgement order. */
export const noSlot = -1;

export interface Start {
  readonly shard: Shard;
  readonly positions: Positions;
  /** True: the positions were stored by an earlier process. */
  readonly resumed: boolean;
  /** When the process took the shard, in milliseconds since 1970. */
  readonly atMs: number;
}

/**
 * The first entry of a start: that exporting began, and whether it goes on from a checkpoint or since when events may be missing.
 * It is about this start and nothing else, so its time is the clock's; made once, it is the same at every try to send it.
 */
export function startEntry({ shard: { index, total }, positions, resumed, atMs }: Start, model: ResourceModel): Entry {
  const timestamp = new Date(atMs).toISOString();
  const from = Object.fromEntries(Object.entries(positions).map(([namespace, { at }]) => [namespace || 'all', at]));
  const isComplete = resumed && !Object.values(from).includes('earliest');
  const message = `Exporting events of shard ${index} of ${total}. ${isComplete ? resumedText : missingText(from, timestamp)}`;
  const payload = { kind: 'Start', resumed, from, shard: { index, total }, message };
  return {
    type: 'entry',
    slot: noSlot,
    insertId: `start.${timestamp}.${index}-of-${total}`,
    action: 'START',
    timestamp,
    severity: isComplete ? 'INFO' : 'WARNING',
    resource: clusterResource(model),
    labels: {},
    uid: '',
    resourceVersion: '',
    payload,
    bytes: JSON.stringify(payload).length,
  };
}

const resumedText = 'It goes on where the checkpoint ended; what could not be read in between is told by gap records.';

function missingText(from: Readonly<Record<string, string>>, timestamp: string): string {
  const all = Object.values(from).includes('earliest');
  const first = all ? 'it begins with what the API server still holds' : 'it begins with what comes from now on';
  const missing = all ? 'What was deleted or overwritten' : 'What was written';
  return `There is no checkpoint to go on from: ${first}. ${missing} before ${timestamp} may be missing.`;
}
