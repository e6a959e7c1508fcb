import { filter, Observable, of, take } from 'rxjs';
import { messageOf } from '../errors.ts';
import { burst } from '../model/burst.ts';
import { bookmark, type Change, type RelistStarted } from '../model/change.ts';
import type { ResourceVersion } from '../model/resourceVersion.ts';
import type { Answer, Frame, KubeRequest, KubeTransport, LineFrame } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import type { EndCause, Signal } from '../telemetry/signals.ts';
import { type Ended, endedByAnswer, type Outcome } from './outcome.ts';
import { type ListWatchSettings, readerLimits } from './readerSettings.ts';
import { silence } from './silence.ts';
import { type WatchLine, watchLine } from './watchLine.ts';

/** From where a watch starts: at a position, or with a list inside the stream. */
export type WatchStart = { readonly position: ResourceVersion } | { readonly bracket: RelistStarted };

/**
 * One watch, from its request to its end: changes, then exactly one outcome.
 * With `bracket` the server sends what it holds first (a streaming list): the objects up to the
 * bookmark that is annotated k8s.io/initial-events-end are `listed` and move no position.
 *
 * State: the position. Time: ends after the agreed timeout without a byte, and after a minute
 * of silence inside a bracket. Errors: every way to end is an outcome.
 * Source: KEP-3157 for streaming lists; DESIGN's reader rules are in docs/delivery.md.
 */
