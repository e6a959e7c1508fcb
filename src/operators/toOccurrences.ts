import { defer, finalize, map, type OperatorFunction } from 'rxjs';
import { PipelineError } from '../errors.ts';
import { burst } from '../model/burst.ts';
import type { Body, Change, ObjectChange } from '../model/change.ts';
import type { EventHeader } from '../model/eventHeader.ts';
import type { Involved } from '../model/involved.ts';
import type { EventObject } from '../model/kube.ts';
import { bookmark, type Foreign, type Item, type Occurrence } from '../model/occurrence.ts';
import type { Shard } from '../model/shard.ts';
import type { Runtime } from '../runtime.ts';

/**
 * Makes an occurrence of each object that was written or listed, and a bookmark of each that was deleted.
 *
 *     in   -s-a-d-b-m-c-|    s lists, a is in the list, d ends it; b is modified; m is a bookmark; c is deleted
 *     out  -s-a-d-b-m-n-|    a and b are occurrences now, n is a bookmark at c's version
 *
 * State: how many of a chunk are not told as received yet. Time: none. Order: kept.
 * Errors: passed on. An object that cannot be decoded, or has no uid or involvedObject, still becomes an
 * occurrence, so that it is counted and its place acknowledged; its `read` throws UNDECODABLE.
 * This is the only place that knows how a header is found. DELETED is the hourly expiry, no write.
 * `shard`: whose occurrences need a header at all; one that is told by the bytes of its line to be another's comes as `foreign`,
 * for `keepShard` to leave out. Absent: all need one.
 */
export function toOccurrences(runtime: Runtime): OperatorFunction<Change<EventObject>, Item>;
export function toOccurrences(runtime: Runtime, shard: Shard): OperatorFunction<Change<EventObject>, Item | Foreign>;
export function toOccurrences(runtime: Runtime, shard?: Shard): OperatorFunction<Change<EventObject>, Item | Foreign> {
  return (source) =>
    defer(() => {
      const received = burst((times, bytes) => runtime.signal({ type: 'received', bytes, times }));
      return source.pipe(
        map((change) => {
          switch (change.type) {
            case 'added':
            case 'modified':
            case 'listed':
              received.add(change.body.bytes, change.followed);
              return shard !== undefined && change.body.look?.isForeignTo(shard) === true
                ? foreign(change)
                : occurrenceOf(change, change.type);
            case 'deleted':
              if (change.followed !== true) received.end();
              return bookmark(change.resourceVersion, change.followed);
            case 'relistStarted':
            case 'relistDone':
            case 'bookmark':
              received.end();
              return change;
          }
        }),
        finalize(received.end),
      );
    });
}

function foreign({ resourceVersion, followed }: ObjectChange): Foreign {
  return { type: 'foreign', resourceVersion, followed };
}

function occurrenceOf({ resourceVersion, body }: ObjectChange<EventObject>, change: Occurrence['change']): Occurrence {
  const { uid, namespace, involved } = body.look?.header() ?? headerOf(body);
  const isWhole = uid !== '' && involved !== undefined;
  return {
    type: 'occurrence',
    change,
    uid,
    resourceVersion,
    namespace,
    involved: involved ?? nothing,
    bytes: body.bytes,
    read: isWhole ? body.read : () => incomplete(body, uid),
  };
}

/** Without `involved` the object has no involvedObject. */
type Header = Omit<EventHeader, 'involved'> & Partial<Pick<EventHeader, 'involved'>>;

const nothing: Involved = { kind: '', namespace: '', name: '', uid: '' };
const unknown: Header = { uid: '', namespace: '' };

function headerOf(body: Body): Header {
  const event = decoded(body);
  const metadata = recordIn(event, 'metadata');
  if (metadata === undefined) return unknown;
  const about = recordIn(event, 'involvedObject');
  return {
    uid: textIn(metadata, 'uid'),
    namespace: textIn(metadata, 'namespace'),
    ...(about === undefined
      ? {}
      : {
          involved: {
            kind: textIn(about, 'kind'),
            namespace: textIn(about, 'namespace'),
            name: textIn(about, 'name'),
            uid: textIn(about, 'uid'),
          },
        }),
  };
}

function decoded(body: Body): unknown {
  try {
    return body.read();
  } catch {
    return undefined; // `read` of the occurrence tells it, where the refusal is counted and reported.
  }
}

function incomplete(body: Body, uid: string): never {
  body.read(); // Throws its own error if that is the reason.
  throw new PipelineError(
    'UNDECODABLE',
    `an Event must have metadata.uid and involvedObject (got ${uid === '' ? 'no uid' : `only uid ${uid}`})`,
  );
}

function recordIn(value: unknown, key: string): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const inner = (value as Readonly<Record<string, unknown>>)[key];
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Readonly<Record<string, unknown>>) : undefined;
}

/** Empty for whatever is no text. */
function textIn(record: Readonly<Record<string, unknown>>, key: string): string {
  const value = record[key];
  return typeof value === 'string' ? value : '';
}
