// A unit test of one's own code, fed with what a real API server sent. Make your own fixture with `kube-sluice record`.
import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { events, type KubeTransport, type Runtime, toOccurrences } from 'kube-sluice';
import { replayFixture } from 'kube-sluice/testing';
import { filter, map, type Observable, of } from 'rxjs';

/** The code that is tested: tells each pod that no node has room for, with how often that was tried. */
function homeless(transport: KubeTransport, runtime: Runtime): Observable<string> {
  return events({ namespace: '' }, transport, of(false), runtime).pipe(
    toOccurrences(runtime),
    filter((item) => item.type === 'occurrence'),
    map((occurrence) => occurrence.read()),
    filter(({ reason }) => reason === 'FailedScheduling'),
    map(({ involvedObject, series }) => `${involvedObject?.name} ${series?.count ?? 1}`),
  );
}

test('homeless tells each pod that the recording saw refused, and its later tries', async () => {
  const recorded = { events: fileURLToPath(new URL('./fixtures/events.json.stream', import.meta.url)) };
  deepStrictEqual(await replayFixture(recorded, homeless), ['giant 1', 'giant 1', 'giant 2']);
});
