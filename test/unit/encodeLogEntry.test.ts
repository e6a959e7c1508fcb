import { expect, test } from 'vitest';
import { entry } from '../../marbles/builders.ts';
import type { Entry } from '../../src/model/entry.ts';
import { cutMark } from '../../src/sinks/cutText.ts';
import { encodeLogEntry } from '../../src/sinks/encodeLogEntry.ts';

const cluster = { project: 'acme', location: 'europe-west4', name: 'prod-1' };

interface Record {
  readonly resource: { readonly type: string; readonly labels: { readonly [name: string]: string } };
  readonly labels?: { readonly [name: string]: string };
  readonly jsonPayload: { readonly [name: string]: unknown };
}

/** The entry as the service would read it; it always fits. */
function recordOf(fields: Partial<Omit<Entry, 'type' | 'slot'>>, entryBytesMax = 240_000): Record & { readonly [field: string]: unknown } {
  const encoded = encodeLogEntry({ cluster, entryBytesMax })(entry(7, fields));
  if (encoded.type === 'refused') throw new Error(encoded.reason);
  expect(encoded.bytes).toBe(Buffer.byteLength(encoded.text));
  expect(encoded.bytes).toBeLessThanOrEqual(entryBytesMax);
  return JSON.parse(encoded.text) as Record & { readonly [field: string]: unknown };
}

test('an entry is a LogEntry with the labels of its cluster', () => {
  const { payload, insertId, timestamp } = entry(7);
  const labels = { 'logging.gke.io/top_level_controller_type': 'Deployment' };
  expect(recordOf({ labels })).toEqual({
    insertId,
    timestamp,
    severity: 'INFO',
    resource: {
      type: 'k8s_pod',
      labels: { project_id: 'acme', location: 'europe-west4', cluster_name: 'prod-1', namespace_name: 'default', pod_name: 'web-0' },
    },
    labels,
    jsonPayload: payload,
  });
  expect(recordOf({})).not.toHaveProperty('labels');
});

test('a message is cut to what fits, between characters, with a mark', () => {
  for (const character of ['a', 'é', '語', '🚢', '"', '\n', '\u0001']) {
    const message = character.repeat(20_000);
    const { jsonPayload } = recordOf({ payload: { reason: 'Failed', message, note: 'stays' } }, 6_000);
    const cut = String(jsonPayload['message']);
    const mark = cutMark(Buffer.byteLength(message));
    expect(cut.endsWith(mark)).toBe(true);
    const kept = cut.slice(0, -mark.length);
    expect(message.startsWith(kept)).toBe(true);
    expect(kept).not.toMatch(/\p{Surrogate}/u);
    // Nothing is cut that would have fitted.
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeGreaterThan(5_000);
    expect(jsonPayload).toMatchObject({ reason: 'Failed', note: 'stays' });
  }
});

test('an entry that just fits is not cut, and one byte more is', () => {
  const payloadOf = (length: number): Entry['payload'] => ({ message: 'm'.repeat(length) });
  const bytesOf = (length: number): number => {
    const encoded = encodeLogEntry({ cluster, entryBytesMax: 1_000_000 })(entry(7, { payload: payloadOf(length) }));
    return encoded.type === 'encoded' ? encoded.bytes : 0;
  };
  const limit = bytesOf(5_000);
  expect(recordOf({ payload: payloadOf(5_000) }, limit).jsonPayload).toEqual(payloadOf(5_000));
  expect(String(recordOf({ payload: payloadOf(5_001) }, limit).jsonPayload['message'])).toMatch(/m{4,}… \[cut: 5001 bytes in all\]$/);
});

test('where the message is not what is large, every text is cut', () => {
  const payload = { message: 'short', metadata: { name: 'n', annotations: { big: 'b'.repeat(300_000) } }, list: ['l'.repeat(2_000)] };
  const { jsonPayload } = recordOf({ payload });
  expect(jsonPayload).toMatchObject({ message: 'short', metadata: { name: 'n' } });
  expect(JSON.stringify(jsonPayload)).toMatch(/b{900,1024}… \[cut: 300000 bytes in all\].*l{900,1024}… \[cut: 2000 bytes in all\]/);
});

test('what cannot be made small enough, or is nested too deep, is refused', () => {
  const encode = encodeLogEntry({ cluster, entryBytesMax: 240_000 });
  const payload = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key-${at}`, at]));
  expect(encode(entry(7, { payload }))).toEqual({ type: 'refused', reason: 'entryTooLarge' });
  let nested: { readonly [name: string]: unknown } = {};
  for (let depth = 0; depth < 100_000; depth++) nested = { nested };
  expect(encode(entry(7, { payload: nested }))).toEqual({ type: 'refused', reason: 'unencodable' });
});

test('half a surrogate pair becomes a replacement character, in values and in names', () => {
  const payload = { message: 'a\ud83d b \udea2 c \ud83d\udea2', 'k\ud800': 'v', text: String.raw`\ud800 is text, \\ud800 too` };
  expect(recordOf({ payload }).jsonPayload).toEqual({
    message: 'a\ufffd b \ufffd c 🚢',
    'k\ufffd': 'v',
    text: String.raw`\ud800 is text, \\ud800 too`,
  });
});

test('labels keep to the limits of the service', () => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`label-${at}`, String(at)]));
  expect(Object.keys(recordOf({ labels: many }).labels ?? {})).toHaveLength(64);
  const { labels } = recordOf({ labels: { ['é'.repeat(257)]: 'key too long', ['é'.repeat(256)]: 'kept', big: 'é'.repeat(40_000) } });
  expect(Object.keys(labels ?? {})).toEqual(['é'.repeat(256), 'big']);
  expect(Buffer.byteLength(labels?.['big'] ?? '')).toBeLessThanOrEqual(65_536);
  expect(labels?.['big']).toMatch(/^é{32700,}… \[cut: 80000 bytes in all\]$/);
});

test('a name that no object can have does not fill the entry', () => {
  const name = 'n'.repeat(300_000);
  const resource = { type: 'k8s_pod', labels: { namespace_name: 'default', pod_name: name } } as const;
  const { resource: written, jsonPayload } = recordOf({ resource, payload: { involvedObject: { name } } });
  expect(written.labels['pod_name']).toMatch(/^n{900,1024}… \[cut: 300000 bytes in all\]$/);
  expect(JSON.stringify(jsonPayload)).toContain('[cut: 300000 bytes in all]');
});

test('hostile names stay names', () => {
  const payload = JSON.parse('{"__proto__":{"a":1},"constructor":"c","toJSON":"t","message":"m"}') as Entry['payload'];
  const text = JSON.stringify(recordOf({ payload }).jsonPayload);
  expect(text).toBe('{"__proto__":{"a":1},"constructor":"c","toJSON":"t","message":"m"}');
});
