import {
  catchError,
  connect,
  defaultIfEmpty,
  defer,
  filter,
  finalize,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  take,
  takeUntil,
  tap,
  timeout,
} from 'rxjs';
import { messageOf } from '../errors.ts';
import type { PodMetadata } from '../model/kube.ts';
import type { Involved } from '../model/occurrence.ts';
import type { SlimPod } from '../model/owner.ts';
import { isAbout } from '../model/podIndex.ts';
import { slimPod } from '../model/slimPod.ts';
import type { Runtime } from '../runtime.ts';

/** How long and how often the API server is asked for single pods. */
export interface AskForPodsSettings {
  /** Questions under way at once. */
  readonly lookUpsMax: number;
  /** Questions that wait for their turn; one more is answered with `queueLimit`. */
  readonly queuedMax: number;
  /** Longest wait for one answer, in milliseconds. */
  readonly lookUpTimeoutMs: number;
}

/** Which pod does an event mean? */
export interface PodQuestion {
  readonly involved: Involved;
  /** Emits when no answer is wanted any more, also to whoever subscribes after that. */
  readonly settled: Observable<unknown>;
}

export interface PodAnswer<Q extends PodQuestion> {
  readonly question: Q;
  /** Absent: there is no such pod, or none was heard of for the cause given. */
  readonly pod?: SlimPod;
  readonly cause?: 'queueLimit' | 'failed';
  /** What went wrong, for the log. */
  readonly message?: string;
}

/** Emits the pod of that name, or undefined if there is none, and completes. */
export type LookUpPod = (namespace: string, name: string) => Observable<PodMetadata | undefined>;

/**
 * Asks the API server for the pods that are meant, few at once.
 *
 *     in   -abc----------|    with lookUpsMax = 1 and queuedMax = 1, and 4 ms to each answer
 *     out  ---z-x---y----|    x answers a, y answers b; c is one too many, z says so
 *
 * State: at most `lookUpsMax` questions under way and `queuedMax` queued. Time: `lookUpTimeoutMs` for each answer.
 * Order: that of the answers. Errors: those of the source are passed on, those of a question are its answer.
 * A pod of the right name is an answer only if it is the one that is meant, see `isAbout`. A question that is
 * settled meanwhile has no answer.
 */
export function askForPods<Q extends PodQuestion>(
  settings: AskForPodsSettings,
  lookUpPod: LookUpPod,
  runtime: Runtime,
): OperatorFunction<Q, PodAnswer<Q>> {
  const { lookUpsMax, queuedMax, lookUpTimeoutMs } = settings;
  return (source) =>
    defer(() => {
      let open = 0;

      const admit = (question: Q): { question: Q; isAdmitted: boolean } => {
        const isAdmitted = open < lookUpsMax + queuedMax;
        if (isAdmitted) open += 1;
        return { question, isAdmitted };
      };
      const ask = (question: Q): Observable<PodAnswer<Q>> =>
        defer(() => lookUpPod(question.involved.namespace, question.involved.name)).pipe(
          take(1),
          defaultIfEmpty(undefined),
          timeout({ first: lookUpTimeoutMs, scheduler: runtime.scheduler }),
          map((found) => (found === undefined ? undefined : slimPod(found))),
          map((pod): PodAnswer<Q> => (pod !== undefined && isAbout(pod, question.involved) ? { question, pod } : { question })),
          tap((answer) => runtime.signal({ type: 'ownerAsked', found: answer.pod !== undefined })),
          catchError((error: unknown) => of({ question, cause: 'failed' as const, message: messageOf(error) })),
          takeUntil(question.settled),
          finalize(() => {
            open -= 1;
          }),
        );

      return source.pipe(
        map(admit),
        connect((questions) =>
          merge(
            questions.pipe(
              filter(({ isAdmitted }) => isAdmitted),
              mergeMap(({ question }) => ask(question), lookUpsMax),
            ),
            questions.pipe(
              filter(({ isAdmitted }) => !isAdmitted),
              map(({ question }): PodAnswer<Q> => ({ question, cause: 'queueLimit' })),
            ),
          ),
        ),
      );
    });
}
