import type { Gap } from './change.ts';
import type { Entry } from './entry.ts';
import { clusterResource, type ResourceModel } from './entryResource.ts';
import { gapInsertId } from './insertId.ts';

/** The entry that says which revisions may be missing. Equal for equal gaps, so a repeat is recognised. */
export function gapEntry(gap: Gap, slot: number, model: ResourceModel): Entry {
  const { cause, from, to, date, shard } = gap;
  const payload = { kind: 'Gap', cause, from, to, ...(shard === undefined ? {} : { shard }), message: messageFor(gap) };
  return {
    type: 'entry',
    slot,
    insertId: gapInsertId(gap),
    action: 'GAP',
    timestamp: date,
    severity: 'WARNING',
    resource: clusterResource(model),
    labels: {},
    uid: '',
    resourceVersion: to,
    payload,
    bytes: JSON.stringify(payload).length,
  };
}

function messageFor({ cause, from, to, shard }: Gap): string {
  const whose = shard === undefined ? 'Event revisions' : `Event revisions of shard ${shard.index} of ${shard.total}`;
  const missing = `${whose} after ${from} up to ${to} may be missing:`;
  switch (cause) {
    case 'expired':
      return `${missing} the API server had already compacted that part of its history.`;
    case 'unwatched':
      return `${missing} nothing was read for longer than the API server keeps Events, or for an unknown time.`;
    case 'restored':
      return `${whose} may be missing: the API server's storage went back from version ${from} to ${to}.`;
  }
}
