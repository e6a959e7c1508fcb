import { describe, expect, test } from 'vitest';
import { core } from '../../src/simulator/core.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';

function asked() {
  const server = core({ token: 'secret' }, { now: () => Date.UTC(2026, 4, 4), random: seededRandom(1) });
  return (method: string, path: string, object?: object): { status: number; body: Record<string, unknown> } => {
    const body = object === undefined ? undefined : Buffer.from(JSON.stringify(object));
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    const reply = server.handle({ method, path, query: {}, headers, ...(body && { body }) });
    if (reply.type !== 'answer') throw new Error(reply.type);
    const taken = reply.body.take(1_000_000);
    const text = taken.type === 'bytes' ? Buffer.from(taken.bytes).toString('utf8') : '{}';
    return { status: reply.status, body: JSON.parse(text) as Record<string, unknown> };
  };
}

describe('what somebody sets up in the simulated server', () => {
  test.each([
    '/api/v1/namespaces',
    '/api/v1/namespaces/shop/serviceaccounts',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  ])('is kept, given back and removed: %s', (collection) => {
    const ask = asked();
    const object = { metadata: { name: 'a' }, rules: [] };
    expect(ask('GET', `${collection}/a`).status).toBe(404);
    expect(ask('POST', collection, object)).toEqual({ status: 201, body: object });
    expect(ask('POST', collection, object).status).toBe(409);
    expect(ask('GET', `${collection}/a`)).toEqual({ status: 200, body: object });
    expect(ask('DELETE', `${collection}/a`).status).toBe(200);
    expect(ask('DELETE', `${collection}/a`).status).toBe(404);
  });

  test('a service account that exists gets the token that is known', () => {
    const ask = asked();
    const accounts = '/api/v1/namespaces/shop/serviceaccounts';
    expect(ask('POST', `${accounts}/a/token`, {}).status).toBe(404);
    ask('POST', accounts, { metadata: { name: 'a' } });
    expect(ask('POST', `${accounts}/a/token`, {})).toMatchObject({ status: 201, body: { status: { token: 'secret' } } });
  });

  test.each([
    ['events', { involvedObject: { kind: 'Pod', name: 'web-0' }, count: 1 }, { count: 2 }],
    ['pods', { spec: { nodeName: '' } }, { spec: { nodeName: 'n-1' } }],
  ])('%s are created, replaced and deleted by requests', (plural, first, second) => {
    const ask = asked();
    const collection = `/api/v1/namespaces/shop/${plural}`;
    const created = ask('POST', collection, { metadata: { name: 'a' }, ...first });
    expect(created).toMatchObject({ status: 201, body: { metadata: { name: 'a', namespace: 'shop' }, ...first } });
    const replaced = ask('PUT', `${collection}/a`, { ...created.body, ...second });
    expect(replaced).toMatchObject({ status: 200, body: second });
    expect(ask('PUT', `${collection}/a`, { ...created.body, ...second }).status).toBe(409);
    expect(ask('DELETE', `${collection}/a`).status).toBe(200);
    expect(ask('GET', `${collection}/a`).status).toBe(404);
  });
});
