import { describe, expect, test } from 'vitest';
import { type CloudLoggingModel, cloudLoggingModel, type LogEntry, type LogReply, type LogWrite } from '../../src/testing.ts';

const nowMs = Date.parse('2026-05-04T10:00:00Z');
const common = { logName: 'projects/acme/logs/events', resource: { type: 'k8s_cluster' }, partialSuccess: true };

function service(): CloudLoggingModel {
  return cloudLoggingModel({}, () => nowMs);
}

function entry(insertId: string, more: LogEntry = {}): LogEntry {
  return { insertId, timestamp: '2026-05-04T09:59:00Z', jsonPayload: { message: insertId }, ...more };
}

function post(model: CloudLoggingModel, body: string | Uint8Array | LogWrite, headers: Readonly<Record<string, string>> = {}): LogReply {
  const sent = typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  return model.handle({ method: 'POST', path: '/v2/entries:write', headers, body: sent });
}

/** Status, and what is said of which entry. */
function told(reply: LogReply): unknown {
  if (reply.type !== 'answer') return reply.type;
  const { error } = JSON.parse(reply.body) as { error?: { details?: readonly { logEntryErrors: Record<string, { code: number }> }[] } };
  const errors = error?.details?.[0]?.logEntryErrors;
  return errors === undefined
    ? reply.status
    : [reply.status, Object.fromEntries(Object.entries(errors).map(([at, { code }]) => [at, code]))];
}

function ids(model: CloudLoggingModel): readonly unknown[] {
  return model.stored.map(({ entry: { insertId } }) => insertId);
}

describe('what is stored', () => {
  test('a query shows one entry per project, time and insertId, however the time is written', () => {
    const model = service();
    const other = { logName: 'projects/other/logs/events' };
    const again = { timestamp: '2026-05-04T11:59:00.000+02:00' };
    post(model, { ...common, entries: [entry('a'), entry('b')] });
    post(model, { ...common, entries: [entry('a', again), entry('a', other), entry('a', { timestamp: '2026-05-04T09:59:00.000001Z' })] });

    expect(ids(model)).toEqual(['a', 'b', 'a', 'a', 'a']);
    expect(model.query().map(({ entry: { insertId, logName, timestamp } }) => [insertId, logName, timestamp])).toEqual([
      ['a', common.logName, '2026-05-04T09:59:00Z'],
      ['b', common.logName, '2026-05-04T09:59:00Z'],
      ['a', other.logName, '2026-05-04T09:59:00Z'],
      ['a', common.logName, '2026-05-04T09:59:00.000001Z'],
    ]);
  });

  test('an entry has what the request says for all; its own fields and labels win', () => {
    const model = service();
    post(model, { ...common, labels: { a: '1', b: '1' }, entries: [entry('x', { labels: { b: '2' }, resource: { type: 'k8s_node' } })] });
    expect(model.stored[0]?.entry).toEqual({
      ...entry('x'),
      logName: common.logName,
      resource: { type: 'k8s_node' },
      labels: { a: '1', b: '2' },
    });
  });

  test('without time and insertId the service gives them, so nothing is recognised as a repeat', () => {
    const model = service();
    const bare = { textPayload: 'started' };
    post(model, { ...common, entries: [bare, bare] });
    expect(model.query()).toHaveLength(2);
    expect(model.stored[0]?.entry.timestamp).toBe('2026-05-04T10:00:00.000Z');
  });

  test('what is older than the retention is taken and gone', () => {
    const model = service();
    expect(told(post(model, { ...common, entries: [entry('old', { timestamp: '2026-04-04T09:59:59Z' }), entry('a')] }))).toBe(200);
    expect(ids(model)).toEqual(['a']);
  });

  test('keys and values of labels are cut', () => {
    const model = service();
    post(model, { ...common, entries: [entry('a', { labels: { ['ä'.repeat(300)]: 'x'.repeat(70_000) } })] });
    const [label] = Object.entries(model.stored[0]?.entry.labels ?? {});
    expect([label?.[0], label?.[1].length]).toEqual(['ä'.repeat(256), 65_536]);
  });
});

describe('an entry that cannot be taken', () => {
  test.each<[string, LogEntry]>([
    ['more than 24 hours ahead', { timestamp: '2026-05-05T10:00:01Z' }],
    ['over 256 KiB', { jsonPayload: { message: 'é'.repeat(131_072) } }],
    ['with more than 64 labels', { labels: Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`l${at}`, ''])) }],
    ['without a type of resource', { resource: { type: '' } }],
    ['in a log of no project', { logName: 'logs/events' }],
    ['with two payloads', { textPayload: 'also' }],
  ])('%s is named by its index, and the others are stored', (_, more) => {
    const model = service();
    expect(told(post(model, { ...common, entries: [entry('a'), entry('b', more), entry('c')] }))).toEqual([400, { 1: 3 }]);
    expect(ids(model)).toEqual(['a', 'c']);
  });

  test('is not named where nothing was written: it is alone, or partial success was not asked for', () => {
    const model = service();
    const bad = entry('b', { timestamp: '2026-05-06T10:00:00Z' });
    expect(told(post(model, { ...common, entries: [bad] }))).toBe(400);
    expect(told(post(model, { ...common, partialSuccess: false, entries: [entry('a'), bad] }))).toBe(400);
    expect(ids(model)).toEqual([]);
  });
});

