import { concatMap, defer, EMPTY, from, map, type Observable, throwError, toArray } from 'rxjs';
import { fullJitter } from '../model/backoff.ts';
import { type Checkpoint, type CheckpointMeaning, checkMeaning, checkpointFormat } from '../model/checkpoint.ts';
import { checkpointText } from '../model/checkpointText.ts';
import { claimsOf, inheritance } from '../model/claims.ts';
import { nextStep, supersededState } from '../model/handover.ts';
import { type LeaseObject, readLease, type ShardLease, withContent } from '../model/shardLease.ts';
import type { Runtime } from '../runtime.ts';
import type { LeaseAnswer, LeaseRequests } from './leaseRequests.ts';
import type { FullLeaseStoreSettings } from './leaseStoreSettings.ts';
import { leaseWatch } from './leaseWatch.ts';
import type { OwnLease } from './ownLease.ts';
import { storedIn } from './storedIn.ts';
import { untilEmits } from './untilEmits.ts';

/** Longest wait before another look when leases were written by others meanwhile. */
const conflictMsMax = 200;

/**
 * Waits until no shard of another map can deliver any more, takes over what they claim, and writes that, with the
 * right to deliver, into the own lease. Emits the checkpoint to start from, or undefined if there is nothing to go on from.
 *
 * Call it when the own lease is held: who looks for others must have announced itself first.
 * Time: looks every `lookMs` while it waits; full-jitter waits while nobody answers. Errors: checkpoints of other
 * settings; the lease lost; denied access.
 * A crash between any two requests leaves a state from which the next start goes on: superseding twice changes
 * nothing, and the last write makes the right and its start visible in one.
 */
export function takeOver(
  settings: FullLeaseStoreSettings,
  meaning: CheckpointMeaning,
  requests: LeaseRequests,
  own: OwnLease,
  runtime: Runtime,
): Observable<Checkpoint | undefined> {
  return defer(() => {
    const watch = leaseWatch(settings, runtime);
    let [waitMs, failures, told] = [0, 0, false];
    const failed = (reason: string): Observable<never> => {
      failures += 1;
      waitMs = fullJitter(failures, settings.retry, () => runtime.random());
      runtime.signal({ type: 'claimRetrying', reason, attempt: failures, waitMs });
      return EMPTY;
    };
    const supersede = (lease: ShardLease): Observable<LeaseAnswer> => requests.replace(superseded(lease, settings));
    const look = (leases: readonly ShardLease[]): Observable<Checkpoint | undefined> => {
      const stored = settings.reset ? [] : storedWithin(leases, meaning);
      const step = nextStep(meaning.shard, watch.see(leases));
      switch (step.type) {
        case 'wait':
          if (!told) runtime.signal({ type: 'shardWaiting', cause: 'otherMap', claim: step.for.name, holder: step.for.content.holder });
          told = true;
          failures = 0;
          waitMs = watch.waitMs();
          return EMPTY;
        case 'supersede':
          return from(step.leases).pipe(
            concatMap(supersede),
            toArray(),
            concatMap((answers) => {
              const unknown = answers.find((answer) => answer.type === 'unknown');
              if (unknown !== undefined) return failed(unknown.reason);
              const isDone = answers.every((answer) => answer.type === 'lease');
              waitMs = isDone ? 0 : conflictMsMax * runtime.random(); // Others do the same just now.
              return EMPTY;
            }),
          );
        case 'enter': {
          const start = startOf(meaning, stored);
          const checkpoint = start === undefined ? undefined : checkpointText(start);
          return own.write(() => ({ state: 'current', checkpoint })).pipe(map(() => start));
        }
      }
    };
    const again = (): Observable<Checkpoint | undefined> =>
      requests.list().pipe(
        concatMap((answer) => {
          if (answer.type === 'leases') return look(leasesOf(settings.app, answer.leases));
          if (answer.type === 'refused') return throwError(() => answer.error);
          watch.missed();
          return failed(answer.type === 'unknown' ? answer.reason : `an answer to another question: ${answer.type}`);
        }),
      );
    return untilEmits(again, () => waitMs, runtime);
  });
}

/** Those of the app, whatever else carries its label. */
export function leasesOf(app: string, objects: readonly LeaseObject[]): readonly ShardLease[] {
  return objects.map((object) => readLease(app, object)).filter((lease) => lease !== undefined);
}

/** The checkpoints that others and we have left. They are claims about one sink and one choice of events, or none at all. */
function storedWithin(leases: readonly ShardLease[], { selectors, sink }: CheckpointMeaning): readonly Checkpoint[] {
  return leases.flatMap((lease) => {
    const stored = storedIn(lease);
    if (stored === undefined) return [];
    checkMeaning(stored, { shard: lease.shard, selectors, sink });
    return [stored];
  });
}

function startOf(meaning: CheckpointMeaning, stored: readonly Checkpoint[]): Checkpoint | undefined {
  const start = inheritance(meaning.shard, claimsOf(stored));
  if (start === undefined) return undefined;
  const { positions, inherited } = start;
  return { format: checkpointFormat, ...meaning, positions, ...(inherited.length === 0 ? {} : { inherited }) };
}

function superseded({ object, content }: ShardLease, { app, silentMs }: FullLeaseStoreSettings): LeaseObject {
  const state = supersededState(content.state);
  return withContent(app, object, { ...content, holder: '', token: content.token + 1, state }, silentMs);
}
