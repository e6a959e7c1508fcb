import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  firstValueFrom,
  from,
  ignoreElements,
  interval,
  lastValueFrom,
  map,
  merge,
  NEVER,
  type Observable,
  ReplaySubject,
  race,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { Settings } from '../config/options.ts';
import type { Change } from '../model/change.ts';
import type { KubeTransport } from '../ports.ts';
import { liveRuntime, type Runtime } from '../runtime.ts';
import { events } from '../sources/events.ts';
import { pods } from '../sources/pods.ts';
import type { Signal } from '../telemetry/signals.ts';
import { kubeConfigFault } from '../transports/kubeTarget.ts';
import { pseudonyms } from '../transports/pseudonyms.ts';
import { record } from '../transports/record.ts';
import { headerLine, type RecordingHeader } from '../transports/recording.ts';
import { type RecordingWriter, recordingWriter } from '../transports/recordingWriter.ts';
import { redactFrame, redactHeader } from '../transports/redactFrame.ts';
import type { Command, CommandContext, Invocation } from './command.ts';
import type { ExitCode } from './exitCodes.ts';
import { type RecordProgress, recordProgress } from './recordProgress.ts';
import { kubeConfigSource } from './run.ts';

export const recordCommand: Command = {
  name: 'record',
  description: 'Record what the API server says about events and pods',
  examples: [
    ['$0 record --output incident.ndjson.gz --for 10m', 'Ten minutes, with what the server still holds'],
    ['$0 record --kubeconfig ~/.kube/config --namespace shop', 'One namespace, until interrupted'],
    ['$0 record --for 1h --event-field-selector type=Warning', 'An hour of warnings'],
    ['$0 record --for 10m --redact', 'For others to see: names and messages are replaced, their structure stays'],
  ],
  check: ({ settings, context }) => {
    const fault = kubeConfigFault(kubeConfigSource(settings, context));
    return [
      ...(fault === undefined ? [] : [`--kubeconfig must lead to usable credentials (${fault})`]),
      ...(existsSync(settings.output) ? [`--output must name a file that does not exist (got ${settings.output})`] : []),
    ];
  },
  run,
};

/** Signals that come with every frame and are not logged one by one. */
const frequent: ReadonlySet<Signal['type']> = new Set(['frameRead', 'attempted']);

async function run({ settings, context, log }: Invocation): Promise<ExitCode> {
  const { kubeApi } = await import('../transports/kubeApi.ts'); // Large; help and faults do without it.
  let told: RecordProgress | undefined;
  const runtime = liveRuntime((signal) => {
    if (!frequent.has(signal.type)) told?.clear();
    log(signal);
  });
  const transport = kubeApi(kubeConfigSource(settings, context), { userAgent: `kube-sluice/${context.version}` });
  const server = await serverOf(transport);
  const writer = recordingWriter(settings.output);
  const startedAt = new Date();
  const header = headerOf(settings, context, server, startedAt);
  // The key is nowhere but here: with it, names could be guessed and tried.
  const names = settings.redact ? pseudonyms(randomBytes(32), startedAt.getTime()) : undefined;
  writer.write(headerLine(names === undefined ? header : redactHeader(header, names)));
  told = recordProgress(settings, context, writer, runtime);
  const recorded = record(transport, told.write, runtime, names === undefined ? undefined : (frame) => redactFrame(frame, names));
  const end = merge(context.stops, settings.forMs > 0 ? timer(settings.forMs, runtime.scheduler) : NEVER).pipe(take(1));
  const ticks = interval(1_000, runtime.scheduler).pipe(tap(told.tick));
  try {
    await lastValueFrom(merge(readers(settings, recorded, writer, runtime), ticks, from(writer.closed)).pipe(takeUntil(end)), {
      defaultValue: undefined,
    });
    writer.close();
    await writer.closed;
  } finally {
    told.end();
  }
  return 0;
}

/**
 * Events are read when the pods are known, as in the pipeline, so that a replay finds them in this order;
 * a namespace whose pods cannot be listed delays them up to the limit.
 */
function readers(settings: Settings, transport: KubeTransport, { paused }: RecordingWriter, runtime: Runtime): Observable<never> {
  // A list of one item looks like a check of the version, in a recording too.
  const pageItems = settings.listerWatcherOptionsLimit === 1 ? 2 : settings.listerWatcherOptionsLimit;
  const namespaces = namespacesOf(settings);
  const missing = new Set(namespaces);
  const synced = new ReplaySubject<void>(1);
  const tellSynced = (namespace: string) => (change: Change) => {
    if (change.type === 'relistDone' && missing.delete(namespace) && missing.size === 0) synced.next();
  };
  const podChanges = namespaces.map((namespace) => pods({ namespace, pageItems }, transport, runtime).pipe(tap(tellSynced(namespace))));
  const { eventLabelSelector: labelSelector, eventFieldSelector: fieldSelector, startFrom } = settings;
  const eventChanges = namespaces.map((namespace) =>
    events({ namespace, pageItems, labelSelector, fieldSelector, startFrom }, transport, paused, runtime),
  );
  const first = race(synced, timer(settings.podSyncTimeoutMs, runtime.scheduler)).pipe(take(1));
  return merge(...podChanges, first.pipe(switchMap(() => merge(...eventChanges)))).pipe(ignoreElements());
}

function namespacesOf({ namespace }: Settings): readonly string[] {
  return namespace.length === 0 ? [''] : namespace;
}

function headerOf(settings: Settings, { version }: CommandContext, server: RecordingHeader['server'], startedAt: Date): RecordingHeader {
  return {
    format: 'kube-sluice recording',
    version: 1,
    startedAt: startedAt.toISOString(),
    recordedBy: `kube-sluice ${version}`,
    server,
    asked: { namespaces: namespacesOf(settings), labelSelector: settings.eventLabelSelector, fieldSelector: settings.eventFieldSelector },
  };
}

/** What /version answers; a server that keeps it to itself counts as an old one. */
export function serverOf(transport: KubeTransport): Promise<RecordingHeader['server']> {
  const unknown = { major: '1', minor: '0', gitVersion: 'unknown' };
  return firstValueFrom(
    transport.get({ stream: 'version', path: '/version', query: {}, accept: 'application/json' }).pipe(
      map((answer) => {
        if (answer.type === 'exhausted' || answer.status !== 200) return unknown;
        const { major, minor, gitVersion } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as Partial<RecordingHeader['server']>;
        return { major: major ?? unknown.major, minor: minor ?? unknown.minor, gitVersion: gitVersion ?? unknown.gitVersion };
      }),
    ),
  );
}
