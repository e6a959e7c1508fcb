// Only the warnings of one namespace, one line each. The server does the choosing, so little travels.
import { events, type KubeTransport, type Runtime, toOccurrences } from 'kube-sluice';
import { simulatedCluster } from 'kube-sluice/testing';
import { filter, map, type Observable, of } from 'rxjs';

function warnings(namespace: string, transport: KubeTransport, runtime: Runtime): Observable<string> {
  return events({ namespace, fieldSelector: 'type=Warning' }, transport, of(false), runtime).pipe(
    toOccurrences(runtime),
    filter((item) => item.type === 'occurrence'),
    map((occurrence) => occurrence.read()),
    map(({ involvedObject, reason, message, count }) => `${involvedObject?.name} ${reason} (${count ?? 1}): ${message}`),
  );
}

// Against a cluster of yours: kubeApi({}) as transport and liveRuntime(() => undefined) as runtime.
const cluster = simulatedCluster({ pods: 30 });
warnings('shop', cluster.transport, cluster.runtime).subscribe((line) => console.log(line));
await cluster.live(60_000);
