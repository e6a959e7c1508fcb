import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { pipeline } from '../../src/pipeline.ts';
import { replayFixture } from '../../src/replayFixture.ts';
import { encodeLogEntry } from '../../src/sinks/encodeLogEntry.ts';
import { memory } from '../../src/sinks/memory.ts';
import { noStore } from '../../src/transports/memoryStore.ts';
import { migratingRows } from '../docs/migratingRows.ts';

type Fields = Readonly<Record<string, unknown>>;
type Model = 'k8s' | 'legacy';

interface GoLine {
  readonly revision: string;
  readonly resource: { readonly new: unknown; readonly legacy: unknown };
  readonly entry: { readonly severity: string; readonly timestamp?: string; readonly jsonPayload: Fields };
}

const fixture = (path: string): string => new URL(`../fixtures/${path}`, import.meta.url).pathname;
const cluster = { project: 'my-project', location: 'europe-west1', name: 'main' };
const goLines = readFileSync(fixture('upstream/entries.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as GoLine);

/** Fields of an entry that docs/migrating.md lists as changed or new. */
const different = new Set([...migratingRows('Entries in Cloud Logging')].filter(([, verdict]) => verdict !== 'same').map(([name]) => name));

async function ours(model: Model): Promise<ReadonlyMap<string, Fields>> {
  const bodies = { events: fixture('apiserver-1.36.2/events.json.stream'), pods: fixture('apiserver-1.36.2/pods.json.stream') };
  const sink = memory();
  const settings = { shard: { index: 0, total: 1 }, resourceModel: model };
  await replayFixture(bodies, (transport, runtime) => pipeline(settings, { transport, sink, store: noStore() }, NEVER, runtime));
  const encode = encodeLogEntry({ cluster, entryBytesMax: 240_000 });
  const textOf = (entry: Entry): string => {
    const encoded = encode(entry);
    if (encoded.type !== 'encoded') throw new Error(encoded.reason);
    return encoded.text;
  };
  return new Map(sink.entries.map((entry) => [`${entry.uid} ${entry.resourceVersion}`, JSON.parse(textOf(entry)) as Fields]));
}

/** Everything but what the page lists. */
function comparable(entry: Fields): Fields {
  const payload = entry['jsonPayload'] as Fields;
  const metadata = Object.fromEntries(
    Object.entries(payload['metadata'] as Fields).filter(([name]) => !different.has(`jsonPayload.metadata.${name}`)),
  );
  const jsonPayload = Object.fromEntries(
    Object.entries({ ...payload, metadata }).filter(([name]) => !different.has(`jsonPayload.${name}`)),
  );
  return Object.fromEntries(Object.entries({ ...entry, jsonPayload }).filter(([name]) => !different.has(name)));
}

test.each<Model>(['k8s', 'legacy'])(
  'entries equal those of the Go exporter but for what docs/migrating.md lists, with %s resources',
  async (model) => {
    const entries = await ours(model);
    expect([...entries.keys()].toSorted()).toEqual(goLines.map(({ revision }) => revision).toSorted());
    for (const { revision, resource, entry } of goLines) {
      const own = entries.get(revision) ?? {};
      const theirs = { ...entry, resource: model === 'k8s' ? resource.new : resource.legacy };
      expect(comparable(own), revision).toEqual(comparable(theirs));
      // The time differs only where the Go exporter gives none.
      if (entry.timestamp !== undefined) expect(own['timestamp'], revision).toBe(entry.timestamp);
    }
  },
);

test('each difference that docs/migrating.md lists is there', async () => {
  const entries = await ours('k8s');
  const equalEverywhere = [...different].filter((name) =>
    goLines.every(({ revision, entry }) => isDeepStrictEqual(fieldAt(entries.get(revision), name), fieldAt(entry, name))),
  );
  expect(equalEverywhere).toEqual([]);
});

function fieldAt(entry: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], entry);
}