test.each<[string, string | Uint8Array]>([
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ['half of a surrogate pair', `{"entries":[{"textPayload":"\\ud83d"}]}`],
  ['no JSON', '{"entries":['],
  ['an unknown field of the request', '{"entries":[],"logname":"x"}'],
  ['an unknown field of an entry', '{"entries":[{"insertID":"x"}]}'],
  ['a label that is no text', '{"entries":[{"labels":{"count":1}}]}'],
  ['a severity that does not exist', '{"entries":[{"severity":"Warning"}]}'],
  ['a time that is none', '{"entries":[{"timestamp":"2026-05-04 10:00:00"}]}'],
  ['a payload that is a list', '{"entries":[{"jsonPayload":[]}]}'],
  ['more than 10 MB', JSON.stringify({ ...common, entries: [entry('a', { textPayload: 'x'.repeat(10 * 1024 * 1024) })] })],
])('a request with %s is refused as a whole', (_, body) => {
  const model = service();
  expect(told(post(model, body))).toBe(400);
  expect([model.requests[0]?.outcome, model.requests[0]?.stored]).toEqual([400, 0]);
});

test('a whole pair of surrogates is a character like any other, escaped or not', () => {
  const model = service();
  const sent = JSON.stringify({ ...common, entries: [entry('a'), entry('b')] });
  expect(told(post(model, sent.replace('"message":"a"', '"message":"\\ud83d\\ude00"').replace('"message":"b"', '"message":"😀"')))).toBe(
    200,
  );
  expect(model.stored.map(({ entry: { jsonPayload } }) => jsonPayload?.['message'])).toEqual(['😀', '😀']);
});

test('only known tokens come in, and no token is kept', () => {
  const model = cloudLoggingModel({ accepts: (token) => token === 'good' }, () => nowMs);
  const write = { ...common, entries: [entry('a')] };
  expect(told(post(model, write))).toBe(401);
  expect(told(post(model, write, { authorization: 'Bearer bad' }))).toBe(401);
  expect(told(post(model, write, { authorization: 'Bearer good' }))).toBe(200);
  model.accept(() => false);
  expect(told(post(model, write, { authorization: 'Bearer good' }))).toBe(401);
  expect(JSON.stringify(model.requests)).not.toContain('good');
});

describe('by script', () => {
  const write: LogWrite = { ...common, entries: [entry('a'), entry('b'), entry('c')] };

  test('faults are met in their order, each by one request', () => {
    const model = service();
    model.faults.next({ type: 'answer', status: 400, errors: { 1: { code: 3, message: 'too large' } } });
    model.faults.next({ type: 'answer', status: 429 }, 2);
    model.faults.next({ type: 'answer', status: 504, store: true });
    model.faults.next({ type: 'answer', status: 200, body: '' });
    model.faults.next({ type: 'reset' });
    model.faults.next({ type: 'reset', store: true });
    model.faults.next({ type: 'hang' });
    expect(model.faults.waiting()).toBe(8);

    const answers = Array.from({ length: 4 }, () => told(post(model, write)));
    const empty = post(model, write);
    const ends = Array.from({ length: 4 }, () => told(post(model, write)));

    expect(answers).toEqual([[400, { 1: 3 }], 429, 429, 504]);
    expect(empty).toMatchObject({ status: 200, body: '' });
    expect(ends).toEqual(['refused', 'lost', 'hung', 200]);
    expect(model.requests.map(({ stored }) => stored)).toEqual([2, 0, 0, 3, 3, 0, 3, 0, 3]);
    expect(model.query().map(({ entry: { insertId } }) => insertId)).toEqual(['a', 'c', 'b']);
  });

  test('a fault may be meant for some entries only, until it is taken back', () => {
    const model = service();
    const heal = model.faults.always({ type: 'answer', status: 400 }, (entries) => entries.some(({ insertId }) => insertId === 'b'));
    expect(told(post(model, write))).toBe(400);
    expect(told(post(model, { ...write, entries: [entry('a')] }))).toBe(200);
    heal();
    expect(told(post(model, write))).toBe(200);
  });

  test('an answer may come late, or be a page of HTML', () => {
    const model = service();
    model.faults.next({ type: 'slow', afterMs: 50 });
    model.faults.next({ type: 'answer', status: 413, body: '<html></html>' });
    expect(post(model, write)).toMatchObject({ status: 200, afterMs: 50 });
    expect(post(model, write)).toMatchObject({ status: 413, headers: { 'content-type': 'text/html; charset=UTF-8' } });
  });
});
