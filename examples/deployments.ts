// Another kind than Events: follow the Deployments of a namespace. The reader is the same one, with the same care.
import { type Change, type KubeObject, type KubeTransport, listWatch, type Runtime } from 'kube-sluice';
import { simulatedCluster } from 'kube-sluice/testing';
import { concatMap, defer, distinctUntilChanged, groupBy, map, mergeMap, type Observable, type OperatorFunction } from 'rxjs';

/** What this program reads of one; a custom resource is told in the same way. */
interface Deployment extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number };
}

function readiness(namespace: string, transport: KubeTransport, runtime: Runtime): Observable<string> {
  const settings = { source: 'deployments', path: `/apis/apps/v1/namespaces/${namespace}/deployments`, kinds: ['Deployment'] };
  return listWatch<Deployment>(settings, transport, runtime).pipe(
    existing(),
    groupBy(({ name }) => name),
    mergeMap((one) =>
      one.pipe(
        map(({ object }) =>
          object === undefined ? 'is gone' : `has ${object.status?.readyReplicas ?? 0} of ${object.spec?.replicas ?? 1} ready`,
        ),
        distinctUntilChanged(),
        map((text) => `${one.key} ${text}`),
      ),
    ),
  );
}

/** Each object by its name, without the object when it is gone. A list tells that by leaving it out. State: the names. */
function existing<T extends KubeObject>(): OperatorFunction<Change<T>, { readonly name: string; readonly object?: T }> {
  return (changes) =>
    defer(() => {
      const known = new Set<string>();
      let unseen = new Set<string>();
      return changes.pipe(
        concatMap((change) => {
          if (change.type === 'bookmark') return [];
          if (change.type === 'relistStarted') {
            unseen = new Set(known);
            return [];
          }
          if (change.type === 'relistDone') {
            for (const name of unseen) known.delete(name);
            return [...unseen].map((name) => ({ name }));
          }
          const object = change.body.read();
          const { name = '' } = object.metadata;
          unseen.delete(name);
          if (change.type === 'deleted') known.delete(name);
          else known.add(name);
          return [change.type === 'deleted' ? { name } : { name, object }];
        }),
      );
    });
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
// It breaks again, and the next watch is told that its history is gone (410): the reader lists.
server.endStreams('reset');
server.faults.next({ stream: 'deployments', on: 'watch' }, { type: 'expired' });
write('web', 5, 5);
server.remove('Deployment', 'shop', 'worker');
await live(30_000);
