// A digest every minute: what happened how often, the most frequent first.
import { type EventObject, events, type KubeTransport, type Runtime, toOccurrences } from 'kube-sluice';
import { simulatedCluster } from 'kube-sluice/testing';
import { bufferTime, filter, map, type Observable, of } from 'rxjs';

function digests(everyMs: number, transport: KubeTransport, runtime: Runtime): Observable<string> {
  return events({ namespace: '', startFrom: 'now' }, transport, of(false), runtime).pipe(
    toOccurrences(runtime),
    filter((item) => item.type === 'occurrence'),
    map((occurrence) => occurrence.read()),
    bufferTime(everyMs, runtime.scheduler), // The scheduler makes it testable, and this program quick.
    filter((happened) => happened.length > 0),
    map((happened) => [new Date(runtime.scheduler.now()).toISOString(), ...mostFrequent(happened, 3)].join('\n  ')),
  );
}

function mostFrequent(happened: readonly EventObject[], most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const { involvedObject, reason } of happened) {
    const what = `${reason} of ${involvedObject?.kind}s in ${involvedObject?.namespace}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([what, times], [other, otherTimes]) => otherTimes - times || (what < other ? -1 : 1));
  const rest = sorted.slice(most).reduce((sum, [, times]) => sum + times, 0);
  return [...sorted.slice(0, most).map(([what, times]) => `${times} x ${what}`), ...(rest > 0 ? [`${rest} x something else`] : [])];
}

const cluster = simulatedCluster({ pods: 30 });
digests(60_000, cluster.transport, cluster.runtime).subscribe((digest) => console.log(digest));
await cluster.live(3 * 60_000 + 1_000);
