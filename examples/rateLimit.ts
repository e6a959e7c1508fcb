// At most two lines a minute about one object, then how many more there were. Nothing is left out in silence.
import { events, type KubeTransport, type Occurrence, type Runtime, toOccurrences } from 'kube-sluice';
import { simulatedCluster } from 'kube-sluice/testing';
import { count, filter, groupBy, map, merge, mergeMap, type Observable, type OperatorFunction, of, skip, take, timer } from 'rxjs';

function limited(most: number, everyMs: number, runtime: Runtime): OperatorFunction<Occurrence, string> {
  return (occurrences) =>
    occurrences.pipe(
      // A group ends when its time is over, so that no object is remembered for ever.
      groupBy(({ involved: { namespace, name } }) => `${namespace}/${name}`, { duration: () => timer(everyMs, runtime.scheduler) }),
      mergeMap((about) =>
        merge(
          about.pipe(
            take(most),
            map((occurrence) => `${about.key} ${occurrence.read().reason}`),
          ),
          about.pipe(
            skip(most),
            count(),
            filter((more) => more > 0),
            map((more) => `${about.key} and ${more} more`),
          ),
        ),
      ),
    );
}

function lines(transport: KubeTransport, runtime: Runtime): Observable<string> {
  return events({ namespace: 'shop' }, transport, of(false), runtime).pipe(
    toOccurrences(runtime),
    filter((item) => item.type === 'occurrence'),
    limited(2, 60_000, runtime),
  );
}

const cluster = simulatedCluster({ pods: 30 });
lines(cluster.transport, cluster.runtime).subscribe((line) => console.log(line));
await cluster.live(75_000);
