// Compiled by compositions.test.ts. A line below a `wrong:` comment must not compile, and the error must say so in these words.
import {
  batch,
  type Change,
  type EventObject,
  emitTo,
  events,
  type Item,
  joinLabels,
  type KubeTransport,
  keepShard,
  listWatch,
  lookUpPod,
  type Outgoing,
  type OwnerChange,
  type PodMetadata,
  pipeline,
  pods,
  type Runtime,
  type Sink,
  slimOwners,
  stopReading,
  toEntries,
  toOccurrences,
  trackCheckpoint,
} from 'kube-sluice';
import { memory, noStore } from 'kube-sluice/testing';
import { filter, map, NEVER, type Observable, of, Subject } from 'rxjs';
import { expectTypeOf } from 'vitest';

declare const transport: KubeTransport;
declare const runtime: Runtime;
const shard = { index: 0, total: 1 };
const reading = events({ namespace: '' }, transport, of(false), runtime);
const podsRead = pods({ namespace: '' }, transport, runtime);
const items = reading.pipe(toOccurrences(runtime), keepShard(shard, runtime));

// Types are inferred from the source to the sink.
expectTypeOf(reading).toEqualTypeOf<Observable<Change<EventObject>>>();
expectTypeOf(podsRead).toEqualTypeOf<Observable<Change<PodMetadata>>>();
expectTypeOf(items).toEqualTypeOf<Observable<Item>>();
expectTypeOf(podsRead.pipe(slimOwners({ scope: '', shard, systemNamespaces: [] }, runtime))).toEqualTypeOf<Observable<OwnerChange>>();
expectTypeOf(
  items.pipe(
    filter((item) => item.type === 'occurrence'),
    map((item) => item.read()),
  ),
).toEqualTypeOf<Observable<EventObject>>();
expectTypeOf(of(1).pipe(batch({ itemsMax: 2, flushMs: 1 }, runtime))).toEqualTypeOf<Observable<readonly number[]>>();

interface Deployment {
  readonly metadata: { readonly name: string };
}
const deployments = listWatch<Deployment>(
  { source: 'deployments', path: '/apis/apps/v1/deployments', kinds: ['Deployment'] },
  transport,
  runtime,
);
expectTypeOf(deployments).toEqualTypeOf<Observable<Change<Deployment>>>();

// By hand as pipeline() does it.
const owners = podsRead.pipe(slimOwners({ scope: '', shard, systemNamespaces: [] }, runtime));
const byName = (namespace: string, name: string): Observable<PodMetadata | undefined> => lookUpPod(namespace, name, transport);
items
  .pipe(
    map((item) => ({ scope: '', item })),
    stopReading({ listEndMs: 10 }, NEVER, runtime),
    trackCheckpoint(
      { start: {}, inFlightMax: 10, inFlightBytesMax: 10 },
      (slots) =>
        slots.pipe(
          joinLabels({ scopes: [''] }, owners, byName, runtime),
          toEntries({}, runtime),
          batch<Outgoing>({ itemsMax: 10, flushMs: 0 }, runtime),
          emitTo(memory(), { batchesMax: 1 }, runtime),
        ),
      new Subject<boolean>(),
      runtime,
    ),
  )
  .subscribe((positions) => expectTypeOf(positions['']?.at).toEqualTypeOf<string | undefined>());

// wrong: is not assignable to type '"Event"'
podsRead.pipe(toOccurrences(runtime));

// wrong: Type '"Event"' is not assignable to type
reading.pipe(slimOwners({ scope: '', shard, systemNamespaces: [] }, runtime));

// wrong: 'OperatorFunction<Slotted, Joined>' is not assignable to parameter of type 'OperatorFunction<Item, Joined>'
items.pipe(joinLabels({ scopes: [''] }, owners, byName, runtime));

// wrong: Type 'Entry' is missing the following properties from type 'readonly Outgoing[]'
of<Outgoing>().pipe(emitTo(memory(), { batchesMax: 1 }, runtime));

// wrong: Type 'Bookmark' is missing the following properties from type 'Scoped'
items.pipe(trackCheckpoint({ start: {}, inFlightMax: 1, inFlightBytesMax: 1 }, () => NEVER, new Subject<boolean>(), runtime));

// wrong: Property 'read' does not exist on type
items.pipe(map((item) => item.read()));

// wrong: Type '{ type: string; }' is not assignable to type 'SinkResult'
export const careless: Sink = { identity: 'careless', write: (entries) => of(entries.map(() => ({ type: 'done' }))) };

// wrong: is missing the following properties from type 'Observable<readonly SinkResult[]>'
export const promising: Sink = { identity: 'promising', write: async (entries) => entries.map(() => ({ type: 'stored' })) };

// wrong: Property 'store' is missing in type
pipeline({ shard }, { transport, sink: memory() }, NEVER, runtime);

// wrong: 'inflightMax' does not exist in type 'PipelineSettings'
pipeline({ shard, inflightMax: 3 }, { transport, sink: memory(), store: noStore() }, NEVER, runtime);

// wrong: Expected 4 arguments, but got 3
pipeline({ shard }, { transport, sink: memory(), store: noStore() }, NEVER);
