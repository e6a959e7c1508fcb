import { describe, expect, test } from 'vitest';
import type { PlainObject, SeenRequest } from '../../src/testing.ts';
import { type Body, testServer } from './simulatorKit.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/sluice/leases';

interface Answered {
  readonly status: number | string;
  readonly body: Body & { readonly spec?: object; readonly details?: unknown; readonly code?: number };
}

/** A server, and a way to write to it. */
function world() {
  const server = testServer();
  const send = (method: string, path: string, body?: unknown, type = 'application/json'): Answered => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const content = body === undefined ? {} : { body: Buffer.from(text) };
    const reply = server.core.handle({ method, path, query: {}, headers: { accept: '*/*', 'content-type': type }, ...content });
    if (reply.type !== 'answer') return { status: reply.type, body: { kind: '', metadata: {} } };
    const taken = reply.body.take(1_000_000);
    if (taken.type !== 'bytes') throw new Error('no body');
    return { status: reply.status, body: JSON.parse(Buffer.from(taken.bytes).toString()) as Answered['body'] };
  };
  const create = (name: string, more: object = {}): Answered => send('POST', leases, lease(name, more));
  return { ...server, send, create };
}

function lease(name: string, metadata: object = {}, spec: object = { holderIdentity: 'a', leaseTransitions: 1 }): object {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, ...metadata }, spec };
}

