// Another kind than Events: follow the Deployments of a namespace. The reader is the same one, with the same care.
import { type KubeObject, type KubeTransport, listWatch, type Runtime } from 'kube-sluice';
import { simulatedCluster } from 'kube-sluice/testing';
import { concatMap, distinctUntilChanged, groupBy, map, mergeMap, type Observable } from 'rxjs';

/** What this program reads of one; a custom resource is told in the same way. */
interface Deployment extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number };
}

function readiness(namespace: string, transport: KubeTransport, runtime: Runtime): Observable<string> {
  const settings = { source: 'deployments', path: `/apis/apps/v1/namespaces/${namespace}/deployments`, kinds: ['Deployment'] };
  return listWatch<Deployment>(settings, transport, runtime).pipe(
    concatMap((change) => ('body' in change ? [{ type: change.type, object: change.body.read() }] : [])),
    groupBy(({ object }) => object.metadata.name),
    mergeMap((one) =>
      one.pipe(
        map(({ type, object: { spec, status } }) =>
          type === 'deleted' ? 'is gone' : `has ${status?.readyReplicas ?? 0} of ${spec?.replicas ?? 1} ready`,
        ),
        distinctUntilChanged(),
        map((text) => `${one.key} ${text}`),
      ),
    ),
  );
}

const { server, transport, runtime, live } = simulatedCluster({ stepMs: 0 });
const write = (name: string, replicas: number, readyReplicas: number): void => {
  const object: Deployment = { metadata: { namespace: 'shop', name }, spec: { replicas }, status: { readyReplicas } };
  if (server.read('Deployment', 'shop', name) === undefined) server.create('Deployment', object);
  else server.update('Deployment', object);
};

write('web', 3, 3);
readiness('shop', transport, runtime).subscribe((line) => console.log(line));
await live(1_000);
write('web', 5, 3);
await live(1_000);
server.endStreams('reset'); // The connection breaks, and what comes meanwhile is not missed.
write('web', 5, 4);
write('worker', 1, 0);
await live(5_000);
server.compact(); // The history is gone: the reader lists again, and says only what is new.
server.endStreams('close');
write('web', 5, 5);
server.remove('Deployment', 'shop', 'worker');
await live(30_000);
