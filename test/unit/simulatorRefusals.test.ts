import { describe, expect, test } from 'vitest';
import { metadataAccept, metadataListAccept, testServer } from './simulatorKit.ts';

const events = '/api/v1/events';
const pods = '/api/v1/pods';
const future = '999999';
const streaming = { watch: 'true', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };

describe('the simulated server refuses', () => {
  test.each([
    ['a bad label selector', events, { labelSelector: 'a b' }, 400, 'BadRequest', "unable to parse requirement: found 'b'"],
    ['a bad label', events, { labelSelector: '-a=b' }, 400, 'BadRequest', 'Invalid value: "-a"'],
    ['a bad label value', events, { labelSelector: 'a=b!' }, 400, 'BadRequest', 'unable to parse requirement'],
    ['a bad label in a set', events, { labelSelector: 'a in (b,$)' }, 400, 'BadRequest', 'Invalid value: "$"'],
    ['an empty term', events, { labelSelector: 'a=b,' }, 400, 'BadRequest', 'expected: identifier'],
    ['an unknown field', events, { fieldSelector: 'spec.nodeName=n1' }, 400, 'BadRequest', 'field label not supported: spec.nodeName'],
    [
      'a bad field selector',
      events,
      { fieldSelector: 'reason' },
      400,
      'BadRequest',
      "invalid selector: 'reason'; can't understand 'reason'",
    ],
    ['a bad limit', events, { limit: 'ten' }, 400, 'BadRequest', 'limit: Invalid value: "ten"'],
    ['a bad version', events, { watch: 'true', resourceVersion: 'opaque' }, 400, 'BadRequest', 'resourceVersion: Invalid value: "opaque"'],
    ['a bad token', events, { continue: 'nonsense' }, 400, 'BadRequest', 'continue key is not valid'],
    ['a token with a version', events, { continue: 'x', resourceVersion: '7' }, 400, 'BadRequest', 'not allowed when using continue'],
    [
      'a match on a plain watch',
      events,
      { watch: 'true', resourceVersion: '1000', resourceVersionMatch: 'NotOlderThan' },
      422,
      'Invalid',
      'forbidden for watch unless sendInitialEvents is provided',
    ],
    [
      'a streaming list without match',
      events,
      { watch: 'true', sendInitialEvents: 'true' },
      422,
      'Invalid',
      'requires setting resourceVersionMatch to NotOlderThan',
    ],
    ['initial events on a list', events, { sendInitialEvents: 'true' }, 422, 'Invalid', 'sendInitialEvents is forbidden for list'],
    ['a match without version', events, { resourceVersionMatch: 'Exact' }, 422, 'Invalid', 'forbidden unless resourceVersion is provided'],
    [
      'a list from the future',
      events,
      { resourceVersion: future, resourceVersionMatch: 'NotOlderThan' },
      504,
      'Timeout',
      'Too large resource version: 999999, current: 1000',
    ],
    ['a streaming list from the future', pods, { ...streaming, resourceVersion: future }, 504, 'Timeout', 'Too large resource version'],
    ['a pod that is not there', '/api/v1/namespaces/shop/pods/web', {}, 404, 'NotFound', 'pods "web" not found'],
    ['an unknown kind', '/api/v1/secrets', {}, 404, 'NotFound', 'the server could not find the requested resource'],
    ['an unknown path', '/apis/apps/v1/replicasets', {}, 404, 'NotFound', 'the server could not find the requested resource'],
  ] as const)('%s', (_, path, query, status, reason, message) => {
    const answer = testServer().get(path, query);
    expect(answer).toMatchObject({ status, body: { kind: 'Status', status: 'Failure', reason, code: status } });
    expect(answer.body.message).toContain(message);
  });

  test('a future version with the cause that clients look for, and when to come again', () => {
    const answer = testServer().open(events, { resourceVersion: future });
    expect(answer.headers['retry-after']).toBe('1');
    expect(JSON.parse(answer.text())).toMatchObject({
      details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
    });
  });

  test('a list at a compacted version', () => {
    const server = testServer();
    server.event('a');
    server.event('b');
    server.core.compact();
    expect(server.get(events, { resourceVersion: '1001', resourceVersionMatch: 'Exact' })).toMatchObject({
      status: 410,
      body: { reason: 'Expired' },
    });
  });

  test('streaming lists where they are not on by default yet', () => {
    const old = testServer({ minor: 31 });
    expect(old.get(pods, streaming)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('unless the WatchList feature gate is enabled') },
    });
    expect(old.get('/version').body).toMatchObject({ major: '1', minor: '31', gitVersion: 'v1.31.2' });
    expect(testServer().get('/version').body).toMatchObject({ minor: '36' });
  });

  test.each([
    ['protobuf alone', events, {}, 'application/vnd.kubernetes.protobuf'],
    ['a table alone', events, {}, 'application/json;as=Table;g=meta.k8s.io;v=v1'],
    ["one object's metadata for a list", pods, {}, metadataAccept],
    ['a metadata list for a watch', pods, { watch: 'true' }, metadataListAccept],
    ['a metadata list for an object', '/api/v1/namespaces/shop/pods/web', {}, metadataListAccept],
  ] as const)('%s with 406', (_, path, query, accept) => {
    const server = testServer();
    server.pod('web');
    expect(server.get(path, query, accept)).toMatchObject({ status: 406, body: { reason: 'NotAcceptable', code: 406 } });
  });

  test('nothing when a later type in Accept can be given', () => {
    expect(testServer().get(events, {}, 'application/vnd.kubernetes.protobuf, application/json').status).toBe(200);
    expect(testServer().get(events, {}, 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json').body.kind).toBe('EventList');
    expect(testServer().get(events, {}, '*/*').status).toBe(200);
  });

  test('an unknown token, and never writes the token down', () => {
    const { core } = testServer({ token: 'good-token' });
    const ask = (authorization?: string): unknown => {
      const reply = core.handle({
        method: 'GET',
        path: events,
        query: {},
        headers: { accept: '*/*', ...(authorization === undefined ? {} : { authorization }) },
      });
      return reply.type === 'answer' ? reply.status : reply.type;
    };
    expect([ask(), ask('Bearer bad-token'), ask('Bearer good-token')]).toEqual([401, 401, 200]);
    core.access.requireToken('rotated');
    expect([ask('Bearer good-token'), ask('Bearer rotated')]).toEqual([401, 200]);
    expect(JSON.stringify(core.requests)).not.toMatch(/good-token|bad-token|rotated/);
    expect(core.requests.map(({ headers, outcome }) => [headers['authorization'], outcome]).slice(0, 3)).toEqual([
      [undefined, 401],
      ['Bearer ***', 401],
      ['Bearer ***', 200],
    ]);
  });

  test('what is forbidden, until it is allowed again', () => {
    const server = testServer();
    const allow = server.core.access.forbid({ plural: 'events', verb: 'watch' });
    const refused = server.get(events, { watch: 'true', resourceVersion: '1000' });
    expect(refused).toMatchObject({ status: 403, body: { reason: 'Forbidden', details: { kind: 'events' } } });
    expect(refused.body.message).toContain('cannot watch resource "events" in API group "" at the cluster scope');
    expect([server.get(events).status, server.get(pods).status]).toEqual([200, 200]);
    allow();
    expect(server.open(events, { watch: 'true', resourceVersion: '1000' }).status).toBe(200);
    server.core.access.forbid({ path: '/api/v1/namespaces/shop/pods' });
    expect(server.get('/api/v1/namespaces/shop/pods').body.message).toContain('in the namespace "shop"');
    expect(server.get('/api/v1/namespaces/data/pods').status).toBe(200);
  });

  test('methods that change what nobody here writes', () => {
    const { core } = testServer();
    const reply = core.handle({ method: 'DELETE', path: '/apis/apps/v1/namespaces/shop/deployments/a', query: {}, headers: {} });
    expect(reply).toMatchObject({ type: 'answer', status: 405 });
  });
});
