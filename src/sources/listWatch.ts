import { concatMap, defer, filter, map, type Observable, of, repeat, takeWhile, timer } from 'rxjs';
import { type Bookmark, bookmark, type Change, type RelistStarted } from '../model/change.ts';
import { isDecimal } from '../model/resourceVersion.ts';
import type { Exhausted, KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { checkVersion, listPages } from './listPages.ts';
import type { Outcome } from './outcome.ts';
import type { ListWatchSettings } from './readerSettings.ts';
import { firstReader, nextReader, type Reader, type ReaderState } from './readerState.ts';
import { serverStreamsLists } from './serverVersion.ts';
import { watchStream } from './watchStream.ts';

/**
 * Reads one kind for ever: lists what the server holds, watches from there, resumes after every
 * end, and lists again when the position has expired.
 *
 *     answers  list a b | watch c, end | watch 410 | list b' d | watch ...
 *     out      s-a-b-d----c--------------s-b'-d-d---...    s relist started, d relist done
 *
 * State: the position, counters, and one attempt at a time. Time: full-jitter backoff from 0.8 s to
 * 30 s between attempts, Retry-After up to 60 s; a watch is asked to end after 5 to 10 minutes and
 * closed 15 s later if it is silent. Order: the server's. Errors: none; every failure is retried.
 * Completes only when the transport is exhausted (a replay at its end). `T` is the kind that `path` serves,
 * as the caller knows it: `listWatch<Deployment>(...)`.
 * Source: API concepts of Kubernetes on resource versions, 410 and bookmarks.
 */
export function listWatch<T = unknown>(settings: ListWatchSettings, transport: KubeTransport, runtime: Runtime): Observable<Change<T>> {
  return defer(() => {
    let reader = firstReader(settings);
    const tell = teller(settings, runtime);
    const streams = serverStreamsLists(settings, transport, runtime);
    const outputs = defer(() => attempt(reader, settings, streams, transport, runtime));
    return outputs.pipe(
      map((output) => {
        if (!isOutcome(output)) return output;
        const before = reader;
        reader = nextReader(before, output, settings, runtime);
        tell(before, reader, output);
        return passedOn(before.state, output);
      }),
      filter((output) => output !== undefined),
      repeat({ delay: () => timer(reader.waitMs, runtime.scheduler) }),
      takeWhile((output): output is Change<T> => output.type !== 'exhausted'),
    );
  });
}

/** One attempt: some changes, then exactly one outcome. */
function attempt(
  reader: Reader,
  settings: ListWatchSettings,
  streams: Observable<boolean>,
  transport: KubeTransport,
  runtime: Runtime,
): Observable<Change | Outcome> {
  const { state } = reader;
  switch (state.type) {
    case 'finding':
    case 'checking':
      return checkVersion(settings, transport, runtime);
    case 'watching':
      return watchStream(settings, { position: state.position }, transport, runtime);
    case 'listing': {
      const start = listStart(reader, state, runtime);
      const pagesOnly = state.pagesOnly === true || (settings.relistByPages === true && state.position !== undefined);
      return (pagesOnly ? of(false) : streams).pipe(
        concatMap((stream) => {
          runtime.signal({ type: 'listStarted', source: settings.source, cause: state.cause, by: stream ? 'stream' : 'pages' });
          return stream ? watchStream(settings, { bracket: start }, transport, runtime) : listPages(settings, start, transport, runtime);
        }),
      );
    }
  }
}

function listStart(reader: Reader, state: ReaderState & { type: 'listing' }, runtime: Runtime): RelistStarted {
  return {
    type: 'relistStarted',
    cause: state.cause,
    ...(state.position === undefined ? {} : { position: state.position }),
    ...(reader.watchedAt === undefined ? {} : { unwatchedMs: runtime.scheduler.now() - reader.watchedAt }),
  };
}

/** A fresh start from now tells its position at once, so that it is stored before the first delivery. */
function passedOn(state: ReaderState, outcome: Outcome): Bookmark | Exhausted | undefined {
  if (outcome.type === 'exhausted') return outcome;
  return state.type === 'finding' && outcome.type === 'checked' ? bookmark(outcome.resourceVersion) : undefined;
}

/** Turns outcomes into signals. */
function teller(settings: ListWatchSettings, runtime: Runtime): (before: Reader, after: Reader, outcome: Outcome) => void {
  const { source } = settings;
  let opaqueTold = false;
  const tellOpaque = (version: string | undefined): void => {
    if (opaqueTold || version === undefined || isDecimal(version)) return;
    opaqueTold = true;
    runtime.signal({ type: 'versionOpaque', source, resourceVersion: version });
  };
  return (before, after, outcome) => {
    if (outcome.type === 'exhausted') return;
    tellOpaque(outcome.type === 'ended' ? outcome.position : outcome.resourceVersion);
    if (outcome.type === 'checked') {
      if (before.state.type === 'checking' && after.state.type === 'listing') {
        runtime.signal({ type: 'storeRestored', source, position: before.state.position, resourceVersion: outcome.resourceVersion });
      }
      return;
    }
    if (outcome.type === 'listDone') return;
    const status = outcome.status === undefined ? {} : { status: outcome.status };
    if (after.listFailures > before.listFailures) {
      const message = outcome.message ?? `ended: ${outcome.cause}`;
      runtime.signal({
        type: 'listFailed',
        source,
        cause: outcome.cause,
        ...status,
        failures: after.listFailures,
        waitMs: after.waitMs,
        message,
      });
    } else {
      const resumeFrom = 'position' in after.state ? (after.state.position ?? '') : '';
      const message = outcome.message === undefined ? {} : { message: outcome.message };
      runtime.signal({ type: 'watchEnded', source, cause: outcome.cause, ...status, resumeFrom, waitMs: after.waitMs, ...message });
    }
  };
}

function isOutcome(output: Change | Outcome): output is Outcome {
  return output.type === 'ended' || output.type === 'checked' || output.type === 'listDone' || output.type === 'exhausted';
}
