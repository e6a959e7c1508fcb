// An operator of one's own: ownOperator.ts uses it, and keepReasons.test.ts is its specification.
import { bookmark, type Item, type Runtime } from 'kube-sluice';
import { type MonoTypeOperatorFunction, map } from 'rxjs';

/**
 * Passes control items and the occurrences with one of these reasons; turns the rest into bookmarks, so that the position moves on.
 *
 *     in   -a-b-m-c-|    a and c are BackOff, b is Pulled; m is a bookmark
 *     out  -a-m-m-c-|    with reasons = ['BackOff']
 *
 * State: none. Time: none. Order: kept. Errors: passed on.
 */
export function keepReasons(reasons: readonly string[], runtime: Runtime): MonoTypeOperatorFunction<Item> {
  return map((item) => {
    if (item.type !== 'occurrence' || reasons.includes(item.read().reason ?? '')) return item;
    runtime.signal({ type: 'filtered' });
    return bookmark(item.resourceVersion);
  });
}
