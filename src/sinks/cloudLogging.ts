import { catchError, defer, map, mergeMap, type Observable, of, tap } from 'rxjs';
import { messageOf } from '../errors.ts';
import type { Entry } from '../model/entry.ts';
import type { LogWriter, Sink, SinkResult } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { clusterLabels, type EncodedEntry, encodeLogEntry, type LogCluster } from './encodeLogEntry.ts';
import { type LogAnswer, logAnswer } from './logAnswer.ts';
import { type PartResult, writeInParts } from './writeInParts.ts';

/** Which log, and what its entries say of the cluster. */
export interface CloudLoggingSettings {
  /** Whose entries they are. The project is also where they are written. */
  readonly cluster: LogCluster;
  /** Largest entry in bytes of JSON. The service allows 256 KB of its own form. Default 240,000. */
  readonly entryBytesMax?: number;
  /** Largest request in bytes. The service allows 10 MB. Default 9,000,000. */
  readonly requestBytesMax?: number;
}

type Encoded = Extract<EncodedEntry, { type: 'encoded' }>;

/** The log in the project, under the name that the Go exporter uses. */
const logId = 'events';
/** So often an entry fails alone, with nothing else stored, before the service is asked whether it takes any entry at all. */
const failuresAloneMax = 3;

/**
 * Writes entries to Google Cloud Logging with their insertId and time, so that what is sent twice is one in its query results.
 *
 * State: how often an entry failed alone. Time: none. Order: of calls; within a batch as given.
 * Errors: none; no answer is a result too. Each result follows from the answer: what it names by index as invalid is refused, what
 * it does not name is stored. A request refused without such names is halved until the entry that fails is alone: it is refused if
 * another of the batch was stored, else the request is taken to be at fault and sent again. At the third time an empty trial
 * (`dryRun`) decides: if the service accepts that one, the entries were at fault after all.
 * Source: cloud.google.com/logging/docs/reference/v2/rest/v2/entries/write, 2026-11.
 */
export function cloudLogging(settings: CloudLoggingSettings, writer: LogWriter, runtime: Runtime): Sink {
  const { cluster, entryBytesMax = 240_000, requestBytesMax = 9_000_000 } = settings;
  const encode = encodeLogEntry({ cluster, entryBytesMax });
  const logName = logNameOf(cluster);
  const failuresAlone = new WeakMap<Entry, number>();

  const post = (count: number, body: string): Observable<LogAnswer> =>
    writer.write(Buffer.from(body)).pipe(
      tap(({ status }) => runtime.signal({ type: 'requestAnswered', code: String(status) })),
      map((answer) => logAnswer(answer, count, runtime.scheduler.now())),
      catchError((error: unknown) => of<LogAnswer>({ type: 'retry', reason: messageOf(error) })),
    );
  const send = (encoded: readonly Encoded[]): Observable<LogAnswer> =>
    post(encoded.length, requestText(logName, encoded.map(({ text }) => text).join(',')));
  const acceptsAnything = (): Observable<boolean> =>
    post(1, trialText(cluster)).pipe(map((answer) => answer.type === 'results' && answer.results[0]?.type === 'stored'));

  const judged = (encoded: readonly Encoded[], parts: readonly PartResult[]): Observable<readonly SinkResult[]> => {
    const others = parts.some(({ type }) => type === 'stored' || type === 'refused');
    const timesAlone = parts.map((part, at) => (part.type === 'failedAlone' ? countUp(failuresAlone, encoded[at]?.entry) : 0));
    const hasFailedEnough = (at: number): boolean => (timesAlone[at] ?? 0) >= failuresAloneMax;
    const trial = !others && timesAlone.some((_, at) => hasFailedEnough(at)) ? acceptsAnything() : of(false);
    return trial.pipe(
      map((accepted) =>
        parts.map((part, at): SinkResult => {
          if (part.type !== 'failedAlone') return part;
          const isAtFault = others || (accepted && hasFailedEnough(at));
          return { type: isAtFault ? 'refused' : 'retry', reason: part.reason };
        }),
      ),
    );
  };

  return {
    identity: `cloud-logging ${logName}`,
    write: (batch) =>
      defer(() => {
        const all = batch.map(encode);
        const encoded = all.filter((each) => each.type === 'encoded');
        return writeInParts(encoded, requestBytesMax, send).pipe(
          mergeMap((parts) => judged(encoded, parts)),
          map((results) => inPlace(all, results)),
        );
      }),
  };
}

function countUp(counts: WeakMap<Entry, number>, entry: Entry | undefined): number {
  if (entry === undefined) return 0;
  const times = (counts.get(entry) ?? 0) + 1;
  counts.set(entry, times);
  return times;
}

/** The results of what was sent, between those of what could not be encoded. */
function inPlace(all: readonly EncodedEntry[], results: readonly SinkResult[]): readonly SinkResult[] {
  let at = 0;
  return all.map((each) => (each.type === 'refused' ? each : (results[at++] as SinkResult)));
}

function requestText(logName: string, entries: string): string {
  return `{"logName":${JSON.stringify(logName)},"partialSuccess":true,"entries":[${entries}]}`;
}

/** The body of a request that is checked like any other, and stores nothing. */
export function trialText(cluster: LogCluster): string {
  const resource = { type: 'k8s_cluster', labels: clusterLabels(cluster) };
  return JSON.stringify({
    logName: logNameOf(cluster),
    dryRun: true,
    entries: [{ severity: 'INFO', resource, jsonPayload: { kind: 'Trial' } }],
  });
}

function logNameOf({ project }: LogCluster): string {
  return `projects/${project}/logs/${logId}`;
}
