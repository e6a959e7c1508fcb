import { jsonOf } from '../model/jsonOf.ts';
import { isStatus } from '../model/kube.ts';
import type { ResourceVersion } from '../model/resourceVersion.ts';
import { retryAfterMs } from '../model/retryAfter.ts';
import type { AnswerHead } from '../ports.ts';
import type { EndCause } from '../telemetry/signals.ts';

/** How an attempt to list or watch ended, for the reader's next step. */
export interface Ended {
  readonly type: 'ended';
  readonly cause: EndCause;
  readonly status?: number;
  /** How long the server asked us to wait. */
  readonly retryAfterMs?: number;
  readonly message?: string;
  /** The position at the end; absent while a first list is not done. */
  readonly position?: ResourceVersion;
  /** A line was received. */
  readonly heard: boolean;
  /** An object or bookmark was received outside of a list. */
  readonly progressed: boolean;
  /** Milliseconds since the answer's head. Zero: refused. */
  readonly openMs: number;
  /** When reading paused first in this attempt, in milliseconds since 1970: from then on what came had to wait. Absent: it never did. */
  readonly pausedAt?: number;
  /** The bracket that this attempt opened began a new incarnation. */
  readonly restored?: boolean;
}

/** The reader's outcomes. `checked`: L of a `LIST limit=1`; `listDone`: a list by pages is done, whose version was the newest at `listedAt`. */
export type Outcome =
  | Ended
  | { readonly type: 'checked'; readonly resourceVersion: ResourceVersion; readonly date: string }
  | { readonly type: 'listDone'; readonly resourceVersion: ResourceVersion; readonly listedAt: number }
  | { readonly type: 'exhausted' };

/** An attempt that got no further than its answer's head or not even there. */
export function refused(fields: Partial<Ended> & Pick<Ended, 'cause'>): Ended {
  return { type: 'ended', heard: false, progressed: false, openMs: 0, ...fields };
}

/** An answer that is not 200, as the end that it is. */
export function endedByAnswer(answer: AnswerHead & { readonly body: Uint8Array }, nowMs: number): Ended {
  const waitMs = retryAfterMs(answer.retryAfter, nowMs);
  return refused({
    cause: answer.status === 410 ? 'expired' : 'status',
    status: answer.status,
    message: statusMessage(answer.body) ?? `HTTP ${answer.status}`,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
}

/** Nothing for what is no Status: proxies answer in HTML, and the number says enough. */
function statusMessage(body: Uint8Array): string | undefined {
  const value = jsonOf(body);
  return isStatus(value) && typeof value.message === 'string' ? value.message.slice(0, 300) : undefined;
}
