import { describe, expect, test } from 'vitest';
import { metadataAccept, metadataListAccept, namesOf, type TestServer, testServer } from './simulatorKit.ts';

const events = '/api/v1/events';
const pods = '/api/v1/pods';

/** Reads pages to the end, calling `between` after each but the last. */
function pages(
  server: TestServer,
  path: string,
  limit: number,
  between: (page: number) => void = () => {},
): { names: string[]; versions: string[]; remaining: unknown[] } {
  const read = { names: [] as string[], versions: [] as string[], remaining: [] as unknown[] };
  let token = '';
  for (let page = 1; ; page++) {
    const { status, body } = server.get(path, { limit: String(limit), ...(token === '' ? {} : { continue: token }) });
    expect(status).toBe(200);
    read.names.push(...namesOf(body));
    read.versions.push(body.metadata.resourceVersion ?? '');
    read.remaining.push(body.metadata.remainingItemCount);
    token = body.metadata.continue ?? '';
    if (token === '') return read;
    between(page);
  }
}

describe('a list of the simulated server', () => {
  test('is in key order, not in the order of writes', () => {
    const server = testServer();
    for (const [namespace, name] of [
      ['shop', 'b'],
      ['shop-x', 'a'],
      ['shop', 'a'],
      ['apps', 'z'],
    ] as const)
      server.event(name, { metadata: { name, namespace } });
    const { body } = server.get(events);
    expect(body.items?.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual(['apps/z', 'shop-x/a', 'shop/a', 'shop/b']);
    expect(body.metadata).toEqual({ resourceVersion: '1004' });
    expect(namesOf(server.get('/api/v1/namespaces/shop/events').body)).toEqual(['a', 'b']);
    expect(namesOf(server.get('/api/v1/namespaces/none/events').body)).toEqual([]);
  });

  test("keeps the first page's state over its pages, whatever is written between them", () => {
    const server = testServer();
    for (const name of ['c', 'a', 'e', 'b', 'd', 'f']) server.event(name);
    const { names, versions, remaining } = pages(server, events, 2, (page) => {
      if (page === 1) {
        server.event('aa');
        server.core.remove('Event', 'shop', 'c');
        server.core.update('Event', { metadata: { name: 'e', namespace: 'shop' }, reason: 'Changed' });
      } else {
        server.core.remove('Event', 'shop', 'e');
        server.event('c', { reason: 'SecondLife' });
        server.event('zz');
      }
    });
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(versions).toEqual(['1006', '1006', '1006']);
    expect(remaining).toEqual([4, 2, undefined]);
    expect(namesOf(server.get(events).body)).toEqual(['a', 'aa', 'b', 'c', 'd', 'f', 'zz']);
  });

  test.each([1, 2, 3, 5, 7, 8, 100])('gives every item once at a limit of %i', (limit) => {
    const server = testServer();
    const all = Array.from({ length: 7 }, (_, at) => `e${at}`);
    for (const name of [...all].reverse()) server.event(name);
    expect(pages(server, events, limit).names).toEqual(all);
    expect(pages(server, '/api/v1/namespaces/shop/events', limit).names).toEqual(all);
  });

  test('refuses a token once its version is compacted, and takes the token in the refusal for another state', () => {
    const server = testServer();
    for (const name of ['a', 'b', 'c', 'd']) server.event(name);
    const token = server.get(events, { limit: '2' }).body.metadata.continue ?? '';
    server.event('cc');
    server.core.compact('1004');
    expect(namesOf(server.get(events, { limit: '9', continue: token }).body)).toEqual(['c', 'd']);
    server.core.compact('1005');
    const refusal = server.get(events, { limit: '9', continue: token });
    expect([refusal.status, refusal.body.reason]).toEqual([410, 'Expired']);
    const mixed = server.get(events, { limit: '9', continue: refusal.body.metadata.continue ?? '' });
    expect([namesOf(mixed.body), mixed.body.metadata.resourceVersion]).toEqual([['c', 'cc', 'd'], '1005']);
  });

  test('refuses a token from before a restore', () => {
    const server = testServer();
    for (const name of ['a', 'b', 'c']) server.event(name);
    const token = server.get(events, { limit: '1' }).body.metadata.continue ?? '';
    server.core.restore('1002');
    expect(server.get(events, { limit: '1', continue: token }).status).toBe(410);
  });

  test.each([
    ['unset', {}, ['a', 'b', 'c'], '1003'],
    ['0', { resourceVersion: '0' }, ['a', 'b', 'c'], '1003'],
    ['0 with a limit', { resourceVersion: '0', limit: '1' }, ['a'], '1003'],
    ['not older', { resourceVersion: '1001', resourceVersionMatch: 'NotOlderThan' }, ['a', 'b', 'c'], '1003'],
    ['a version alone', { resourceVersion: '1001' }, ['a', 'b', 'c'], '1003'],
    ['a version with a limit', { resourceVersion: '1002', limit: '9' }, ['a', 'b'], '1002'],
    ['exactly', { resourceVersion: '1001', resourceVersionMatch: 'Exact' }, ['a'], '1001'],
  ] as const)('reads resourceVersion %s as the real server does', (_, query, names, version) => {
    const server = testServer();
    for (const name of ['a', 'b', 'c']) server.event(name);
    const { body } = server.get(events, query);
    expect([namesOf(body), body.metadata.resourceVersion]).toEqual([names, version]);
  });

  test('knows no limit for pods at resourceVersion 0, which come from the watch cache', () => {
    const server = testServer();
    for (const name of ['a', 'b', 'c']) server.pod(name);
    expect(namesOf(server.get(pods, { resourceVersion: '0', limit: '1' }).body)).toEqual(['a', 'b', 'c']);
    expect(namesOf(server.get(pods, { limit: '1' }).body)).toEqual(['a']);
  });

  test('keeps versions exact beyond what a number can hold', () => {
    const server = testServer({ resourceVersion: '9007199254740991' });
    server.event('a');
    server.event('b');
    const first = server.get(events, { limit: '1' }).body;
    expect(first.metadata.resourceVersion).toBe('9007199254740993');
    expect(first.items?.[0]?.metadata.resourceVersion).toBe('9007199254740992');
    expect(server.get(events, { limit: '1', continue: first.metadata.continue ?? '' }).body.metadata.resourceVersion).toBe(
      '9007199254740993',
    );
  });

  test('gives metadata alone when asked to, for a list, an object and a watch', () => {
    const server = testServer();
    server.pod('web', { metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } }, spec: { nodeName: 'n1' } });
    const list = server.get(pods, {}, metadataListAccept).body;
    expect(list).toMatchObject({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      items: [{ kind: 'PartialObjectMetadata' }],
    });
    expect(Object.keys(list.items?.[0] ?? {})).toEqual(['kind', 'apiVersion', 'metadata']);
    const path = '/api/v1/namespaces/shop/pods/web';
    expect(server.get(path, {}, metadataAccept).body).toEqual(list.items?.[0]);
    expect(server.get(path).body).toMatchObject({ kind: 'Pod', spec: { nodeName: 'n1' } });
    const [line] = server.open(pods, { watch: 'true', resourceVersion: '1000' }, metadataAccept).lines();
    expect(line).toEqual({ type: 'ADDED', object: list.items?.[0] });
  });

  test('writes angle brackets and line separators as Go does', () => {
    const server = testServer();
    server.event('a', { message: '<b> & \u2028 ü 🚨' });
    expect(server.open(events).text()).toContain('"message":"\\u003cb\\u003e \\u0026 \\u2028 ü 🚨"');
  });

  test('tells its date by the simulated clock', () => {
    expect(testServer().open(events).headers['date']).toBe('Mon, 30 Nov 2026 10:00:00 GMT');
  });
});

