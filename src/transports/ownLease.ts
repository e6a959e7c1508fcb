import { concatMap, defer, EMPTY, ignoreElements, type Observable, of, Subject, startWith, switchMap, throwError, timer } from 'rxjs';
import { PipelineError } from '../errors.ts';
import { type BackoffSettings, fullJitter } from '../model/backoff.ts';
import { type LeaseContent, type LeaseObject, leaseTime, readLease, type ShardLease, withContent } from '../model/shardLease.ts';
import type { Runtime } from '../runtime.ts';
import { exclusively } from './exclusively.ts';
import type { LeaseAnswer, LeaseRequests } from './leaseRequests.ts';
import { untilEmits } from './untilEmits.ts';

/** Which lease, and who holds it. */
export interface OwnLeaseSettings {
  readonly app: string;
  readonly holder: string;
  /** Time from one write to the next renewal, in milliseconds. */
  readonly renewMs: number;
  /** After this long without a renewal others may take the lease, in milliseconds. */
  readonly silentMs: number;
  /** Between tries of a write whose outcome is not known. */
  readonly retry: BackoffSettings;
}

type Change = (content: LeaseContent) => Partial<LeaseContent>;

/** The lease of this process's shard, written by one request at a time. */
export interface OwnLease {
  /** Creates the lease, or takes it with the content that was found. Emits it, or only completes if that is not known. */
  take(object: LeaseObject, found?: LeaseContent): Observable<ShardLease>;
  /** Emits the lease once its change is written, however long that takes. Errors with SHARD_HELD if it is ours no more. */
  write(change: Change): Observable<ShardLease>;
  /** Renews it until unsubscribed or given up. Errors like `write`. */
  renewals(): Observable<never>;
  /** Writes that nobody holds it. From then on it is not renewed. */
  giveUp(): Observable<never>;
}

/**
 * State: the lease as last written or seen. Time: `renewMs`; full-jitter waits between tries.
 * At most three writes wait for each other: a renewal, a save, the giving up.
 * Every write names the version that it replaces and has a time of its own. After a conflict or an answer that
 * never came, the lease is read: if holder and token are ours, nobody has taken it, and what others changed stays.
 */
export function ownLease(settings: OwnLeaseSettings, requests: LeaseRequests, runtime: Runtime): OwnLease {
  const alone = exclusively();
  const renewed = new Subject<void>();
  let mine: ShardLease | undefined;
  let writes = 0;
  let givenUp = true;

  /** Never the same twice in a row: a renewal must be seen whatever the clock does. */
  const timeText = (): string => leaseTime(runtime.scheduler.now(), writes++ % 1000);
  const keep = (lease: LeaseObject): ShardLease => {
    const read = readLease(settings.app, lease);
    if (read === undefined) throw new Error(`not a lease of ${settings.app}: ${lease.metadata.name}`);
    mine = read;
    renewed.next();
    return read;
  };
  const send = (object: LeaseObject, content: LeaseContent): Observable<LeaseAnswer> => {
    const lease = withContent(settings.app, object, content, settings.silentMs);
    return lease.metadata.resourceVersion === undefined ? requests.create(lease) : requests.replace(lease);
  };
  const written = (change: Change): Observable<ShardLease> => {
    let [failures, waitMs, asks, sentTime] = [0, 0, false, ''];
    const later = (reason?: string): Observable<never> => {
      failures += 1;
      asks = true;
      waitMs = reason === undefined && failures === 1 ? 0 : fullJitter(failures, settings.retry, () => runtime.random());
      if (reason !== undefined) runtime.signal({ type: 'claimRetrying', reason, attempt: failures, waitMs });
      return EMPTY;
    };
    const write = (from: ShardLease): Observable<ShardLease> => {
      sentTime = timeText();
      return send(from.object, { ...from.content, renewedAt: sentTime, ...change(from.content) }).pipe(
        concatMap((answer) => {
          if (answer.type === 'lease') return of(keep(answer.lease));
          return answer.type === 'conflict' ? later() : failed(answer, later, from);
        }),
      );
    };
    const ask = (from: ShardLease): Observable<ShardLease> =>
      requests.get(from.name).pipe(
        concatMap((answer) => {
          if (answer.type !== 'lease') return failed(answer, later, from);
          const seen = readLease(settings.app, answer.lease);
          if (seen === undefined || !isStillOurs(seen, from, settings.holder)) return taken(from, seen);
          const wasDone = seen.content.renewedAt === sentTime;
          [asks, waitMs] = [false, failures > 1 ? waitMs : 0];
          mine = seen;
          return wasDone ? of(keep(answer.lease)) : EMPTY;
        }),
      );
    const step = (): Observable<ShardLease> => {
      if (mine === undefined) throw new PipelineError('SHARD_HELD', 'the shard has not been taken');
      return asks ? ask(mine) : write(mine);
    };
    return untilEmits(step, () => waitMs, runtime);
  };
  const renewal = alone(defer(() => (givenUp ? EMPTY : written(() => ({})))));

  return {
    take(object, found = { holder: '', token: 0, state: 'waiting', checkpoint: undefined, acquiredAt: undefined, renewedAt: undefined }) {
      const take = defer(() => {
        const time = timeText();
        return send(object, { ...found, holder: settings.holder, token: found.token + 1, acquiredAt: time, renewedAt: time });
      });
      return alone(take).pipe(
        concatMap((answer) => {
          if (answer.type === 'refused') return throwError(() => answer.error);
          if (answer.type !== 'lease') return EMPTY; // Whether it was done shows when the lease is read again.
          givenUp = false;
          return of(keep(answer.lease));
        }),
      );
    },
    write: (change) => alone(defer(() => written(change))),
    renewals: () =>
      renewed.pipe(
        startWith(undefined),
        switchMap(() => timer(settings.renewMs, runtime.scheduler)),
        concatMap(() => renewal),
        ignoreElements(),
      ),
    giveUp: () =>
      defer(() => {
        if (givenUp) return EMPTY;
        givenUp = true;
        return alone(defer(() => written(() => ({ holder: '' }))));
      }).pipe(ignoreElements()),
  };
}

/** Whoever takes a lease, or takes it away, changes its token. */
function isStillOurs(seen: ShardLease, before: ShardLease, holder: string): boolean {
  return seen.uid === before.uid && seen.content.holder === holder && seen.content.token === before.content.token;
}

/** What has once been allowed may be allowed again; a lease that was deleted is nobody's. */
function failed(answer: LeaseAnswer, later: (reason: string) => Observable<never>, { name }: ShardLease): Observable<never> {
  switch (answer.type) {
    case 'unknown':
      return later(answer.reason);
    case 'refused':
      return answer.error.code === 'LEASES_FORBIDDEN' ? later(answer.error.message) : throwError(() => answer.error);
    case 'missing':
      return throwError(() => new PipelineError('SHARD_HELD', `lease ${name} was deleted, so the shard is not ours any more`));
    default:
      return later(`an answer to another question: ${answer.type}`);
  }
}

function taken({ name, content }: ShardLease, seen: ShardLease | undefined): Observable<never> {
  const holder = seen?.content.holder ?? '';
  const tokens = `its token is ${seen?.content.token}, ours was ${content.token}`;
  return throwError(() => new PipelineError('SHARD_HELD', `lease ${name} is held by ${holder === '' ? 'nobody' : holder} now (${tokens})`));
}
