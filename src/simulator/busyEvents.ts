import type { Names } from './busyNames.ts';
import type { Core } from './core.ts';
import { microsText, type PlainObject, secondsText } from './object.ts';

/** What an event is about. Missing parts stay missing, as real components leave them. */
export interface About {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly apiVersion: string;
  readonly fieldPath?: string;
}

/** Who tells it. */
export interface Reporter {
  readonly component: string;
  readonly host?: string;
}

export interface Told {
  readonly reason: string;
  readonly message: string;
  /** Default Normal. */
  readonly type?: 'Normal' | 'Warning';
}

/** The two ways in which components write events, and how each repeats them. */
export interface EventRecorder {
  /** As most components do: first and last time and a count. */
  tell(about: About, by: Reporter, told: Told): PlainObject;
  /** The same once more: the count grows. */
  again(event: PlainObject): PlainObject;
  /** As the scheduler does through events.k8s.io: an eventTime and nothing else. */
  note(about: About, by: Reporter, told: Told & { readonly action: string }): PlainObject;
  /** The same once more: a series. */
  noteAgain(event: PlainObject): PlainObject;
}

export function eventRecorder(core: Core, names: Names): EventRecorder {
  let told = 0;
  const metadata = (about: About, apiVersion: string, fields: readonly string[]): PlainObject['metadata'] => {
    // The name ends in the nanoseconds of the first time, in hexadecimal; counted, so that no two are equal.
    told += 1;
    const nanos = BigInt(Math.floor(core.now())) * 1_000_000n + BigInt(told % 1_000_000);
    return {
      name: `${about.name}.${nanos.toString(16)}`,
      namespace: about.namespace ?? 'default',
      managedFields: [
        {
          manager: apiVersion === 'v1' ? 'kube-controller-manager' : 'kube-scheduler',
          operation: 'Update',
          apiVersion,
          time: secondsText(core.now()),
          fieldsType: 'FieldsV1',
          fieldsV1: Object.fromEntries(fields.map((field) => [`f:${field}`, {}])),
        },
      ],
    };
  };
  /** The event as it is now, or undefined if the server has let it expire. */
  const newest = ({ metadata: { namespace = '', name = '' } }: PlainObject): PlainObject | undefined => core.read('Event', namespace, name);

  return {
    tell(about, by, { reason, message, type = 'Normal' }) {
      const at = secondsText(core.now());
      return core.create('Event', {
        metadata: metadata(about, 'v1', [
          'count',
          'firstTimestamp',
          'involvedObject',
          'lastTimestamp',
          'message',
          'reason',
          'source',
          'type',
        ]),
        involvedObject: about,
        reason,
        message,
        source: by,
        firstTimestamp: at,
        lastTimestamp: at,
        count: 1,
        type,
        reportingComponent: by.component,
        reportingInstance: by.host ?? '',
      });
    },
    again(event) {
      const before = newest(event);
      if (before === undefined) return core.create('Event', { ...event, metadata: freshMetadata(event) });
      return core.update('Event', { ...before, lastTimestamp: secondsText(core.now()), count: Number(before['count']) + 1 });
    },
    note(about, by, { reason, message, type = 'Normal', action }) {
      return core.create('Event', {
        metadata: metadata(about, 'events.k8s.io/v1', [
          'action',
          'eventTime',
          'note',
          'reason',
          'regarding',
          'reportingController',
          'type',
        ]),
        involvedObject: about,
        reason,
        message,
        type,
        eventTime: microsText(core.now(), names.below(1000)),
        action,
        reportingComponent: by.component,
        reportingInstance: `${by.component}-${by.host ?? 'control-1'}`,
      });
    },
    noteAgain(event) {
      const before = newest(event);
      if (before === undefined) return core.create('Event', { ...event, metadata: freshMetadata(event) });
      const { count = 1 } = (before['series'] as { readonly count?: number } | undefined) ?? {};
      return core.update('Event', { ...before, series: { count: count + 1, lastObservedTime: microsText(core.now(), names.below(1000)) } });
    },
  };
}

/** Without what the server gave, so that it gives it anew. */
function freshMetadata({ metadata: { name, namespace, managedFields } }: PlainObject): PlainObject['metadata'] {
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
}