describe('a selector', () => {
  const labelled = { a: { app: 'web', tier: 'front' }, b: { app: 'db' }, c: {} };

  test.each([
    ['app=web', ['a']],
    ['app==web', ['a']],
    ['app!=web', ['b', 'c']],
    ['app in (web, db)', ['a', 'b']],
    ['app notin (web)', ['b', 'c']],
    ['app', ['a', 'b']],
    ['!app', ['c']],
    ['app,tier=front', ['a']],
    ['app in (web,db),!tier', ['b']],
    ['', ['a', 'b', 'c']],
  ])('of labels, %s, wants %j', (labelSelector, names) => {
    const server = testServer();
    for (const [name, labels] of Object.entries(labelled)) server.event(name, { metadata: { name, namespace: 'shop', labels } });
    expect(namesOf(server.get(events, { labelSelector }).body)).toEqual(names);
  });

  test.each([
    ['involvedObject.kind=Pod', ['a']],
    ['involvedObject.kind!=Pod', ['b', 'c']],
    ['involvedObject.name=web-0,reason=Killing', []],
    ['involvedObject.name=web-0,reason=Pulled', ['a']],
    ['type==Warning', ['b']],
    ['source=kubelet', ['a']],
    ['metadata.namespace=shop,metadata.name=c', ['c']],
    ['involvedObject.uid=', ['b', 'c']],
    ['reason=Odd\\,One', ['c']],
  ])('of fields, %s, wants %j', (fieldSelector, names) => {
    const server = testServer();
    server.event('a', { involvedObject: { kind: 'Pod', name: 'web-0', uid: 'u' }, source: { component: 'kubelet' } });
    server.event('b', { involvedObject: { kind: 'Node' }, type: 'Warning' });
    server.event('c', { reason: 'Odd,One' });
    expect(namesOf(server.get(events, { fieldSelector }).body)).toEqual(names);
  });

  test('over pages gives every match once', () => {
    const server = testServer();
    for (let at = 0; at < 9; at++) server.event(`e${at}`, { type: at % 2 === 0 ? 'Warning' : 'Normal' });
    const first = server.get(events, { fieldSelector: 'type=Warning', limit: '3' }).body;
    const second = server.get(events, { fieldSelector: 'type=Warning', limit: '3', continue: first.metadata.continue ?? '' }).body;
    expect([...namesOf(first), ...namesOf(second)]).toEqual(['e0', 'e2', 'e4', 'e6', 'e8']);
    expect([first.metadata.remainingItemCount, second.metadata.continue]).toEqual([undefined, undefined]);
  });
});