describe('Leases on the simulated server', () => {
  test('are created, and read back one by one and as a list, in the common order of versions', () => {
    const { core, create, get, event } = world();
    expect(create('l-0', { labels: { app: 'x' } })).toMatchObject({
      status: 201,
      body: { kind: 'Lease', metadata: { namespace: 'sluice', resourceVersion: '1001' }, spec: { holderIdentity: 'a' } },
    });
    event('between');
    create('l-1');
    expect(get(`${leases}/l-0`)).toMatchObject({ status: 200, body: { metadata: { name: 'l-0', resourceVersion: '1001' } } });
    expect(get(leases, { labelSelector: 'app=x' }).body).toMatchObject({
      kind: 'LeaseList',
      metadata: { resourceVersion: '1003' },
      items: [{ metadata: { name: 'l-0' } }],
    });
    expect(get('/apis/coordination.k8s.io/v1/leases').body.items).toHaveLength(2);
    expect(get('/apis/coordination.k8s.io/v1/namespaces/other/leases').body.items).toEqual([]);
    expect(core.objects('Lease').map(({ metadata }) => metadata.name)).toEqual(['l-0', 'l-1']);
  });

  test('are given uid, version and time of birth by the server alone', () => {
    const { create } = world();
    const { metadata } = create('l-0', { uid: 'mine', resourceVersion: '7', creationTimestamp: '1999-01-01T00:00:00Z' }).body;
    expect(metadata).toMatchObject({ resourceVersion: '1001', creationTimestamp: '2026-11-30T10:00:00Z' });
    expect(metadata).not.toMatchObject({ uid: 'mine' });
  });

  test('are replaced at the version that the replacement names', () => {
    const { create, send, get } = world();
    const { metadata } = create('l-0', { labels: { b: '2', a: '1' } }).body;
    const next = lease('l-0', metadata, { holderIdentity: 'b', leaseTransitions: 2 });
    expect(send('PUT', `${leases}/l-0`, next)).toMatchObject({ status: 200, body: { metadata: { resourceVersion: '1002' } } });
    expect(get(`${leases}/l-0`).body).toMatchObject({ spec: { holderIdentity: 'b', leaseTransitions: 2 } });
    expect(send('PUT', `${leases}/l-0`, next)).toMatchObject({
      status: 409,
      body: {
        reason: 'Conflict',
        code: 409,
        message:
          'Operation cannot be fulfilled on leases.coordination.k8s.io "l-0": the object has been modified; please apply your changes to the latest version and try again',
        details: { name: 'l-0', group: 'coordination.k8s.io', kind: 'leases' },
      },
    });
  });

  test('keep their version when nothing changes, in whatever order labels are sent', () => {
    const { create, send, core } = world();
    const { metadata } = create('l-0', { labels: { b: '2', a: '1' }, annotations: { y: '1', x: '2' } }).body as PlainObject;
    const same = lease('l-0', { ...metadata, labels: { a: '1', b: '2' }, annotations: { x: '2', y: '1' } });
    expect(send('PUT', `${leases}/l-0`, same)).toMatchObject({ status: 200, body: { metadata: { resourceVersion: '1001' } } });
    expect(core.resourceVersion()).toBe('1001');
  });

  test('are deleted, at the uid and version that the deletion demands', () => {
    const { create, send, core } = world();
    const { uid, resourceVersion } = create('l-0').body.metadata as { uid: string; resourceVersion: string };
    const demand = (preconditions: object): Answered =>
      send('DELETE', `${leases}/l-0`, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions });
    expect(demand({ uid: 'other' })).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    expect(demand({ uid, resourceVersion: '1' }).body.message).toBe(
      'Operation cannot be fulfilled on Lease.coordination.k8s.io "l-0": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (1001). The object might have been modified',
    );
    expect(demand({ uid, resourceVersion })).toMatchObject({
      status: 200,
      body: { kind: 'Status', status: 'Success', details: { name: 'l-0', group: 'coordination.k8s.io', kind: 'leases', uid } },
    });
    expect([core.objects('Lease').length, core.resourceVersion()]).toEqual([0, '1002']);
    create('l-0');
    expect(send('DELETE', `${leases}/l-0`).status).toBe(200);
  });

  const renewed = (renewTime: string): object => lease('l-1', {}, { renewTime });
  const stored = `${leases}/l-0`;
  test.each([
    ['a second of that name', 'POST', leases, lease('l-0'), 409, 'AlreadyExists', 'leases.coordination.k8s.io "l-0" already exists'],
    [
      'a replacement without version',
      'PUT',
      stored,
      lease('l-0'),
      422,
      'Invalid',
      'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    ],
    ['a replacement of nothing', 'PUT', `${leases}/l-9`, lease('l-9'), 404, 'NotFound', 'leases.coordination.k8s.io "l-9" not found'],
    [
      'a replacement of another uid',
      'PUT',
      stored,
      lease('l-0', { uid: 'u', resourceVersion: '1001' }),
      409,
      'Conflict',
      'UID in precondition: u',
    ],
    ['a deletion of nothing', 'DELETE', `${leases}/l-9`, undefined, 404, 'NotFound', 'leases.coordination.k8s.io "l-9" not found'],
    [
      'another name than in the path',
      'PUT',
      stored,
      lease('l-1'),
      400,
      'BadRequest',
      'the name of the object (l-1) does not match the name on the URL (l-0)',
    ],
    [
      'another namespace',
      'POST',
      leases,
      lease('l-1', { namespace: 'x' }),
      400,
      'BadRequest',
      'does not match the namespace sent on the request',
    ],
    ['no name', 'POST', leases, { metadata: {} }, 422, 'Invalid', 'name or generateName is required'],
    ['a body that is no JSON', 'POST', leases, '{"metadata"', 400, 'BadRequest', 'cannot be handled as a Lease'],
    ['a body without metadata', 'POST', leases, {}, 400, 'BadRequest', 'cannot be handled as a Lease'],
    [
      'a time with three decimals',
      'POST',
      leases,
      renewed('2026-11-30T10:00:00.123Z'),
      400,
      'BadRequest',
      'parsing time "2026-11-30T10:00:00.123Z"',
    ],
    ['a duration of nothing', 'POST', leases, lease('l-1', {}, { leaseDurationSeconds: 0 }), 422, 'Invalid', 'must be greater than 0'],
    [
      'transitions below nothing',
      'POST',
      leases,
      lease('l-1', {}, { leaseTransitions: -1 }),
      422,
      'Invalid',
      'must be greater than or equal to 0',
    ],
    [
      'a creation in no namespace',
      'POST',
      '/apis/coordination.k8s.io/v1/leases',
      lease('l-1'),
      405,
      'MethodNotAllowed',
      'does not allow this method',
    ],
    ['a creation at an object', 'POST', stored, lease('l-0'), 405, 'MethodNotAllowed', 'does not allow this method'],
    ['a deletion of all', 'DELETE', leases, undefined, 405, 'MethodNotAllowed', 'does not allow this method'],
  ] as const)('refuse %s', (_, method, path, body, status, reason, message) => {
    const { create, send, core } = world();
    create('l-0');
    const answer = send(method, path, body);
    expect(answer).toMatchObject({ status, body: { kind: 'Status', status: 'Failure', reason, code: status } });
    expect(answer.body.message).toContain(message);
    expect(core.resourceVersion()).toBe('1001');
  });

  test('are written as JSON and as nothing else', () => {
    const { send } = world();
    expect(send('POST', leases, lease('l-0'), 'text/plain')).toMatchObject({ status: 415, body: { reason: 'UnsupportedMediaType' } });
    expect(send('POST', leases, lease('l-0'), 'application/json; charset=utf-8').status).toBe(201);
    expect(send('POST', leases, lease('l-1', {}, { renewTime: '2026-11-30T10:00:00.123456Z' })).status).toBe(201);
  });

  test('are watched like everything else', () => {
    const { create, open } = world();
    const watch = open(leases, { watch: 'true', resourceVersion: '1000' });
    create('l-0');
    expect(watch.lines()).toMatchObject([{ type: 'ADDED', object: { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1' } }]);
  });

  test.each(['get', 'list', 'create', 'update', 'delete'] as const)('are forbidden by the verb: %s', (verb) => {
    const { core, create, send, get } = world();
    const { metadata } = create('l-0').body;
    core.access.forbid({ plural: 'leases', verb });
    const answers: Readonly<Record<string, { status: number | string; body: Body }>> = {
      get: get(stored),
      list: get(leases),
      create: send('POST', leases, lease('l-1')),
      update: send('PUT', stored, lease('l-0', metadata, { holderIdentity: 'b' })),
      delete: send('DELETE', stored),
    };
    expect(Object.entries(answers).flatMap(([name, { status }]) => (status === 403 ? [name] : []))).toEqual([verb]);
    expect(answers[verb]?.body.message).toContain(
      `cannot ${verb} resource "leases" in API group "coordination.k8s.io" in the namespace "sluice"`,
    );
  });
});

describe('faults of writes', () => {
  const outcomes = (requests: readonly SeenRequest[]): unknown[] => requests.map(({ method, on, outcome }) => `${method} ${on} ${outcome}`);

  test('an answer can be lost after the write was done', () => {
    const { core, create, send } = world();
    core.faults.next({ stream: 'leases', on: 'create' }, { type: 'lost' });
    expect([create('l-0').status, create('l-0').status]).toEqual(['lost', 409]);
    core.faults.next({ on: 'delete' }, { type: 'lost' });
    expect([send('DELETE', `${leases}/l-0`).status, send('DELETE', `${leases}/l-0`).status]).toEqual(['lost', 404]);
    expect(outcomes(core.requests)).toEqual(['POST create lost', 'POST create 409', 'DELETE delete lost', 'DELETE delete 404']);
  });

  test('a write can be refused, left hanging or answered with a 5xx, and is not done then', () => {
    const { core, create } = world();
    core.faults.next({ on: 'create' }, { type: 'refuse' });
    core.faults.next({ on: 'create' }, { type: 'hang' });
    core.faults.next({ on: 'create' }, { type: 'status', status: 503 });
    expect([create('l-0').status, create('l-0').status, create('l-0').status]).toEqual(['refused', 'hung', 503]);
    expect(core.objects('Lease')).toEqual([]);
    expect(create('l-0').status).toBe(201);
  });

  test('a list whose answer is lost leaves no stream open', () => {
    const { core, open } = world();
    core.faults.next({ on: 'watch' }, { type: 'lost' });
    expect(() => open(leases, { watch: 'true', resourceVersion: '1000' })).toThrow('lost');
    expect(core.openStreams()).toBe(0);
  });
});
