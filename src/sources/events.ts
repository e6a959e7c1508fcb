import type { Observable } from 'rxjs';
import type { Change } from '../model/change.ts';
import { corePath } from '../model/corePath.ts';
import type { EventObject } from '../model/kube.ts';
import { readerName } from '../model/readerName.ts';
import type { ResourceVersion } from '../model/resourceVersion.ts';
import type { Shard } from '../model/shard.ts';
import type { KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { listWatch } from './listWatch.ts';

/** Which Events to read, and from where. */
export interface EventsSettings {
  /** Namespace to read; empty for all, which needs a ClusterRole. */
  readonly namespace: string;
  /** Label selector on the Event's own labels. */
  readonly labelSelector?: string;
  /** Field selector, such as `type=Warning`. */
  readonly fieldSelector?: string;
  /** Everything up to here was handed on in an earlier life. Absent: start afresh. */
  readonly resume?: ResourceVersion;
  /**
   * Everything after here was to be read by an earlier life, whose first list did not end: the list shows what the server still
   * holds, and what was overwritten meanwhile may be missing. Absent: nobody was promised anything.
   */
  readonly listAfter?: ResourceVersion;
  /** Where a fresh start begins: at what the server still holds, or now. Default earliest. */
  readonly startFrom?: 'earliest' | 'now';
  /** Items in a page; 0 asks for all at once. Default 1000. */
  readonly pageItems?: number;
  /** Streaming lists: true, false, or absent to go by the server's version (1.32 or newer). */
  readonly streamingLists?: boolean;
  /** Whose Events will be read in the end; with several shards the others' are not even parsed. Absent: all are read. */
  readonly shard?: Shard;
}

/**
 * Watches core/v1 Events: every write of every Event, oldest unread first, as far as the server still has it.
 * Reads nothing while `paused` is true; see listWatch for state, time and errors.
 */
export function events(
  settings: EventsSettings,
  transport: KubeTransport,
  paused: Observable<boolean>,
  runtime: Runtime,
): Observable<Change<EventObject>> {
  const { namespace, labelSelector, fieldSelector, shard, ...reading } = settings;
  return listWatch(
    {
      ...reading,
      source: readerName('events', namespace),
      stream: 'events',
      path: corePath('events', namespace),
      kinds: ['Event'],
      query: { ...(labelSelector ? { labelSelector } : {}), ...(fieldSelector ? { fieldSelector } : {}) },
      acceptList: 'application/json',
      acceptWatch: 'application/json',
      relistByPages: true,
      closesWhenExpired: true,
      lookAt: shard === undefined || shard.total === 1 ? 'deleted' : 'all',
      paused,
    },
    transport,
    runtime,
  );
}