export function watchStream(
  settings: ListWatchSettings,
  start: WatchStart,
  transport: KubeTransport,
  runtime: Runtime,
): Observable<Change | Outcome> {
  return new Observable((subscriber) => {
    const { scheduler } = runtime;
    const timeoutMs = Math.round(readerLimits.watchMinMs + runtime.random() * (readerLimits.watchMaxMs - readerLimits.watchMinMs));
    const paused = settings.paused ?? of(false);
    let bracket = 'bracket' in start;
    let items = 0;
    let position = 'position' in start ? start.position : undefined;
    let openedAt: number | undefined;
    let pausedAt: number | undefined;
    let heard = false;
    let progressed = false;
    /** An object was told to be followed by another: if no other comes of the chunk, a bookmark must follow it. */
    let owesBookmark = false;

    const read = burst((times, bytes) => runtime.signal({ type: 'frameRead', source: settings.source, bytes, times }));

    const end = (cause: EndCause, fields: Partial<Ended> = {}): void => {
      const openMs = openedAt === undefined ? 0 : scheduler.now() - openedAt;
      const known = { ...(position === undefined ? {} : { position }), ...(pausedAt === undefined ? {} : { pausedAt }) };
      subscriber.next({ type: 'ended', cause, heard, progressed, openMs, ...known, ...fields });
      subscriber.complete();
    };
    const moveTo = (version: ResourceVersion): void => {
      position = version;
      progressed = true;
    };

    const onBookmark = (line: WatchLine & { type: 'bookmark' }): void => {
      if (line.resourceVersion === undefined || !settings.kinds.includes(line.kind)) return;
      if (!bracket) {
        moveTo(line.resourceVersion);
        subscriber.next(bookmark(line.resourceVersion));
      } else if (line.initialEventsEnd) {
        bracket = false;
        moveTo(line.resourceVersion);
        runtime.signal({ type: 'listDone', source: settings.source, resourceVersion: line.resourceVersion, items });
        subscriber.next({ type: 'relistDone', resourceVersion: line.resourceVersion });
        quiet.limit(timeoutMs + readerLimits.silenceGraceMs);
      }
    };

    const skip = (cause: SkipCause, bytes: number): void => runtime.signal({ type: 'frameSkipped', source: settings.source, cause, bytes });
    const onObject = ({ type, resourceVersion, body }: ObjectLine, followed: true | undefined): void => {
      const listed = bracket && type !== 'deleted';
      if (listed) items += 1;
      if (!bracket) moveTo(resourceVersion);
      owesBookmark = !bracket && followed === true;
      subscriber.next({ type: listed ? 'listed' : type, resourceVersion, body, followed });
    };
    const onLine = ({ bytes, followed }: LineFrame): void => {
      heard = true;
      quiet.heard();
      read.add(bytes.byteLength, followed);
      const line = watchLine(bytes, settings.lookAt);
      if (line.type === 'status') end(isExpired(line.status) ? 'expired' : 'status', statusFields(line.status));
      else if (line.type === 'strange') skip(line.cause, bytes.byteLength);
      else if (line.type === 'bookmark') onBookmark(line);
      else onObject(line, followed);
      if (owesBookmark && followed !== true && position !== undefined) {
        owesBookmark = false;
        subscriber.next(bookmark(position));
      }
    };
    const onOpened = (date: string | undefined): void => {
      openedAt = scheduler.now();
      quiet.heard();
      runtime.signal({ type: 'watchOpened', source: settings.source, resumeFrom: position ?? '' });
      if ('bracket' in start) subscriber.next(withDate(start.bracket, date, scheduler.now()));
    };
    const onAnswer = (answer: Answer): void => {
      const refusal = endedByAnswer(answer, scheduler.now());
      end(refusal.cause, refusal);
    };
    const onFrame = (frame: Frame): void => {
      switch (frame.type) {
        case 'opened':
          onOpened(frame.date);
          break;
        case 'line':
          onLine(frame);
          break;
        case 'oversized':
        case 'torn':
          heard = true;
          quiet.heard();
          skip(frame.type, frame.bytes);
          break;
        case 'answer':
          onAnswer(frame);
          break;
        case 'exhausted':
          subscriber.next({ type: 'exhausted' });
          subscriber.complete();
      }
    };

    const quiet = silence(bracket ? readerLimits.bracketSilenceMs : timeoutMs + readerLimits.silenceGraceMs, paused, runtime);
    runtime.signal({ type: 'attempted', source: settings.source });
    subscriber.add(read.end);
    subscriber.add(quiet.passed.subscribe(() => end('silent')));
    subscriber.add(
      paused.pipe(filter(Boolean), take(1)).subscribe(() => {
        pausedAt = scheduler.now();
      }),
    );
    subscriber.add(
      transport.stream(watchRequest(settings, start, timeoutMs), paused).subscribe({
        next: (frame) => subscriber.closed || onFrame(frame),
        error: (error: unknown) => end('broken', { message: messageOf(error) }),
        complete: () => end('closed'),
      }),
    );
  });
}

type SkipCause = (Signal & { readonly type: 'frameSkipped' })['cause'];
type ObjectLine = Extract<WatchLine, { readonly body: unknown }>;

function watchRequest(settings: ListWatchSettings, start: WatchStart, timeoutMs: number): KubeRequest {
  return {
    stream: settings.stream ?? settings.source,
    path: settings.path,
    accept: settings.acceptWatch ?? 'application/json',
    query: {
      ...settings.query,
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(Math.ceil(timeoutMs / 1000)),
      ...('position' in start ? { resourceVersion: start.position } : { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }),
    },
  };
}

/** The server's date if it tells one, else ours: a gap record needs one. */
function withDate(bracket: RelistStarted, date: string | undefined, nowMs: number): RelistStarted {
  const at = Date.parse(date ?? '');
  return { ...bracket, date: new Date(Number.isNaN(at) ? nowMs : at).toISOString() };
}

function isExpired(status: { readonly code?: number; readonly reason?: string }): boolean {
  return status.code === 410 || status.reason === 'Expired' || status.reason === 'Gone';
}

function statusFields(status: { readonly code?: number; readonly message?: string }): Partial<Ended> {
  return {
    ...(typeof status.code === 'number' ? { status: status.code } : {}),
    ...(typeof status.message === 'string' ? { message: status.message.slice(0, 300) } : {}),
  };
}
