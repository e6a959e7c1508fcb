import { map } from 'rxjs';
import { describe, expect } from 'vitest';
import { pods } from '../src/sources/pods.ts';
import { pod } from './builders.ts';
import { answer, fakeServer } from './fakeServer.ts';
import { marble } from './marble.ts';

const list = answer(200, { kind: 'PartialObjectMetadataList', metadata: { resourceVersion: '10' }, items: [pod('web-0')] });

describe('pods', () => {
  marble('lists what is there, wherever events are told to start', ({ cold, runtime, flush, expectObservable }) => {
    const server = fakeServer(cold('-(p|)', { p: list }));
    const everything = { namespace: '', streamingLists: false, startFrom: 'now', resume: '5', paused: cold('-') };

    const changes = pods(everything, server.transport, runtime).pipe(map(({ type }) => type));

    expectObservable(changes, '^-------!').toBe('-(spd)', { s: 'relistStarted', p: 'listed', d: 'relistDone' });
    flush();
    expect(server.requests).toEqual(['list', 'watch 10']);
  });
});
