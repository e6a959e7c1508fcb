import { defer, last, map, type Observable, of, repeat, takeWhile, tap } from 'rxjs';
import type { SinkResult } from '../ports.ts';
import type { LogAnswer } from './logAnswer.ts';

/** `failedAlone`: its request held nothing else, and the answer did not say what was wrong. */
export type PartResult = SinkResult | { readonly type: 'failedAlone'; readonly reason: string };

export interface Sized {
  readonly bytes: number;
}

/**
 * Sends items in as few requests as the limit allows, one after the other, and finds the bad ones: a request that is refused
 * without a word on its items is halved until the item that fails is alone.
 *
 * State: the parts that are left. Time: none. Order: kept. Errors: those of `send` are passed on.
 * An answer that asks for patience ends the work: what is left is answered alike, without a request.
 */
export function writeInParts<T extends Sized>(
  items: readonly T[],
  requestBytesMax: number,
  send: (items: readonly T[]) => Observable<LogAnswer>,
): Observable<readonly PartResult[]> {
  if (items.length === 0) return of([]);
  return defer(() => {
    const results: PartResult[] = [];
    // A stack, its end is next: halves take the place of their whole, so results come in order.
    const parts = partsOf(items, requestBytesMax).toReversed();

    const take = (part: readonly T[], answer: LogAnswer): void => {
      if (answer.type === 'results') results.push(...answer.results);
      else if (answer.type === 'retry') while (results.length < items.length) results.push(answer);
      else if (part.length === 1) results.push({ type: 'failedAlone', reason: answer.reason });
      else parts.push(part.slice(part.length >> 1), part.slice(0, part.length >> 1));
    };

    return defer(() => {
      const part = parts.pop() ?? [];
      return send(part).pipe(tap((answer) => take(part, answer)));
    }).pipe(
      repeat(),
      takeWhile(() => results.length < items.length, true),
      last(),
      map(() => results),
    );
  });
}

function partsOf<T extends Sized>(items: readonly T[], bytesMax: number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    // One more for the comma.
    bytes += item.bytes + 1;
    if (bytes > bytesMax) {
      parts.push([]);
      bytes = item.bytes + 1;
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}
