import { expect, test } from 'vitest';
import { entryPayload } from '../../src/model/entryPayload.ts';
import type { EventObject } from '../../src/model/kube.ts';

function check(title: string, received: string, expected: string): void {
  test(title, () => {
    const event = JSON.parse(received) as EventObject;
    Object.freeze(event);
    Object.freeze(event.metadata);

    expect(JSON.stringify(entryPayload(event))).toBe(expected);
    expect(JSON.stringify(event)).toBe(received);
  });
}

check(
  'leaves managedFields out and keeps everything else in its order, unknown fields too',
  '{"kind":"Event","apiVersion":"v1","metadata":{"name":"a","managedFields":[{"time":"x"}],"labels":{"team":"blue"}},"count":null,"futureField":{"a":[1,2]}}',
  '{"kind":"Event","apiVersion":"v1","metadata":{"name":"a","labels":{"team":"blue"}},"count":null,"futureField":{"a":[1,2]}}',
);
check(
  'leaves an Event without managedFields as it is',
  '{"metadata":{"name":"a"},"kind":"Event","managedFields":["not metadata\'s"]}',
  '{"metadata":{"name":"a"},"kind":"Event","managedFields":["not metadata\'s"]}',
);
check(
  'puts back what a list leaves out of its items',
  '{"metadata":{"name":"a","managedFields":null},"reason":"Pulled"}',
  '{"kind":"Event","apiVersion":"v1","metadata":{"name":"a"},"reason":"Pulled"}',
);
check(
  'keeps keys that would set a prototype as plain keys',
  '{"kind":"Event","__proto__":{"polluted":true},"metadata":{"managedFields":[],"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
  '{"kind":"Event","__proto__":{"polluted":true},"metadata":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
);

test('a hostile key gives the payload no inherited field', () => {
  const event = JSON.parse(
    '{"kind":"Event","__proto__":{"polluted":true},"metadata":{"managedFields":[],"__proto__":{"polluted":true}}}',
  ) as EventObject;

  const payload = entryPayload(event);

  expect(Object.getPrototypeOf(payload)).toBe(Object.prototype);
  expect(payload['polluted']).toBeUndefined();
  expect(Object.getPrototypeOf(payload['metadata'])).toBe(Object.prototype);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
