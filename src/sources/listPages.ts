import { catchError, concat, concatMap, defer, EMPTY, map, Observable, of, repeat, timeout } from 'rxjs';
import { messageOf } from '../errors.ts';
import type { Body, Change, RelistCause } from '../model/change.ts';
import { jsonOf } from '../model/jsonOf.ts';
import { isBefore, type ResourceVersion } from '../model/resourceVersion.ts';
import type { Answer, KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { endedByAnswer, type Outcome, refused } from './outcome.ts';
import { type ListWatchSettings, readerLimits } from './readerSettings.ts';
import { isRecord, versionOf } from './watchLine.ts';

/** Why the list is made, and what was known before it. */
export interface ListStart {
  readonly cause: RelistCause;
  readonly position?: ResourceVersion;
  readonly unwatchedMs?: number;
}

interface Page {
  readonly resourceVersion: ResourceVersion;
  readonly date: string;
  readonly next: string;
  readonly items: readonly unknown[];
  /** Mean size of an item on the wire. */
  readonly itemBytes: number;
}

/**
 * Lists page by page: a bracket of changes, then exactly one outcome. All pages belong to the
 * first page's version; a continue token that has expired ends the attempt, because the token
 * that comes with that answer would mix two states. A version below the position means that the
 * store was restored from a backup: the bracket says so before its first item.
 *
 * State: one page. Time: none. Errors: outcomes.
 */
export function listPages(
  settings: ListWatchSettings,
  start: ListStart,
  transport: KubeTransport,
  runtime: Runtime,
): Observable<Change | Outcome> {
  return defer(() => {
    let bracket: Bracket | undefined;
    let token = '';
    let items = 0;
    const onPage = (page: Page): Observable<Change | Outcome> => {
      const opening = bracket === undefined ? [relistStarted(page, start)] : [];
      bracket ??= { resourceVersion: page.resourceVersion, listedAt: runtime.scheduler.now(), restored: isRestored(page, start) };
      items += page.items.length;
      token = page.next;
      const { resourceVersion, listedAt } = bracket;
      const closing = defer((): Observable<Change | Outcome> => {
        if (token !== '') return EMPTY;
        runtime.signal({ type: 'listDone', source: settings.source, resourceVersion, items });
        return of<(Change | Outcome)[]>({ type: 'relistDone', resourceVersion }, { type: 'listDone', resourceVersion, listedAt });
      });
      return concat(opening, gated(page, settings, runtime), closing);
    };
    const onFailure = (outcome: Outcome): Observable<Outcome> => {
      token = '';
      return of(outcome.type === 'ended' && bracket?.restored === true ? { ...outcome, restored: true } : outcome);
    };
    return defer(() => fetchPage(settings, pageQuery(settings, token), transport, runtime)).pipe(
      concatMap((page) => (isPage(page) ? onPage(page) : onFailure(page))),
      repeat({ delay: () => (token === '' ? EMPTY : of(token)) }),
    );
  });
}

interface Bracket {
  readonly resourceVersion: ResourceVersion;
  readonly listedAt: number;
  readonly restored: boolean;
}

function isRestored(page: Page, start: ListStart): boolean {
  return start.cause === 'restored' || (start.position !== undefined && isBefore(page.resourceVersion, start.position));
}

function relistStarted(page: Page, start: ListStart): Change {
  return {
    ...start,
    type: 'relistStarted',
    cause: isRestored(page, start) ? 'restored' : start.cause,
    resourceVersion: page.resourceVersion,
    date: page.date,
  };
}

function pageQuery(settings: ListWatchSettings, token: string): Readonly<Record<string, string>> {
  const limit = settings.pageItems ?? 1000;
  return { ...(limit > 0 ? { limit: String(limit) } : {}), ...(token === '' ? {} : { continue: token }) };
}

/** Asks for the store's version and nothing else: `LIST limit=1`, always served fresh. */
export function checkVersion(settings: ListWatchSettings, transport: KubeTransport, runtime: Runtime): Observable<Outcome> {
  return fetchPage(settings, { limit: '1' }, transport, runtime).pipe(
    map((page) => (isPage(page) ? { type: 'checked', resourceVersion: page.resourceVersion, date: page.date } : page)),
  );
}

function fetchPage(
  settings: ListWatchSettings,
  query: Readonly<Record<string, string>>,
  transport: KubeTransport,
  runtime: Runtime,
): Observable<Page | Outcome> {
  runtime.signal({ type: 'attempted', source: settings.source });
  return transport
    .get({
      stream: settings.stream ?? settings.source,
      path: settings.path,
      accept: settings.acceptList ?? 'application/json',
      query: { ...settings.query, ...query },
    })
    .pipe(
      map((answer) => (answer.type === 'exhausted' ? answer : pageOf(answer, runtime))),
      timeout({
        first: readerLimits.pageMs,
        scheduler: runtime.scheduler,
        with: () => of(refused({ cause: 'silent', message: 'no answer to a list' })),
      }),
      catchError((error: unknown) => of(refused({ cause: 'broken', message: messageOf(error) }))),
    );
}

function pageOf(answer: Answer, runtime: Runtime): Page | Outcome {
  const now = runtime.scheduler.now();
  if (answer.status !== 200) return endedByAnswer(answer, now);
  const list = jsonOf(answer.body);
  const resourceVersion = versionOf(list);
  if (!isRecord(list) || resourceVersion === undefined) {
    return refused({ cause: 'invalid', status: 200, message: 'the list carries no resourceVersion' });
  }
  const metadata = list['metadata'] as Readonly<Record<string, unknown>>;
  const items = Array.isArray(list['items']) ? (list['items'] as readonly unknown[]) : [];
  const kind = typeof list['kind'] === 'string' ? list['kind'].replace(/List$/, '') : '';
  const at = Date.parse(answer.date ?? '');
  return {
    resourceVersion,
    date: new Date(Number.isNaN(at) ? now : at).toISOString(),
    next: typeof metadata['continue'] === 'string' ? metadata['continue'] : '',
    items: items.map((item) => typed(item, kind, list['apiVersion'])),
    itemBytes: Math.ceil(answer.body.byteLength / Math.max(items.length, 1)),
  };
}

/** Items of a typed list carry no kind of their own; with it they equal the same revision on a watch. */
function typed(item: unknown, kind: string, apiVersion: unknown): unknown {
  return isRecord(item) && item['kind'] === undefined ? { kind, apiVersion, ...item } : item;
}

/**
 * Hands a page on, and holds its rest while the reader is paused. A loop of its own: a chain of operators
 * would go one call deeper with each item that had to wait, and a page is deeper than the stack.
 */
function gated(page: Page, settings: ListWatchSettings, runtime: Runtime): Observable<Change> {
  return new Observable((subscriber) => {
    let isPaused = false;
    let isHandingOn = false;
    let at = 0;
    const handOn = (): void => {
      if (isHandingOn) return; // What is handed on may pause and resume us before it is done.
      isHandingOn = true;
      while (!isPaused && !subscriber.closed && at < page.items.length) {
        const change = listed(page.items[at++], page.itemBytes, settings, runtime);
        if (change !== undefined) subscriber.next(change);
      }
      isHandingOn = false;
      if (at === page.items.length) subscriber.complete();
    };
    const paused = settings.paused ?? of(false);
    subscriber.add(
      paused.subscribe((now) => {
        isPaused = now;
        handOn();
      }),
    );
    handOn(); // Who has not been told to pause goes on.
  });
}

function listed(item: unknown, bytes: number, { source }: ListWatchSettings, runtime: Runtime): Change | undefined {
  const resourceVersion = versionOf(item);
  if (resourceVersion === undefined) {
    runtime.signal({ type: 'frameSkipped', source, cause: 'undecodable', bytes });
    return undefined;
  }
  const body: Body = { bytes, read: () => item };
  return { type: 'listed', resourceVersion, body };
}

function isPage(value: Page | Outcome): value is Page {
  return 'items' in value;
}
